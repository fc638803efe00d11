/** The table `job_source`: a job's lines and how far each has been listed. */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../postgres/database.ts'

export type SourceProgress = {
  /** 1-based, in the order given. */
  position: number
  line: string
  state: 'waiting' | 'listing' | 'listed'
  /** The next page's, while listing; null before the first page. */
  cursor: string | null
  /** The list's copy that is read and added to; null where there is none. */
  copyId: string | null
  /** The list's first videos; null before the first page. */
  heads: string[] | null
  /** Videos seen so far, duplicates included. */
  listed: number
}

export async function listSources(db: Db, jobId: string): Promise<SourceProgress[]> {
  return db
    .selectFrom('job_source')
    .select(['position', 'line', 'state', 'cursor', 'copy_id as copyId', 'heads', 'listed'])
    .where('job_id', '=', jobId)
    .orderBy('position')
    .execute()
}

/** Sets how far sources are listed, in one statement. */
export async function updateSources(
  tx: Tx,
  jobId: string,
  sources: Omit<SourceProgress, 'line'>[],
): Promise<void> {
  if (sources.length === 0) return
  await sql`
    update job_source s set state = p.state, cursor = p.cursor, copy_id = p."copyId", heads = p.heads, listed = p.listed
    from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb)
      as p (position int, state text, cursor text, "copyId" uuid, heads text[], listed int)
    where s.job_id = ${jobId} and s.position = p.position
  `.execute(tx)
}

/** A part of inserting a job: its lines, out of `created`. */
export function insertSources(): RawBuilder<unknown> {
  return sql`insert into job_source (job_id, position, line)
      select c.id, line.position, line.text
      from created c, unnest(c.urls) with ordinality as line (text, position)`
}
