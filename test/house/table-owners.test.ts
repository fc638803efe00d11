/**
 * Each table is written by one file, and beside it only by statements that write several tables at once, so that a
 * row's history can be found in few places. No file hands another one a part of a statement; only what an owned text is
 * stands once for all that read it (owned-texts.ts).
 */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'vite'
import { REGISTER } from '../../src/store/register.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The erasure of deleted accounts, and sweeps, write any table. */
const ANY_TABLE = '\u{24}{sql.table(table)}: src/store/erasure.ts'

const STORE = path.join(ROOT, 'src/store')

/** The search indexes have tables of their own. */
const OF_ANOTHER_DATABASE = 'features/search/'

const WRITES = [
  /\b(?:insert\s+into|delete\s+from)\s+(\$\{[^}]*\}|[\w.]+)/g,
  /\bupdate\s+(\$\{[^}]*\}|[\w.]+)\s+(?:(?:as\s+)?\w+\s+)?set\b/g,
  /\.(?:insertInto|updateTable|deleteFrom)\(\s*('[\w.]+'|[^)'\s]+)/g,
]

test('each table is inserted into, updated and deleted from by the files that the register names', async () => {
  const expected = Object.entries(REGISTER).flatMap(([table, { writers }]) =>
    writers.split(' ').flatMap((file) => (file === '' ? [] : [`${table}: src/store/${file}.ts`])),
  )
  const names = await fs.readdir(path.join(ROOT, 'src'), { recursive: true })
  const files = names.filter(
    (name) =>
      name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith(OF_ANOTHER_DATABASE),
  )
  const written = await Promise.all(
    files.map(async (name) => {
      const code = await fs.readFile(path.join(ROOT, 'src', name), 'utf8')
      return tablesWrittenIn(code).map((table) => `${table}: src/${name}`)
    }),
  )
  assert.deepEqual(written.flat().sort(), [...expected, ANY_TABLE].sort())
})

test('no file hands a piece of a statement to another one: columns at most, as text or as one template', async () => {
  const names = (await fs.readdir(STORE)).filter((name) => name.endsWith('.ts'))
  const found = await Promise.all(
    names.map(async (name) => {
      const code = await fs.readFile(path.join(STORE, name), 'utf8')
      return piecesHandedOn(code).map((piece) => `${name}: ${piece}`)
    }),
  )
  assert.deepEqual(found.flat(), [])
})

test('pieces of statements that are handed on are found', () => {
  const code = `
    export const COLUMNS = \`id\`
    export function part(id: string): RawBuilder<unknown> { return sql\`id\` }
    export const other = (
      id: string,
    ): RawBuilder<boolean> => sql\`id\`
    export type Within = (table: string) => RawBuilder<unknown>
    function own(): RawBuilder<unknown> { return sql\`id\` }
    export async function verb(db: Db): Promise<void> { await run(own()) }`
  assert.deepEqual(piecesHandedOn(code), ['part', 'other', 'Within'])
})

/** Returns the exports of a file whose type says that they make SQL. */
function piecesHandedOn(code: string): string[] {
  return parseSync('file.ts', code).program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return []
    const { declaration } = node
    const typed =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.map(({ id, init }) => [id, init])
        : [['id' in declaration ? declaration.id : null, declaration]]
    return typed.flatMap(([id, value]) => {
      const { start, end } = value ?? node
      const body = value && 'body' in value ? value.body : null
      const head = code.slice(start, body?.start ?? end)
      return /RawBuilder</.test(head) && id ? [code.slice(id.start, id.end)] : []
    })
  })
}

test('writes are found in SQL and in built statements, whatever comes around them', () => {
  const code = `
    // delete from comment
    sql\`with gone as (delete from one where id = 1) insert into two as t (a) select 1\`
    sql\`update three t set a = 1; update only_read_as_a_word where x\`
    sql\`insert into four (a) values (1) on conflict (a) do update set a = 2; select 1 for update of b\`
    sql\`delete from \${table}\`
    db.insertInto('five').updateTable(
      'six').deleteFrom(name)`
  assert.deepEqual(tablesWrittenIn(code), [
    '\u{24}{table}',
    'five',
    'four',
    'name',
    'one',
    'six',
    'three',
    'two',
  ])
})

/**
 * Returns the names of written tables, each once; an expression, which no file owns, where only running the code would
 * tell.
 */
function tablesWrittenIn(code: string): string[] {
  const uncommented = code.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
  const found = WRITES.flatMap((write) =>
    [...uncommented.matchAll(write)].map(([, table]) => (table ?? '').replaceAll("'", '')),
  )
  return [...new Set(found)].filter((table) => table !== 'set').sort()
}
