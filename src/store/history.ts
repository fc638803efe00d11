/** The table `history`: for each video of a URL set, what an account already received or was told about it. */
import type { HistoryEntry } from '../model/jobs/history.ts'
import type { FailedStatus } from '../model/jobs/video-row.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import { type Db, query } from './database.ts'
import type { UrlSetKey } from './jobs.ts'

/** An entry with what the row of its job says about the video; null where that says nothing. */
export type KnownVideo = {
  entry: HistoryEntry
  title: string | null
  channelName: string | null
  publishedAt: string | null
}

export type PastOutcome = {
  outcome: HistoryEntry['kind']
  tries: number
  jobId: string
  publishedAt: string | null
}
/** The columns from which an entry is made. */
type EntryColumns = PastOutcome & { attemptedAt: Date }

const READ_HISTORY = statement<
  EntryColumns & { videoId: string; title: string | null; channelName: string | null }
>(
  'read-history',
  `select h.video_id as "videoId", h.outcome, h.tries, h.job_id as "jobId", h.attempted_at as "attemptedAt",
    h.published_at as "publishedAt", r.title, r.channel_name as "channelName"
  from history h left join video_row r on r.job_id = h.job_id and r.video_id = h.video_id
  where h.account_id = $1 and h.url_set_hash = $2 and h.video_id = any($3)`,
)

/** Returns what is known about these videos; ids about which nothing is known are missing. */
export async function readHistory(
  db: Db,
  ask: { accountId: string; urlSetHash: string; videoIds: string[] },
): Promise<Map<string, KnownVideo>> {
  if (ask.videoIds.length === 0) return new Map()
  const lines = await run(db, READ_HISTORY, [ask.accountId, ask.urlSetHash, ask.videoIds])
  return new Map(lines.map(({ videoId, ...line }) => [videoId, { ...line, entry: toEntry(line) }]))
}

/** Makes an entry from its columns. */
export function toEntry({
  outcome,
  tries,
  jobId,
  attemptedAt,
  publishedAt,
}: EntryColumns): HistoryEntry {
  if (outcome === 'delivered') return { kind: outcome, jobId }
  if (outcome === 'negative') return { kind: outcome, attemptedAt, publishedAt }
  return { kind: outcome, tries, attemptedAt, publishedAt }
}

/** How many videos of a URL set were delivered to the account, or refused for good. */
export async function countKnown(db: Db, { accountId, urlSetHash }: UrlSetKey): Promise<number> {
  return query<{ known: number }>`
    select count(*)::int as known from history
    where account_id = ${accountId} and url_set_hash = ${urlSetHash} and outcome in ('delivered', 'negative')
  `.value(db)
}

/** The last try of a video that brought no text, as its row says; a null title where that was not told. */
export type FailedTry = {
  status: FailedStatus
  label: string
  /** The language that its order wished. */
  language: string
  attemptedAt: Date
  title: string | null
  channelName: string | null
}

/** Each video is looked up by itself (`limit 1`): an account may have tried it under any number of URL sets. */
const READ_FAILED_TRIES = statement<FailedTry & { videoId: string }>(
  'read-failed-tries',
  `select v.video_id as "videoId", t.* from unnest($2::text[]) as v (video_id) cross join lateral (
    select coalesce(r.status, '') as status, coalesce(r.label, '') as label, o.language,
      h.attempted_at as "attemptedAt", r.title, r.channel_name as "channelName"
    from history h join job o on o.id = h.job_id join video_row r on r.job_id = h.job_id and r.video_id = h.video_id
    where h.account_id = $1 and h.video_id = v.video_id and h.outcome <> 'delivered' and r.status is not null
    order by h.attempted_at desc limit 1) t`,
)

/** Returns, by video, the account's last try that brought no text, whatever URL set it was of. */
export async function readFailedTries(
  db: Db,
  { accountId, videoIds }: { accountId: string; videoIds: string[] },
): Promise<Map<string, FailedTry>> {
  if (videoIds.length === 0) return new Map()
  const lines = await run(db, READ_FAILED_TRIES, [accountId, videoIds])
  return new Map(lines.map(({ videoId, ...line }) => [videoId, line]))
}
