/** The table `history`: what an account already got, or was told, of each video behind a URL set. */
import type { HistoryEntry } from '../jobs/history.ts'
import type { Db } from '../postgres/database.ts'

/** An entry with what the last job's row told of the video; null where it told nothing. */
export type KnownVideo = {
  entry: HistoryEntry
  title: string | null
  channelName: string | null
  publishedAt: string | null
}

type Line = {
  videoId: string
  outcome: HistoryEntry['kind']
  tries: number
  jobId: string
  attemptedAt: Date
  publishedAt: string | null
  title: string | null
  channelName: string | null
}

/** What is known of these videos; ids of which nothing is known are missing. */
export async function readHistory(
  db: Db,
  ask: { accountId: string; urlSetHash: string; videoIds: string[] },
): Promise<Map<string, KnownVideo>> {
  if (ask.videoIds.length === 0) return new Map()
  const lines = await db
    .selectFrom('history as h')
    .leftJoin('video_row as r', (join) =>
      join.onRef('r.job_id', '=', 'h.job_id').onRef('r.video_id', '=', 'h.video_id'),
    )
    .select([
      'h.video_id as videoId',
      'h.outcome',
      'h.tries',
      'h.job_id as jobId',
      'h.attempted_at as attemptedAt',
      'h.published_at as publishedAt',
      'r.title',
      'r.channel_name as channelName',
    ])
    .where('h.account_id', '=', ask.accountId)
    .where('h.url_set_hash', '=', ask.urlSetHash)
    .where((eb) => eb('h.video_id', '=', eb.fn.any(eb.val(ask.videoIds))))
    .execute()
  return new Map(lines.map((line) => [line.videoId, toKnown(line)]))
}

function toKnown({
  outcome,
  tries,
  jobId,
  attemptedAt,
  publishedAt,
  title,
  channelName,
}: Line): KnownVideo {
  const facts = { title, channelName, publishedAt }
  if (outcome === 'delivered') return { entry: { kind: outcome, jobId }, ...facts }
  if (outcome === 'negative')
    return { entry: { kind: outcome, attemptedAt, publishedAt }, ...facts }
  return { entry: { kind: outcome, tries, attemptedAt, publishedAt }, ...facts }
}
