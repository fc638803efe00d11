/** The table `history`: what an account already got, or was told, of each video behind a URL set. */
import { type RawBuilder, sql } from 'kysely'
import type { HistoryEntry } from '../model/jobs/history.ts'
import { prepared } from '../kit/postgres/database.ts'
import type { Db } from './database.ts'

/** An entry with what the last job's row told of the video; null where it told nothing. */
export type KnownVideo = {
  entry: HistoryEntry
  title: string | null
  channelName: string | null
  publishedAt: string | null
}

/** Those that make an entry. */
export type EntryColumns = {
  outcome: HistoryEntry['kind']
  tries: number
  jobId: string
  attemptedAt: Date
  publishedAt: string | null
}

type Line = EntryColumns & {
  videoId: string
  title: string | null
  channelName: string | null
}

/** What is known of these videos; ids of which nothing is known are missing. */
export async function readHistory(
  db: Db,
  ask: { accountId: string; urlSetHash: string; videoIds: string[] },
): Promise<Map<string, KnownVideo>> {
  if (ask.videoIds.length === 0) return new Map()
  const { rows: lines } = await sql<Line>`${prepared('read-history')}
    select h.video_id as "videoId", h.outcome, h.tries, h.job_id as "jobId", h.attempted_at as "attemptedAt",
      h.published_at as "publishedAt", r.title, r.channel_name as "channelName"
    from history h left join video_row r on r.job_id = h.job_id and r.video_id = h.video_id
    where h.account_id = ${ask.accountId} and h.url_set_hash = ${ask.urlSetHash}
      and h.video_id = any(${ask.videoIds})
  `.execute(db)
  return new Map(lines.map((line) => [line.videoId, toKnown(line)]))
}

function toKnown({ title, channelName, ...line }: Line): KnownVideo {
  return { entry: toEntry(line), title, channelName, publishedAt: line.publishedAt }
}

/** An entry out of its columns. */
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

/** A part of beginning a job: whether anything is known of a video of the URL set of `begun`. */
export function isSetKnown(): RawBuilder<unknown> {
  return sql`exists (select from history h where h.account_id = begun.account_id and h.url_set_hash = begun.url_set_hash)`
}

/** How many videos an account got, or was refused for good, under a URL set. */
export async function countKnown(
  db: Db,
  { accountId, urlSetHash }: { accountId: string; urlSetHash: string },
): Promise<number> {
  const { rows } = await sql<{ known: number }>`
    select count(*)::int as known from history
    where account_id = ${accountId} and url_set_hash = ${urlSetHash} and outcome in ('delivered', 'negative')
  `.execute(db)
  return rows[0]?.known ?? 0
}

/** A part of recording rows: what the account knows of the videos in `ready` from now on. */
export function upsertHistory(jobId: string): RawBuilder<unknown> {
  return sql`, known as (
      insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at, published_at)
      select account_id, url_set_hash, video_id, outcome, tries, ${jobId}, now(), known_published_at
      from held, ready where outcome is not null order by video_id
      on conflict (account_id, url_set_hash, video_id) do update
      set outcome = excluded.outcome, tries = excluded.tries, job_id = excluded.job_id,
        attempted_at = excluded.attempted_at, published_at = excluded.published_at
      where history.outcome <> 'delivered'
    )`
}
