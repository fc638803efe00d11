/** How long what is stored of a collection's texts is: all that the layout of its ZIP needs besides names. */
import { sql } from 'kysely'
import type { FileForm } from '../model/transcripts/formats.ts'
import { SIZES_BYTES } from '../model/transcripts/recorded-forms.ts'
import type { Db } from './database.ts'

/** Of all rows of a job that the collection has now: `txt 1 2034 5022 json 1 …`, form, index, and both lengths; null: none. */
export type SizesOfJob = {
  jobId: string
  sizes: string | null
  /** Of rows with bodies: the index, four bytes with the highest first, before the lengths (recorded-forms.ts). */
  recorded: Buffer | null
}

/** One line for each job, made by the database: a row for each form would take longer to receive than to read. */
export async function listStoredSizes(
  db: Db,
  {
    accountId,
    collectionId,
    forms,
  }: { accountId: string; collectionId: string; forms: readonly FileForm[] },
): Promise<SizesOfJob[]> {
  const { rows } = await sql<SizesOfJob>`
    select j.job_id as "jobId", m.sizes, b.recorded from (
      select job_id, array_agg(index) as indexes from collection_video
      where account_id = ${accountId} and collection_id = ${collectionId} and status = 'success' group by job_id
    ) j, lateral (
      select string_agg(concat_ws(' ', m.form, m.index, octet_length(m.gzip), m.size_bytes), ' ') as sizes
      from transcript_form m where m.job_id = j.job_id and m.index = any(j.indexes) and m.form = any(${[...forms]})
    ) m, lateral (
      select string_agg(int4send(m.index) || substr(m.recorded, 1, 1 + ${sql.lit(SIZES_BYTES)} * get_byte(m.recorded, 0)), '') as recorded
      from transcript_body m where m.job_id = j.job_id and m.index = any(j.indexes)
    ) b
  `.execute(db)
  return rows
}
