/**
 * What the search index reads about an account's jobs and delivered rows: how much there is, what is new, and what a
 * hit shows.
 */
import type pg from 'pg'
import { VIDEO_URL } from '../model/jobs/video-row.ts'
import type { RowKey } from '../model/library/row-key.ts'
import type { IndexedRow } from '../model/search/packed-row.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import { named } from './transcripts.ts'

/**
 * `fingerprint` changes with every delivery and deletion: before its colon stands the account's last change of jobs
 * that ended, behind it what those that are open have, and behind its stroke how many texts were deleted.
 */
export type OwnedTranscripts = { owned: number; fingerprint: string }

/** SQL for how many of a job's delivered texts are kept. */
const KEPT = `case when texts_deleted_at is null then success - deleted_texts else 0 end`
/** SQL for an account's open jobs that have texts; jobs that no worker had yet have none. */
const OPEN = `account_id = $1 and state in ('queued', 'running', 'cancelling') and attempt > 0 and success > 0`

/** Returns whether the texts behind both fingerprints lack the same ones; an index without one is being made. */
export function lackTheSame(indexed: string, owned: string): boolean {
  return indexed === '' || indexed.split('/')[1] === owned.split('/')[1]
}

/** Returns the place before the first change that a fingerprint lacks; before all of them, where it names none. */
export function placeAfter(fingerprint: string): ChangePlace {
  const [change = '', open] = fingerprint.split(':')
  return { change: open === undefined ? -1 : Number(change) + 1, jobId: '' }
}

const READ_OWNED = statement<OwnedTranscripts>(
  'read-owned-transcripts',
  `select a.texts + o.kept as owned, a.texts_change || ':' || o.hash || '/' || a.lost_texts as fingerprint
  from account a, (select coalesce(sum(success), 0)::int as kept,
    coalesce(sum(hashtextextended(id, success)), 0)::text as hash from job where ${OPEN}) o
  where a.id = $1`,
)

/** Counts of the account (migration 0092-large-accounts.sql), and what its open jobs have. */
export async function readOwned(pool: pg.Pool, accountId: string): Promise<OwnedTranscripts> {
  const [found] = await run(pool, READ_OWNED, [accountId])
  return found ?? { owned: 0, fingerprint: '0:0/0' }
}

/**
 * A job that delivered texts: `processed` rows are finished, and those are numbered without gaps; `success` of them
 * have a text that is kept.
 */
export type DeliveringJob = { id: string; processed: number; success: number }

const LIST_OPEN_DELIVERING = statement<DeliveringJob>(
  'list-open-delivering',
  `select id, processed, success from job where ${OPEN}`,
)

/** Returns the account's open jobs that have texts. Those that end meanwhile are found by their change. */
export function listOpenDelivering(pool: pg.Pool, accountId: string): Promise<DeliveringJob[]> {
  return run(pool, LIST_OPEN_DELIVERING, [accountId])
}

/** A place among the changes of an account's jobs that ended: jobs of one number are in the order of their ids. */
type ChangePlace = { change: number; jobId: string }

/** A page of such jobs, also those that have no text any more; `textJobs`: how many at that moment had any. */
type ChangedJobs = { textJobs: number; jobs: (DeliveringJob & { change: number })[] }

const READ_CHANGED_JOBS = statement<ChangedJobs>(
  'read-changed-jobs',
  `select text_jobs as "textJobs", (select coalesce(json_agg(j), '[]') from (
      select id, processed, ${KEPT} as success, texts_change as change from job
      where account_id = $1 and finished_at is not null and success > 0 and (texts_change, id) > ($2::bigint, $3)
      order by texts_change, id limit $4) j) as jobs
  from account where id = $1`,
)

/** Returns the account's jobs that ended or lost texts after a place, in the order of these changes. */
export async function readChangedJobs(
  pool: pg.Pool,
  { accountId, after, limit }: { accountId: string; after: ChangePlace; limit: number },
): Promise<ChangedJobs> {
  const [found] = await run(pool, READ_CHANGED_JOBS, [accountId, after.change, after.jobId, limit])
  return found ?? { textJobs: 0, jobs: [] }
}

const LIST_ROWS_TO_INDEX = statement<IndexedRow>(
  'list-rows-to-index',
  `select r.index, coalesce(r.done, 0) as done, coalesce(r.video_id, '') as "videoId", r.channel_name as "channelName",
    d.channel_id as "channelId", r.published_at as "publishedAt", coalesce(r.language_code, '') as "languageCode", t.text_hash as "textHash",
    b.body as stored
  from video_row r
  left join transcript t on t.job_id = r.job_id and t.index = r.index
  left join transcript_body b on b.job_id = r.job_id and b.index = r.index
  left join video_details d on d.video_id = r.video_id
  where r.job_id = $1 and r.done > $2 and r.done <= $3 and r.status = 'success' and r.text_deleted_at is null
  order by r.done limit $4`,
)

