/**
 * What earlier releases stored of transcripts. The table `transcript_form` has those of release 1.0.0, each form as a
 * gzip member; they are rewritten as bodies.
 */
import type { Form } from '../model/files/formats.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import { type Db, query, type Tx } from './database.ts'
import type { RowKey } from '../model/jobs/video-row.ts'

/** `json` is the gzip member of the transcript's segments, `forms` are the forms that are stored. */
type OldTranscript = RowKey & { json: Buffer; forms: Form[] }

/** $1 and $2: the row after which to begin, $3: how many. Rows that another process is rewriting are skipped. */
const LOCK_OLD_MEMBERS = statement<OldTranscript>(
  'lock-old-members',
  `select m.job_id as "jobId", m.index, m.gzip as json,
    (select array_agg(f.form) from transcript_form f where f.job_id = m.job_id and f.index = m.index) as forms
  from transcript_form m where m.form = 'json' and (m.job_id, m.index) > ($1, $2::int)
  order by m.job_id, m.index limit $3 for update of m skip locked`,
)

/** Returns the transcripts after a row, in order, locked until the transaction ends. */
export function lockOldMembers(tx: Tx, after: RowKey, limit: number): Promise<OldTranscript[]> {
  return run(tx, LOCK_OLD_MEMBERS, [after.jobId, after.index, limit])
}

/** $1 and $2: the rows, $3: their bodies, $4: what is recorded about their forms. */
const REPLACE_MEMBERS = statement<object>(
  'replace-members',
  `
  with made as (
    insert into transcript_body (job_id, index, body, recorded)
    select * from unnest($1::text[], $2::int[], $3::bytea[], $4::bytea[])
    on conflict (job_id, index) do nothing
  )
  delete from transcript_form f using unnest($1::text[], $2::int[]) as w (job_id, index)
  where f.job_id = w.job_id and f.index = w.index`,
)

/** Replaces the members by bodies; the caller has locked the rows. */
export async function replaceMembers(
  tx: Tx,
  rows: readonly (RowKey & { body: Buffer; recorded: Buffer })[],
): Promise<void> {
  await run(tx, REPLACE_MEMBERS, [
    rows.map(({ jobId }) => jobId),
    rows.map(({ index }) => index),
    rows.map(({ body }) => body),
    rows.map(({ recorded }) => recorded),
  ])
}

/** Completes what is recorded of a text, unless another process did so or the text is gone. */
export async function replaceRecorded(
  db: Db,
  { jobId, index }: RowKey,
  { before, after }: { before: Buffer; after: Buffer },
): Promise<void> {
  await query`
    update transcript_body set recorded = ${after}
    where job_id = ${jobId} and index = ${index} and recorded = ${before}
  `.anyRow(db)
}
