/**
 * The part of an account's export that is written from the register of tables: all rows of each table that no other
 * file holds whole, and words for its reader on what is there and what is not.
 */
import { Readable } from 'node:stream'
import type { Db } from '../../store/database.ts'
import {
  describeExported,
  type ExportedRow,
  type ExportedTable,
  listExportedRows,
  listOwnerIds,
} from '../../store/exported-rows.ts'
import { hiddenColumns, REGISTER } from '../../store/register.ts'
import type { PeoplesTable } from '../../store/register/entry.ts'
import type { SentFile } from '../files/send-zip.ts'

const EXPORTED_ROWS_AT_ONCE = 100

const PEOPLES = Object.entries(REGISTER).flatMap(([table, entry]): [string, PeoplesTable][] =>
  entry.holds === undefined ? [] : [[table, entry]],
)
const EXPORTED = PEOPLES.filter(([, { exported }]) => typeof exported === 'string')

/** Opens what writes rows of an account; the tables are described once for all files. */
export async function openExportedRows(db: Db) {
  const described = await describeExported(
    db,
    EXPORTED.map(([table]) => table),
  )
  const pagesOf = (table: string, column: string, ownerIds: string[]) => {
    const found = described.find((one) => one.table === table)
    if (found === undefined) throw new Error(`the database has no table ${table}`)
    return readPages(db, { ...found, column }, ownerIds)
  }
  return {
    /** Yields a file of JSON lines for each table that has rows of the account beside those of its jobs. */
    async *files(accountId: string, at: string): AsyncGenerator<SentFile, void> {
      for (const [table, { exported, path }] of EXPORTED) {
        if (exported !== 'rows' || path === null) continue
        const isOwn = path.of === 'account' && path.key === undefined
        const ownerIds = isOwn ? [accountId] : await listOwnerIds(db, path, accountId)
        const pages = pagesOf(table, path.column, ownerIds)
        const first = await pages.next()
        if (first.done === true) continue
        const bytes = Readable.from(asBuffers(startingWith(first.value, pages)))
        yield { name: fileOf(table), at, isPacked: false, bytes }
      }
    },
    /** Yields JSON lines of all rows of a job, each with the name of its table. */
    async *ofJob(jobId: string): AsyncGenerator<Buffer, void> {
      for (const [table, { exported, path }] of EXPORTED) {
        if (exported !== 'rows_of_job' || path === null) continue
        for await (const lines of pagesOf(table, table === 'job' ? 'id' : path.column, [jobId]))
          yield asBuffer(lines.map((line) => `{"table":"${table}",${line.slice(1)}`))
      }
    },
  }
}

/** Yields pages of rows of these owners, as JSON; none is empty. */
async function* readPages(
  db: Db,
  of: ExportedTable & { column: string },
  ownerIds: readonly string[],
): AsyncGenerator<string[], void> {
  const limit = EXPORTED_ROWS_AT_ONCE
  for (const ownerId of ownerIds) {
    for (let after: string[] | null = null; ;) {
      const rows: ExportedRow[] = await listExportedRows(db, { ...of, ownerId, after, limit })
      if (rows.length > 0) yield rows.map(({ line }) => line)
      if (rows.length < limit) break
      after = rows.at(-1)?.place ?? null
    }
  }
}

async function* startingWith<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T, void> {
  yield first
  yield* others
}

/** A piece for each page: compressing line by line takes ten times as long. */
async function* asBuffers(pages: AsyncIterable<string[]>): AsyncGenerator<Buffer, void> {
  for await (const lines of pages) yield asBuffer(lines)
}

function asBuffer(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

function fileOf(table: string): string {
  return `tables/${table}.jsonl`
}

function describeRows([table, { holds }]: [string, PeoplesTable]): string {
  const hidden = hiddenColumns(REGISTER, table)
  return hidden.length === 0 ? holds : `${holds} (without ${hidden.join(', ')})`
}

const FILE_CHARS = Math.max(...EXPORTED.map(([table]) => fileOf(table).length)) + 2

/** Words on the files of tables, a line for each. */
export const TABLES_SHOWN = EXPORTED.filter(([, { exported }]) => exported === 'rows')
  .map((one) => `${fileOf(one[0]).padEnd(FILE_CHARS)}${describeRows(one)}`)
  .join('\n')

/** Words on the rows of a job, a line for each of its tables. */
export const ROWS_OF_JOB = EXPORTED.filter(([, { exported }]) => exported === 'rows_of_job')
  .map((one) => `    ${one[0].padEnd(FILE_CHARS)}${describeRows(one)}`)
  .join('\n')

/** Words on what is kept of an account and is in no file, with the reason. */
export const TABLES_NOT_SHOWN = PEOPLES.flatMap(([, { holds, exported }]) =>
  typeof exported === 'object' && 'not' in exported ? [`- ${holds}; ${exported.not}`] : [],
).join('\n')