/** The rows with texts whose number of completion (`done`) is above `after` and at most `upTo`, in that order. */
export function listRowsToIndex(
  pool: pg.Pool,
  { jobId, after, upTo, limit }: { jobId: string; after: number; upTo: number; limit: number },
): Promise<IndexedRow[]> {
  return run(pool, LIST_ROWS_TO_INDEX, [jobId, after, upTo, limit])
}

/** A delivered row without its text. */
export type MentionedVideo = RowKey & {
  videoId: string
  title: string | null
  channelName: string | null
}

/** A delivered row as a hit shows it. */
export type HitVideo = MentionedVideo & {
  url: string
  /** Null where the platform was not asked since channel ids are kept. */
  channelId: string | null
  publishedAt: string | null
  languageCode: string
}

/** A hit with its segments as they are stored. */
export type HitRow = HitVideo & { stored: Buffer }

const FIND_HIT_ROWS = statement<HitRow>(
  'find-hit-rows',
  `select m.job_id as "jobId", m.index, coalesce(m.video_id, '') as "videoId", m.title, '${VIDEO_URL}' || m.video_id as url,
    m.channel_name as "channelName", d.channel_id as "channelId", m.published_at as "publishedAt", coalesce(m.language_code, '') as "languageCode",
    b.body as stored
  from ${named('video_row', 2)}
  join lateral (select body from transcript_body where job_id = m.job_id and index = m.index offset 0) b on true
  join job j on j.id = m.job_id and j.account_id = $1
  left join video_details d on d.video_id = m.video_id
  where m.status = 'success'`,
)

/** Returns, in no order, the wanted rows whose text the account still has. */
export function findHitRows(
  pool: pg.Pool,
  accountId: string,
  wanted: readonly RowKey[],
): Promise<HitRow[]> {
  const [jobIds, indexes] = [wanted.map(({ jobId }) => jobId), wanted.map(({ index }) => index)]
  return run(pool, FIND_HIT_ROWS, [accountId, jobIds, indexes])
}

const FIND_MENTIONED_VIDEOS = statement<MentionedVideo>(
  'find-mentioned-videos',
  `select m.job_id as "jobId", m.index, coalesce(m.video_id, '') as "videoId", m.title, m.channel_name as "channelName"
  from ${named('video_row', 2)}
  join job j on j.id = m.job_id and j.account_id = $1
  where m.status = 'success' and m.text_deleted_at is null`,
)

/** Returns, in no order, the wanted rows of the account that have a text. */
export function findMentionedVideos(
  pool: pg.Pool,
  accountId: string,
  wanted: readonly RowKey[],
): Promise<MentionedVideo[]> {
  const [jobIds, indexes] = [wanted.map(({ jobId }) => jobId), wanted.map(({ index }) => index)]
  return run(pool, FIND_MENTIONED_VIDEOS, [accountId, jobIds, indexes])
}

const FIND_CHANNEL_IDS = statement<{ channelName: string; channelId: string }>(
  'find-channel-ids',
  `select coalesce(title, '') as "channelName", coalesce(min(id), '') as "channelId" from collection
  where account_id = $1 and kind = 'channel' and title = any($2::text[])
  group by title having count(*) = 1`,
)

/** Returns the platform's ids of the account's channels by name; a name that several channels share is missing. */
export async function findChannelIds(
  pool: pg.Pool,
  accountId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await run(pool, FIND_CHANNEL_IDS, [accountId, names])
  return new Map(rows.map(({ channelName, channelId }) => [channelName, channelId]))
}

const LIST_LACKING = statement<{ id: string; fingerprint: string }>(
  'list-lacking',
  `select id, '/' || lost_texts as fingerprint from account where id = any($1::text[]) and lost_texts > 0`,
)

/** Returns those of the accounts that lack texts which were delivered, with the end of their fingerprints. */
export function listLacking(
  pool: pg.Pool,
  accountIds: readonly string[],
): Promise<{ id: string; fingerprint: string }[]> {
  return run(pool, LIST_LACKING, [accountIds])
}

const LIST_DELETED_ACCOUNTS = statement<{ id: string }>(
  'list-deleted-accounts',
  `select id from account where id = any($1::text[]) and deleted_at is not null`,
)

/** Returns those of the given accounts that were deleted. */
export async function listDeletedAccounts(
  pool: pg.Pool,
  accountIds: readonly string[],
): Promise<string[]> {
  return (await run(pool, LIST_DELETED_ACCOUNTS, [accountIds])).map(({ id }) => id)
}
