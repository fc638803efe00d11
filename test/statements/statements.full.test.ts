/** Every hand-written statement is prepared once, and returns what the code claims. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { before, test } from 'node:test'
import { transact } from '../../src/kit/postgres/database.ts'
import { STATEMENTS } from '../../src/kit/postgres/statement.ts'
import { testDatabase } from '../support/database.ts'
import { CALLS } from './calls.ts'
import { type Claim, findMisfits, ROOT } from './check-claims.ts'
import { type Described, openDescriber } from './describe.ts'
import { findSql, type WrittenSql } from './find-statements.ts'

/** Statements that are put together at run time, from names of the catalogue. */
const RUN_TIME_ONLY = [
  'src/features/backup/after-rows.ts: { undo: string; redo: string }',
  'src/features/backup/backup.ts: { name: string }',
  'src/kit/postgres/scouts.ts: ServerIdentity',
  'src/kit/postgres/statement.ts: Row & pg.QueryResultRow',
]

/**
 * Columns that may be null in the table, but not in the result: by the statements' conditions or the table's checks.
 */
const SURE: Record<string, readonly string[]> = {
  'src/store/accounts.ts': ['connectionId'],
  'src/store/deleted-texts.ts': ['until'],
  'src/store/file-rows.ts': ['videoId', 'status', 'label', 'languageCode', 'trackKind'],
  'src/store/history.ts': ['status', 'label'],
  'src/store/jobs.ts': ['bodyHash'],
  'src/store/receipts.ts': ['videoId', 'privateKey'],
  'src/store/spending.ts': ['chargedAt'],
  'src/store/video-rows.ts': ['status', 'label'],
  'src/store/webhooks.ts': ['url', 'disabledBecause'],
}

let written: WrittenSql[] = []
let seen: Described[] = []
/** The described statement of each piece of SQL, of which a fragment is a part. */
let parts = new Map<WrittenSql, Described>()

before(async () => {
  const ends: (() => Promise<void>)[] = []
  const database = await testDatabase({ after: (end) => ends.push(end) })
  const describer = await openDescriber(await database.connect())

  for (const name of await fs.readdir(STORE)) {
    if (/(?<!\.test)\.ts$/.test(name)) await import(path.join(STORE, name))
  }
  for (const [text, name] of STATEMENTS) await describer.describe(text, name)
  for (const isFound of [true, false]) {
    for (const call of CALLS) {
      const db = describer.answering(isFound)
      // The verbs' results from made-up rows do not matter.
      await transact(db, (tx) => call({ db, tx })).catch(() => undefined)
    }
  }
  written = await findSql(path.join(ROOT, 'src'))
  for (const { kind, chunks } of written) {
    if (kind === 'query' && chunks?.length === 1) await describer.describe(chunks.join(''))
  }
  seen = [...describer.seen.values()]
  parts = partsOf(written, seen)
  for (const end of ends) await end()
})

const STORE = path.join(ROOT, 'src/store')

test('PostgreSQL prepares every statement: columns, tables and functions are there', () => {
  const refused = seen.filter(({ error }) => error !== null)
  assert.deepEqual(
    refused.map(({ text, error }) => `${error}: ${text.trim().replace(/\s+/g, ' ')}`),
    [],
  )
  assert.ok(seen.length > 120, `${seen.length} were prepared`)
})

test('no piece of SQL is left out: calls.ts reaches every statement and every part of one', () => {
  const unseen = written.filter((sql) => !parts.has(sql) && !isRunTimeOnly(sql))
  assert.deepEqual(
    unseen.map(
      (sql) =>
        `${path.relative(ROOT, sql.file)}:${sql.line}: ${sql.chunks?.join('…').trim() ?? sql.name}`,
    ),
    [],
  )
})

test('every statement returns the columns that the code claims, by name and type', async (t) => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-claims-'))
  t.after(() => fs.rm(folder, { recursive: true }))
  const claims = written.flatMap((sql): Claim[] => {
    const described = parts.get(sql)
    if (sql.claim === null || described === undefined || described.error !== null) return []
    return [
      { written: sql, columns: described.columns, sure: SURE[path.relative(ROOT, sql.file)] ?? [] },
    ]
  })
  assert.ok(claims.length > 40, `${claims.length} statements claim something`)
  assert.deepEqual(await findMisfits(folder, claims), [])
})

/**
 * Finds the statement of each text. Where several fit, one of which is the beginning of another, the longest is taken.
 */
function partsOf(all: WrittenSql[], described: Described[]): Map<WrittenSql, Described> {
  const [statements, fragments] = [
    all.filter(({ kind }) => kind !== 'fragment').toSorted((a, b) => lengthOf(b) - lengthOf(a)),
    all.filter(({ kind }) => kind === 'fragment'),
  ]
  const found = new Map<WrittenSql, Described>()
  for (const one of described) {
    const owner = statements.find(({ kind, name, chunks }) =>
      kind === 'named' ? name === one.name : chunks !== null && isMadeOf(one.text, chunks, true),
    )
    if (owner !== undefined) found.set(owner, one)
    for (const sql of fragments) {
      if (!found.has(sql) && isMadeOf(one.text, sql.chunks ?? [], false)) found.set(sql, one)
    }
  }
  return found
}

function lengthOf({ chunks }: WrittenSql): number {
  return chunks?.join('').length ?? Infinity
}

/** Returns whether a text has these pieces in this order, and begins and ends with them where it is `whole`. */
function isMadeOf(text: string, chunks: string[], isWhole: boolean): boolean {
  const [first = '', last = ''] = [chunks[0], chunks.at(-1)]
  if (isWhole && !(text.startsWith(first) && text.endsWith(last))) return false
  let from = 0
  for (const chunk of chunks) {
    const at = text.indexOf(chunk, from)
    if (at < 0) return false
    from = at + chunk.length
  }
  return !isWhole || chunks.length > 1 || text === first
}

function isRunTimeOnly({ file, claim }: WrittenSql): boolean {
  return RUN_TIME_ONLY.includes(`${path.relative(ROOT, file)}: ${claim?.text}`)
}
