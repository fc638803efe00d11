/** The table `job_source`: a job's lines and how far each has been listed. */
import { run, statement } from '../kit/postgres/statement.ts'
import type { Db, Tx } from './database.ts'

export type SourceProgress = {
  /** The line's place in the request, from 1. */
  position: number
  line: string
  state: 'waiting' | 'listing' | 'listed'
  /** The cursor of the next page while listing; null before the first page. */
  cursor: string | null
  /** The copy of the list that planning reads and adds to; null where there is none. */
  copyId: string | null
  /** The list's first videos; null before the first page. */
  heads: string[] | null
  /** Videos seen so far, duplicates included. */
  listed: number
  /** Whether the job was started from a preview, so that the pages the preview read may be read again. */
  isPreviewed: boolean
}

const LIST_SOURCES = statement<SourceProgress>(
  'list-sources',
  `select position, line, state, cursor, copy_id as "copyId", heads, listed, is_previewed as "isPreviewed"
  from job_source where job_id = $1 order by position`,
)

export async function listSources(db: Db, jobId: string): Promise<SourceProgress[]> {
  return run(db, LIST_SOURCES, [jobId])
}

/** The progress of a source's listing. */
export type SourceMove = Omit<SourceProgress, 'line' | 'isPreviewed'>

/** Notes which collection a source's list is, once its first page was read. */
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
