/** Numbers as the code has them, for documents and plans that say them again. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

/**
 * Returns the number of a constant, of a field of one (`NAME.field`) or of a setting's default, as it is written; the
 * first of a list.
 */
export function numberOf(file: string, constant: string): number {
  const source = fs.readFileSync(path.join(ROOT, file), 'utf8')
  const [name = '', field] = constant.split('.')
  const place =
    field === undefined
      ? `\\b${name}(?:: whole\\([^]*?\\bdefault)?(?: =|:) \\[?([\\d_.* ]+)`
      : `\\bconst ${name}\\b[^]*?\\b${field}: ([\\d_.]+)`
  const [, written] = new RegExp(place).exec(source) ?? []
  assert.ok(written !== undefined, `${file} has no number ${constant}`)
  const factors = written.replaceAll('_', '').split('*').map(Number)
  return factors.reduce((product, factor) => product * factor, 1)
}
