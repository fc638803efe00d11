/** The table `video_row`: what a job takes up, and what became of it. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Suspect } from '../model/jobs/attempt.ts'
import type { HistoryEntry } from '../model/jobs/history.ts'
import { type RowStatus, usualSentence, VIDEO_URL } from '../model/jobs/video-row.ts'
import type { FiledVideo } from '../model/library/video-details.ts'
import type { TrackKind } from '../model/transcripts/transcript.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import { type Db, query, toColumns, type Tx } from './database.ts'
import { type PastOutcome, toEntry } from './history.ts'

/** A finished row as customers see it and the worker records it; null where nothing is known. */
export type RowContent = FiledVideo & {
  status: RowStatus
  label: string
  errorMessage: string | null
  trackKind: TrackKind | null
}

/** `textDeletedAt` is null unless its owner deleted its text. */
export type FinishedRow = RowContent & { index: number; textDeletedAt: Date | null }

/** A row that was taken up and waits for its captions. */
export type PlannedRow = PlannedPlace & {
  videoId: string
  /** Entry of the account's history about the video. */
  history: HistoryEntry | null
}

type PlannedPlace = {
  index: number
  source: number
  title: string | null
  channelName: string | null
  publishedAt: string | null
}

/** A planned row, or one that needs no captions and is finished at once. */
export type NewRow = { index: number; source: number } & (
  | {
      kind: 'planned'
      videoId: string
      title: string | null
      url: string
      channelName: string | null
      publishedAt: string | null
    }
  | { kind: 'finished'; content: RowContent }
)

/**
 * The usual sentences of free rows. These, and the usual addresses of videos, follow from the row and are not stored.
 */
const USUAL_SENTENCES: Partial<Record<RowStatus, string>> = {
  skipped: usualSentence('skipped', 'out_of_bounds'),
  truncated: usualSentence('truncated', null),
}

export const ROW_URL = sql`coalesce(url, ${sql.lit(VIDEO_URL)} || video_id) as url`
export const ROW_ERROR = sql`coalesce(error_message, case status
  when 'skipped' then ${sql.lit(USUAL_SENTENCES.skipped)} when 'truncated' then ${sql.lit(USUAL_SENTENCES.truncated)}
  end) as "errorMessage"`

const CONTENT = sql`index, video_id as "videoId", title, ${ROW_URL}, channel_name as "channelName",
  published_at as "publishedAt", status, label, ${ROW_ERROR},
  language_code as "languageCode", track_kind as "trackKind", text_deleted_at as "textDeletedAt"`

/**
 * Returns a page's rows by the names of their columns, without usual addresses and sentences, which are not stored.
 * `done` numbers the finished ones from 1.
 */
export function toLines(rows: readonly NewRow[]): object[] {
  let done = 1
  return rows.map(({ index, source, ...row }) => {
    const content = row.kind === 'finished' ? row.content : row
    const { videoId, title, channelName, publishedAt } = content
    const url = content.url === `${VIDEO_URL}${videoId}` ? null : content.url
    const known = { index, source, videoId, title, url, channelName, publishedAt }
    if (row.kind === 'planned') return toColumns(known)
    const { status, label, errorMessage: sentence } = row.content
    const errorMessage = sentence === USUAL_SENTENCES[status] ? null : sentence
    return toColumns({ ...known, status, label, errorMessage, done: done++ })
  })
}

const FIND_PLANNED_VIDEOS = statement<{ videoId: string | null }>(
  'find-planned-videos',
  `select video_id as "videoId" from video_row where job_id = $1 and video_id = any($2)`,
)

/** Returns those of the given videos that have a row in the job already. */
export async function findPlannedVideos(
  db: Db,
  jobId: string,
  videoIds: string[],
): Promise<Set<string>> {
  const rows = await run(db, FIND_PLANNED_VIDEOS, [jobId, videoIds])
  return new Set(rows.flatMap(({ videoId }) => (videoId === null ? [] : [videoId])))
}

type PlannedLine = PlannedPlace & {
  videoId: string | null
  known: PastOutcome | null
  /** When the video was attempted; meaningful only beside `known`. */
  attemptedAt: Date
}

const LIST_PLANNED = statement<PlannedLine>(
  'list-planned',
  `select r.index, r.source, r.video_id as "videoId", r.title, r.channel_name as "channelName",
    r.published_at as "publishedAt",
    case when h.outcome is not null then jsonb_build_object('outcome', h.outcome, 'tries', h.tries, 'jobId', h.job_id,
      'publishedAt', h.published_at) end as known, h.attempted_at as "attemptedAt"
  from video_row r left join history h on h.account_id = $2 and h.url_set_hash = $3 and h.video_id = r.video_id
  where r.job_id = $1 and r.status is null and r.index > $4
  order by r.index limit $5`,
)

/** Rows after `afterIndex` that still wait for their captions, in order, with their history. */
export async function listPlanned(
  db: Db,
  job: { id: string; accountId: string; urlSetHash: string },
  { afterIndex, limit }: { afterIndex: number; limit: number },
): Promise<PlannedRow[]> {
  const given = [job.id, job.accountId, job.urlSetHash, afterIndex, limit]
  const rows = await run(db, LIST_PLANNED, given)
  return rows.map(({ videoId, known, attemptedAt, ...row }) => {
    assert(videoId !== null, 'a planned row has its video')
    return { ...row, videoId, history: known === null ? null : toEntry({ ...known, attemptedAt }) }
  })
}

/**
 * Notes that this attempt begins to read about the video of a planned row, which is suspect `since` an attempt, or ends
 * it (`since` null). Returns false where another attempt holds the job, or it is no longer running.
 */
