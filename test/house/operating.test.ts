/** docs/operating.md lists every setting as the code has it; `UPDATE_DOCUMENTS=1` writes the list. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { SETTINGS } from '../../src/kit/config/config.ts'

const FILE = path.resolve(import.meta.dirname, '../../docs/operating.md')
const BLOCK = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/

test('the operating manual lists every setting with unit and default, as the code has it', async () => {
  const table = [
    '| setting | what it sets | value | default |',
    '|---|---|---|---|',
    ...Object.entries(SETTINGS).map(
      ([name, { about, unit, defaultText }]) =>
        `| \`${name}\` | ${about} | ${unit} | ${defaultText} |`,
    ),
  ]
  const text = await fs.readFile(FILE, 'utf8')
  const wanted = text.replace(
    BLOCK,
    (_, open: string, close: string) => `${open}\n${table.join('\n')}\n\n${close}`,
  )
  if (process.env['UPDATE_DOCUMENTS'] === '1') await fs.writeFile(FILE, wanted)
  else
    assert.equal(text, wanted, '`UPDATE_DOCUMENTS=1 npm run check -- house` writes the list again')
})
