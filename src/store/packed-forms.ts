/** The table `packed_form`: compressed forms that were made of bodies, a cache of bounded size. */
import { sql } from 'kysely'
import type { StoredForm } from '../transcripts/transcript-forms.ts'
import type { Db } from '../postgres/database.ts'
import type { RowKey, RowsWanted } from './transcripts.ts'

/** A body's row: what is recorded of its forms, and which of them are in the cache. */
export type PackedOfRow = RowKey & { recorded: Buffer; packed: string[] }

/** Of the rows wanted that have bodies. */
export async function listPackedOf(db: Db, wanted: RowsWanted): Promise<PackedOfRow[]> {
  const { rows } = await sql<PackedOfRow>`
    select m.job_id as "jobId", m.index, m.recorded,
      array(select p.form from packed_form p where p.job_id = m.job_id and p.index = m.index) as packed
    from ${wanted(sql.table('transcript_body'))}
  `.execute(db)
  return rows
}

/** Keeps them; of texts that were deleted meanwhile none, and what another process kept stays. */
export async function insertPacked(db: Db, made: readonly (RowKey & StoredForm)[]): Promise<void> {
  if (made.length === 0) return
  const values = sql.join(
    made.map(
      (one) => sql`(${one.jobId}::text, ${one.index}::int, ${one.form}::text, ${one.gzip}::bytea,
    ${one.sizeBytes}::int, ${one.crc32}::bigint, ${one.sha256}::text)`,
    ),
  )
  await sql`
    with bodies as materialized (
      select v.* from (values ${values}) as v (job_id, index, form, gzip, size_bytes, crc32, sha256)
      join transcript_body b on b.job_id = v.job_id and b.index = v.index for key share of b
    )
    insert into packed_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
    select job_id, index, form, gzip, size_bytes, crc32, sha256 from bodies on conflict do nothing
  `.execute(db)
}

/**
 * Deletes the oldest above so many bytes, at most `rowsMax`, none made within the last seconds, which somebody may be
 * about to send. Returns how many.
 */
export async function deleteOldestPacked(
  db: Db,
  { bytesMax, keptSeconds, rowsMax }: { bytesMax: number; keptSeconds: number; rowsMax: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from packed_form where ctid = any(array(
      select ctid from (
        select ctid, made_at, sum(octet_length(gzip)) over (order by made_at desc, job_id, index, form) as bytes
        from packed_form
      ) p
      where p.bytes > ${bytesMax} and p.made_at < now() - make_interval(secs => ${keptSeconds})
      limit ${rowsMax}))
  `.execute(db)
  return Number(numAffectedRows ?? 0n)
}
