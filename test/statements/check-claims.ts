/**
 * Compares what `sql<…>` claims with what PostgreSQL says: each claim gets the described row beside it in a copy of the
 * sources, and tsc decides whether they fit, so that a claim may be any type.
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { ResultColumn } from './describe.ts'
import type { WrittenSql } from './find-statements.ts'

export const ROOT = path.resolve(import.meta.dirname, '../..')

/** A claim, the columns that its statement returns, and those that are never null though the table allows it. */
export type Claim = { written: WrittenSql; columns: ResultColumn[]; sure: readonly string[] }

/** Types that name one misfit at a time: tsc would print several as the type that they were computed by. */
const MISFITS = `
type Named<T> = T extends unknown ? keyof T & string : never
type At<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never
type Misfits<T, Row, Nullable extends string> =
  | { [K in Named<T>]: K extends keyof Row ? never : \`\${K} is claimed, and no column is called so\` }[Named<T>]
  | { [K in keyof Row & string]: K extends Named<T> ? never : \`\${K} is a column, and not claimed\` }[keyof Row & string]
  | { [K in keyof Row & Named<T>]: [At<T, K>] extends [Row[K]] ? never : \`\${K} is claimed to be of another type\` }[keyof Row & Named<T>]
  | { [K in Nullable & Named<T>]: null extends At<T, K> ? never : \`\${K} is claimed never to be null\` }[Nullable & Named<T>]
type All<U> = (U extends unknown ? (one: () => U) => void : never) extends (all: infer I) => void ? I : never
type One<U> = All<U> extends () => infer Last ? Last : never
type Claimed<T, Misfit extends never> = [Misfit] extends [never] ? T : T
`

/** Returns the misfits, each with file and line. `folder` is overwritten. */
export async function findMisfits(folder: string, claims: Claim[]): Promise<string[]> {
  await fs.cp(path.join(ROOT, 'src'), path.join(folder, 'src'), { recursive: true })
  await fs.copyFile(path.join(ROOT, 'tsconfig.json'), path.join(folder, 'tsconfig.json'))
  await fs.writeFile(path.join(folder, 'claims.d.ts'), MISFITS)
  await fs.writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  await fs.symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  for (const [file, ofFile] of Map.groupBy(claims, ({ written }) => written.file)) {
    const copy = path.join(folder, path.relative(ROOT, file))
    await fs.writeFile(copy, withRows(await fs.readFile(copy, 'utf8'), ofFile))
  }
  const files = claims.map(({ written }) => path.relative(ROOT, written.file))
  return findTypeErrors(folder, [...new Set(files), 'claims.d.ts'])
}

/** Puts the described rows beside the claims, from the end to the beginning, so that positions stay right. */
function withRows(code: string, claims: Claim[]): string {
  const placed = claims.toSorted((a, b) => startOf(b) - startOf(a))
  return placed.reduce((text, { written: { claim }, columns, sure }) => {
    if (claim === null) return text
    const row = columns.map(({ name, type }) => `${JSON.stringify(name)}: ${type} | null`)
    const nullable = columns
      .filter(({ name, canBeNull }) => canBeNull && !sure.includes(name))
      .map(({ name }) => `'${name}'`)
    const parts = [claim.text, `{ ${row.join('; ')} }`, nullable.join(' | ') || 'never']
    const checked = `Claimed<${claim.text}, One<Misfits<${parts.join(', ')}>>>`
    return text.slice(0, claim.start) + checked + text.slice(claim.end)
  }, code)
}

function startOf({ written }: Claim): number {
  return written.claim?.start ?? 0
}

/** Returns tsc's errors in these files of a copy, and in those that they import, a line each. */
async function findTypeErrors(folder: string, files: string[]): Promise<string[]> {
  const project = path.join(folder, 'tsconfig.part.json')
  await fs.writeFile(project, JSON.stringify({ extends: './tsconfig.json', include: files }))
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  return new Promise((resolve) => {
    const args = [tsc, '--noEmit', '--pretty', 'false', '-p', project]
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) =>
      resolve(stdout.split(/\n(?=\S)/).filter((line) => line.includes('error TS'))),
    )
  })
}
