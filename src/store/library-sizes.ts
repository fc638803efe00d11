/** How long what is stored of a collection's texts is: all that the layout of its ZIP needs besides names. */
import { type RawBuilder, sql } from 'kysely'
import type { FileForm } from '../transcripts/formats.ts'
import type { Db } from '../postgres/database.ts'

/** Of all rows of a job that the collection has now: `txt 1 2034 5022 json 1 …`, form, index, and both lengths; null: none. */
export type SizesOfJob = { jobId: string; sizes: string | null }

/** One line for each job, made by the database: a row for each form would take longer to receive than to read. */
export async function listStoredSizes(
  db: Db,
  {
    accountId,
    collectionId,
    forms,
  }: { accountId: string; collectionId: string; forms: readonly FileForm[] },
): Promise<SizesOfJob[]> {
  const sizesOf = (table: string): RawBuilder<unknown> => sql`
        select string_agg(concat_ws(' ', m.form, m.index, octet_length(m.gzip), m.size_bytes), ' ') as sizes
        from ${sql.table(table)} m
        where m.job_id = j.job_id and m.index = any(j.indexes) and m.form = any(${[...forms]})`
  const { rows } = await sql<SizesOfJob>`
    select j.job_id as "jobId", s.sizes from (
      select job_id, array_agg(index) as indexes from collection_video
      where account_id = ${accountId} and collection_id = ${collectionId} and status = 'success' group by job_id
    ) j, lateral (
      select string_agg(f.sizes, ' ') as sizes from (${sql.join(['transcript_form', 'packed_form'].map(sizesOf), sql` union all `)}) f
    ) s
  `.execute(db)
  return rows
}