export async function setSuspect(
  db: Db,
  {
    jobId,
    attempt,
    index,
    since,
  }: { jobId: string; attempt: number; index: number; since: number | null },
): Promise<boolean> {
  return query`
    update video_row r set suspect_attempt = ${since}
    from job j where j.id = ${jobId} and j.attempt = ${attempt} and j.state = 'running'
      and r.job_id = j.id and r.index = ${index} and r.status is null
    returning r.index
  `.anyRow(db)
}

/** Returns the rows that the lost attempt was reading, by index, and clears them. The caller has locked the job. */
export async function takeSuspects(tx: Tx, jobId: string): Promise<Suspect[]> {
  const suspects = await query<{ index: number; since: number | null }>`
    with suspect as (
      select index, suspect_attempt as since from video_row
      where job_id = ${jobId} and status is null and suspect_attempt is not null
    )
    update video_row r set suspect_attempt = null
    from suspect s where r.job_id = ${jobId} and r.index = s.index
    returning s.index, s.since
  `.rows(tx)
  return suspects
    .flatMap(({ index, since }) => (since === null ? [] : [{ index, since }]))
    .toSorted((a, b) => a.index - b.index)
}

/** How many rows of the job were left out since attempts were lost over them: no other row fails as a suspect. */
export async function countLeftOut(db: Db, jobId: string): Promise<number> {
  return query<{ rows: number }>`
    select count(*)::int as rows from video_row
    where job_id = ${jobId} and status = 'failed' and suspect_attempt is not null
  `.value(db)
}

/** How many rows of the job are planned and not recorded yet. */
export async function countOpen(db: Db, jobId: string): Promise<number> {
  return query<{ rows: number }>`
    select count(*)::int as rows from video_row where job_id = ${jobId} and status is null
  `.value(db)
}

/** A filter of finished rows: one of these statuses, and a title that contains this text; null matches any. */
export type RowFilter = { statuses: readonly RowStatus[] | null; title: string | null }

type RowsInput = {
  jobId: string
  isFinal: boolean
  /** Rows that finished after this many are left out: they belong to the next page. */
  processed: number
  offset: number
  limit: number
}

/**
 * A page of finished rows. While the job runs they are in order of completion, which is numbered without gaps, so that
 * pages neither skip nor repeat rows; once it is final they are in order of `index`.
 */
export async function listFinished(db: Db, page: RowsInput): Promise<FinishedRow[]> {
  const { rows } = page.isFinal
    ? await sql<FinishedRow>`
        select ${CONTENT} from video_row where job_id = ${page.jobId} and status is not null
        order by index limit ${page.limit} offset ${page.offset}`.execute(db)
    : await sql<FinishedRow>`
        select ${CONTENT} from video_row
        where job_id = ${page.jobId} and done > ${page.offset}::bigint and done <= ${page.processed}
        order by done limit ${page.limit}`.execute(db)
  return rows
}

/**
 * Returns a page of the finished rows that match, in the order of `listFinished`, and how many match; offsets count
 * matching rows.
 */
export async function listMatching(
  db: Db,
  page: RowsInput,
  { statuses, title }: RowFilter,
): Promise<{ total: number; rows: FinishedRow[] }> {
  const rows = await query<
    { total: number; done: number | null } & (FinishedRow | { index: null })
  >`
    with matching as (
      select ${CONTENT}, done from video_row
      where job_id = ${page.jobId} and done <= ${page.processed}
        and (${statuses}::text[] is null or status = any(${statuses}::text[]))
        and (${title}::text is null or strpos(lower(title), lower(${title}::text)) > 0)
    )
    select n.total, m.* from (select count(*)::int as total from matching) n
    left join lateral (
      select * from matching order by ${sql.ref(page.isFinal ? 'index' : 'done')}
      limit ${page.limit} offset ${page.offset}
    ) m on true
    order by ${sql.ref(page.isFinal ? 'm.index' : 'm.done')}
  `.rows(db)
  const found = rows.flatMap(({ total: _total, done: _done, ...row }) =>
    row.index === null ? [] : [row],
  )
  return { total: rows[0]?.total ?? 0, rows: found }
}

const COUNT_DELIVERED = statement<{ delivered: number }>(
  'count-delivered',
  `select count(*)::int as delivered from video_row where job_id = $1 and status = 'success'`,
)

export async function countDelivered(tx: Tx, jobId: string): Promise<number> {
  const [row] = await run(tx, COUNT_DELIVERED, [jobId])
  return row?.delivered ?? 0
}

/** How many of the last jobs are looked through for a video that was delivered. */
const LAST_JOBS_MAX = 1_000

/**
 * Returns a video outside of `not` that one of the last jobs delivered, of another account's where there is one; null
 * where they delivered none.
 */
export async function findDelivered(
  db: Db,
  { not, accountId }: { not: readonly string[]; accountId: string },
): Promise<{ videoId: string; accountId: string } | null> {
  const found = await query<{ videoId: string | null; accountId: string }>`
    select r.video_id as "videoId", j.account_id as "accountId"
    from (
      select id, account_id, finished_at, success from job where finished_at is not null
      order by finished_at desc limit ${LAST_JOBS_MAX}
    ) j
    cross join lateral (
      select video_id from video_row
      where job_id = j.id and status = 'success' and video_id <> all(${[...not]}) limit 1
    ) r
    where j.success > 0 order by j.account_id = ${accountId}, j.finished_at desc limit 1
  `.firstRow(db)
  return found === null || found.videoId === null ? null : { ...found, videoId: found.videoId }
}
