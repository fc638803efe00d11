/** The table `job_source`: a job's lines and how far each has been listed. */
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../kit/postgres/database.ts'
import type { Db, Tx } from './database.ts'

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
  /** The job was started from a preview: its pages may be read again. */
  isPreviewed: boolean
}

export async function listSources(db: Db, jobId: string): Promise<SourceProgress[]> {
  const { rows } = await sql<SourceProgress>`${prepared('list-sources')}
    select position, line, state, cursor, copy_id as "copyId", heads, listed, is_previewed as "isPreviewed"
    from job_source where job_id = ${jobId} order by position
  `.execute(db)
  return rows
}

/** A part of beginning a job: the same of the job in `begun`, as JSON. */
export function readSources(): RawBuilder<unknown> {
  return sql`select coalesce(json_agg(json_build_object('position', s.position, 'line', s.line, 'state', s.state,
        'cursor', s.cursor, 'copyId', s.copy_id, 'heads', s.heads, 'listed', s.listed, 'isPreviewed', s.is_previewed)
        order by s.position), '[]') from job_source s where s.job_id = begun.id`
}

/** How far a source is listed. */
export type SourceMove = Omit<SourceProgress, 'line' | 'isPreviewed'>

/** A part of planning: how far the sources of the job in `held` are listed. */
export function moveSources(sources: readonly SourceMove[]): RawBuilder<unknown> {
  return sql`update job_source s set state = p.state, cursor = p.cursor, copy_id = p."copyId", heads = p.heads, listed = p.listed
    from held, jsonb_to_recordset(${JSON.stringify(sources)}::jsonb)
      as p (position int, state text, cursor text, "copyId" uuid, heads text[], listed int)
    where s.job_id = held.id and s.position = p.position`
}

/** Says which collection a source's list is, once its first page was read. */
export async function setCollection(
  tx: Tx,
  { jobId, position, collectionId }: { jobId: string; position: number; collectionId: string },
): Promise<void> {
  await tx
    .updateTable('job_source')
    .set({ collection_id: collectionId })
    .where('job_id', '=', jobId)
    .where('position', '=', position)
    .execute()
}

/** A part of inserting a job: its lines, out of `created`. */
export function insertSources(isPreviewed: boolean): RawBuilder<unknown> {
  return sql`insert into job_source (job_id, position, line, is_previewed)
      select c.id, line.position, line.text, ${isPreviewed}::boolean
      from created c, unnest(c.urls) with ordinality as line (text, position)`
}
