/** The table `history`: what an account already got, or was told, of each video behind a URL set. */
import { sql } from 'kysely'
import type { HistoryEntry } from '../model/jobs/history.ts'
import { run, statement } from '../kit/postgres/statement.ts'
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

const READ_HISTORY = statement<Line>(
  'read-history',
  `select h.video_id as "videoId", h.outcome, h.tries, h.job_id as "jobId", h.attempted_at as "attemptedAt",
    h.published_at as "publishedAt", r.title, r.channel_name as "channelName"
  from history h left join video_row r on r.job_id = h.job_id and r.video_id = h.video_id
  where h.account_id = $1 and h.url_set_hash = $2 and h.video_id = any($3)`,
)

/** What is known of these videos; ids of which nothing is known are missing. */
export async function readHistory(
  db: Db,
  ask: { accountId: string; urlSetHash: string; videoIds: string[] },
): Promise<Map<string, KnownVideo>> {
  if (ask.videoIds.length === 0) return new Map()
  const lines = await run(db, READ_HISTORY, [ask.accountId, ask.urlSetHash, ask.videoIds])
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
