/** How long what is stored of a collection's texts is: all that the layout of its ZIP needs besides names. */
import { type RawBuilder, sql } from 'kysely'
import type { FileForm } from '../transcripts/formats.ts'
import type { Db } from '../postgres/database.ts'

/** Lengths of gzip members by form, 0 where a form is not stored; and of the text without compression. */
export type StoredSizes = { gzipBytes: Record<FileForm, number>; textBytes: number }

/**
 * By job and index, of rows that the collection has now. One line for each job, made by the database: a row for each
 * form would take longer to receive than to read.
 */
export async function listStoredSizes(
  db: Db,
  {
    accountId,
    collectionId,
    forms,
  }: { accountId: string; collectionId: string; forms: readonly FileForm[] },
): Promise<Map<string, Map<number, StoredSizes>>> {
  const sizesOf = (table: string): RawBuilder<unknown> => sql`
        select string_agg(concat_ws(' ', m.form, m.index, octet_length(m.gzip), m.size_bytes), ' ') as sizes
        from ${sql.table(table)} m
        where m.job_id = j.job_id and m.index = any(j.indexes) and m.form = any(${[...forms]})`
  const { rows } = await sql<{ jobId: string; sizes: string | null }>`
    select j.job_id as "jobId", s.sizes from (
      select job_id, array_agg(index) as indexes from collection_video
      where account_id = ${accountId} and collection_id = ${collectionId} and status = 'success' group by job_id
    ) j, lateral (
      select string_agg(f.sizes, ' ') as sizes from (${sql.join(['transcript_form', 'packed_form'].map(sizesOf), sql` union all `)}) f
    ) s
  `.execute(db)
  return new Map(rows.map(({ jobId, sizes }) => [jobId, readSizes(sizes ?? '')]))
}

/** `txt 1 2034 5022 json 1 …`: form, index, and both lengths. Read without making a string of each number. */
function readSizes(line: string): Map<number, StoredSizes> {
  const sizes = new Map<number, StoredSizes>()
  const numberAt = (from: number): number => {
    let number = 0
    for (at = from; at < line.length && line.charCodeAt(at) !== BLANK; at += 1)
      number = number * 10 + line.charCodeAt(at) - ZERO
    at += 1
    return number
  }
  let at = 0
  while (at < line.length) {
    const formEnd = line.indexOf(' ', at)
    const form = line.slice(at, formEnd) as FileForm
    const index = numberAt(formEnd + 1)
    let of = sizes.get(index)
    if (of === undefined) {
      of = { gzipBytes: { json: 0, srt: 0, txt: 0, vtt: 0 }, textBytes: 0 }
      sizes.set(index, of)
    }
    of.gzipBytes[form] = numberAt(at)
    const sizeBytes = numberAt(at)
    if (form === 'txt') of.textBytes = sizeBytes
  }
  return sizes
}

const BLANK = ' '.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
