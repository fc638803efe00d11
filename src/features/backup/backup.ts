/**
 * Backup and restore of everything that cannot be made again: one snapshot of all our tables in one file, read back
 * only into an empty database. Jobs that were under way are held by no worker after a restore: their heartbeats stand
 * still, so they are taken back and go on.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gunzip } from 'node:zlib'
import pg from 'pg'
import { takeOff } from './after-rows.ts'
import {
  type BackupEnd,
  BackupError,
  type BackupHeader,
  BackupReader,
  writeBackup,
} from './format.ts'
import {
  bringForward,
  findSince,
  rebuildBefore,
  requireOlderTables,
  type Since,
} from './older-schema.ts'
import { readSequences, readTables } from './tables.ts'
import { packedLines } from './packed-rows.ts'
import { holdingPacks } from '../transcripts/pack-texts.ts'
import type { KeptTexts, TextStore } from '../transcripts/text-store.ts'
import { copyIn, copyOut } from '../../kit/postgres/copy.ts'
import { MIGRATION_LOCK, readApplied } from '../../store/migrate.ts'
import { entryOf, REGISTER, type Register } from '../../store/register.ts'
import { FORGET_TIMELINES } from '../../store/timelines.ts'

/** Part of the name of a file until it is whole. */
export const UNFINISHED = '.unfinished-'

const SNAPSHOT = 'begin isolation level repeatable read, read only'

/** Transcripts are stored compressed: more effort gains a few per cent. */
const GZIP_LEVEL = 3

export type BackupSummary = { createdAt: string; rows: Record<string, number>; fileBytes: number }

/**
 * Writes the database to a new `file`, which only its owner may read: it holds the keys that sign receipts. The file
 * gets its name when it is complete and on disk. Throws a `BackupError` where the name is in use.
 */
export async function backup(
  pool: pg.Pool,
  file: string,
  {
    textStore = null,
    register = REGISTER,
  }: { textStore?: TextStore | null; register?: Register } = {},
): Promise<BackupSummary> {
  refuseExisting(file)
  // Nobody can guess the name; where somebody did, `wx` below writes to no file or link of theirs.
  const unfinished = `${file}${UNFINISHED}${randomUUID()}`
  try {
    const write = (): Promise<{ createdAt: string } & BackupEnd> =>
      inTransaction(pool, SNAPSHOT, (client) =>
        writeFile({ db: client, textStore }, unfinished, register),
      )
    const { createdAt, rows } = await holdingPacks(pool, write)
    refuseExisting(file)
    fs.renameSync(unfinished, file)
    return { createdAt, rows, fileBytes: fs.statSync(file).size }
  } catch (error) {
    throw explainWriting(error, file)
  } finally {
    fs.rmSync(unfinished, { force: true })
  }
}

/**
 * Reads `file` into the database: all of it or, after any failure, nothing. Throws a `BackupError` where the file is
 * damaged, of a later release or of one before 2.0.0, or the database is in use or not empty. A file of an earlier
 * release is brought forward.
 */
export async function restore(
  pool: pg.Pool,
  file: string,
  register: Register = REGISTER,
): Promise<BackupSummary> {
  const summary = await inTransaction(pool, 'begin', async (client) => {
    const reader = new BackupReader(openBackup(file))
    try {
      const header = await reader.readHeader()
      const since = await prepare(client, header, register)
      const putBack = await takeOff(
        client,
        header.tables.map(({ name }) => name),
      )
      for (const table of header.tables) {
        const statement = `copy ${target(table)} from stdin`
        await copyIn(client, { statement, input: reader.readRows(table.name) })
      }
      const { rows } = await reader.readEnd()
      await putBack()
      await setSequences(client, header)
      if (since !== null) await bringForward(client, since)
      return { createdAt: header.createdAt, rows, fileBytes: fs.statSync(file).size }
    } catch (error) {
      throw explain(error, file)
    }
  })
  await pool.query('analyze')
  return summary
}

async function writeFile(
  { db: client, textStore }: KeptTexts & { db: pg.PoolClient },
  file: string,
  register: Register,
): Promise<{ createdAt: string } & BackupEnd> {
  const clock = await client.query<{ now: Date }>('select now() as now')
  // A database of an earlier release has none.
  const packs = await client.query(`select where to_regclass('packed_text') is not null`)
  const header: BackupHeader = {
    createdAt: clock.rows[0]?.now.toISOString() ?? '',
    migrations: await readApplied(client),
    tables: await readTables(client, register),
    sequences: await readSequences(client),
  }
  let end: BackupEnd = { rows: {}, sha256: '' }
  async function* bytes() {
    end = yield* writeBackup(header, async function* (table) {
      yield* copyOut(client, `copy ${origin(table, register)} to stdout`)
      if (table.name === 'transcript_body' && packs.rowCount === 1)
        yield* packedLines({ db: client, textStore }, table.columns)
    })
  }
  const output = fs.createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(bytes()), createGzip({ level: GZIP_LEVEL }), output)
  return { createdAt: header.createdAt, ...end }
}

function refuseExisting(file: string): void {
  if (fs.existsSync(file))
    throw new BackupError(`${file} exists already: name another file or remove it`)
}

/** Returns the uncompressed bytes; a file that ends early or is no gzip throws while it is read. */
export function openBackup(file: string): Gunzip {
  const input = fs.createReadStream(file)
  const unpacked = createGunzip()
  input.on('error', (error) => unpacked.destroy(error))
  unpacked.on('close', () => input.destroy())
  return input.pipe(unpacked)
}

/**
 * Makes the database fit the file, which must fit this program. Returns the migrations that have to follow the rows, or
 * null.
 */
async function prepare(
  client: pg.PoolClient,
  header: BackupHeader,
  register: Register,
): Promise<Since | null> {
  const since = await findSince(header, await readApplied(client))
  const tables = await readTables(client, register)
  if (since === null && JSON.stringify(tables) !== JSON.stringify(header.tables)) {
    throw new BackupError(
      `it holds other tables or columns than this database${differing(header.tables, tables)}: restore it with the version that wrote it, into a database with all columns that were added by hand`,
    )
  }
  await requireEmpty(client, tables)
  if (since === null) return null
  await rebuildBefore(client, since)
  await requireOlderTables(client, header, register)
  return since
}

/** Returns what only one of the two lists of tables names, in brackets. */
function differing(held: BackupHeader['tables'], here: BackupHeader['tables']): string {
  const [inFile, inDatabase] = [held, here].map((tables) =>
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)),
  ) as [string[], string[]]
  const names = [
    ...inFile.filter((name) => !inDatabase.includes(name)),
    ...inDatabase.filter((name) => !inFile.includes(name)),
  ]
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

/**
 * Throws where a table has rows, but for the servers of the database, which whoever connected noted: those are deleted.
 * It holds locks, so that no running service writes in between.
 */
async function requireEmpty(client: pg.PoolClient, tables: BackupHeader['tables']): Promise<void> {
  const names = tables.map(({ name }) => pg.escapeIdentifier(name))
  await client.query(`lock table ${names.join(', ')} in access exclusive mode`)
  await client.query(FORGET_TIMELINES)
  const used = tables.map(
    ({ name }) =>
      `select ${pg.escapeLiteral(name)} as name where exists (select from ${pg.escapeIdentifier(name)})`,
  )
  const { rows } = await client.query<{ name: string }>(used.join(' union all '))
  if (rows.length === 0) return
  throw new BackupError(
    `the database holds rows already (in ${rows.map(({ name }) => name).join(', ')}): ` +
      'restore into an empty one, with DATA_DIR set to a new folder',
  )
}

async function setSequences(client: pg.PoolClient, { sequences }: BackupHeader): Promise<void> {
  for (const { name, lastValue, isCalled } of sequences) {
    const sequence = `public.${pg.escapeIdentifier(name)}`
    const values = [sequence, lastValue, isCalled]
    await client.query('select setval($1::regclass, $2::bigint, $3)', values)
  }
}

/** Returns the SQL of a table's rows that backups hold. */
function origin(table: BackupHeader['tables'][number], register: Register): string {
  const columns = table.columns.map(pg.escapeIdentifier).join(', ')
  const { backup: held } = entryOf(register, table.name)
  const rows = held !== undefined && 'rows' in held ? held.rows : 'true'
  return `(select ${columns} from public.${pg.escapeIdentifier(table.name)} where ${rows})`
}

function target({ name, columns }: BackupHeader['tables'][number]): string {
  return `public.${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`
}

/**
 * Works in a transaction without the deadlines of customers' statements; no migration runs meanwhile. The deadline of
 * locks stays: so long a restore waits for processes that still use the tables.
 */
async function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  client.on('error', ignore) // the statement under way fails too, with a better message
  let failure: Error | undefined
  try {
    await client.query(begin)
    await client.query(
      `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
    )
    await client.query('select pg_advisory_xact_lock_shared($1)', [MIGRATION_LOCK])
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    failure = asError(error)
    throw failure
  } finally {
    if (failure === undefined) client.off('error', ignore)
    client.release(failure) // after a failure the connection ends, and with it the transaction
  }
}

function explainWriting(error: unknown, file: string): Error {
  if (error instanceof Error && 'syscall' in error) {
    return new BackupError(`${file} cannot be written (${error.message}): name a place with space`)
  }
  return asError(error)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function ignore(): void {}

function explain(error: unknown, file: string): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof BackupError)
    return new BackupError(`${file} was not restored: ${error.message}`)
  if (code === 'ENOENT') return new BackupError(`there is no file ${file}`)
  if (code === '55P03')
    return new BackupError(
      `${file} was not restored: the database is in use: stop the service first`,
    )
  if (code.startsWith('Z_') || error instanceof SyntaxError || /^(22|23)/.test(code)) {
    return new BackupError(`${file} was not restored: it is damaged (${error.message})`)
  }
  return new Error(`while restoring ${file}`, { cause: error })
}
