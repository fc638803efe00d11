/**
 * A table that 4CAT takes in as "Custom/other": its five required columns under its own names, in its own form of time,
 * and behind them what else is known (github.com/digitalmethodsinitiative/4cat, datasources/upload, read in 2026).
 */
import { csvLine, exactCell } from '../../kit/text/csv.ts'
import { joinedText } from '../../kit/text/joined-text.ts'
import { publishDay } from '../platform/publish-day.ts'
import { oneLine } from '../transcripts/one-line.ts'
import type { Segment } from '../transcripts/transcript.ts'
import type { ExportedVideo } from './passages.ts'

const COLUMNS = [
  'id',
  'thread_id',
  'author',
  'timestamp',
  'body',
  'subject',
  'url',
  'language',
  'captions',
  'duration_seconds',
  'tags',
  'published_day',
] as const

export const FOUR_CAT_HEAD = csvLine(COLUMNS)

/** Returns the line of a video, with all that is said in it; a thread is its channel. */
export function fourCatLine(video: ExportedVideo, segments: readonly Segment[]): string {
  const { videoId, channelId, durationSeconds } = video
  const words = joinedText(segments.map((segment) => segment.text))
  const tags = (video.keywords ?? []).map((tag) => oneLine(tag).replaceAll(',', ' ')).join(',')
  return csvLine([
    exactCell(videoId),
    exactCell(channelId ?? videoId),
    ...[video.channelName, utcTime(video.publishedAt), words, video.title, video.url].map(cellOf),
    cellOf(video.languageCode),
    captionsWord(video),
    String(durationSeconds ?? ''),
    tags,
    publishDay(video.publishedAt) ?? '',
  ])
}

function cellOf(text: string | null): string {
  return oneLine(text ?? '')
}

/** Returns who wrote the captions, as exports name it. */
export function captionsWord({ trackKind }: ExportedVideo): string {
  return trackKind === 'asr' ? 'automatic' : 'creator'
}

/**
 * Returns `2025-10-25 08:00:00` in UTC, as 4CAT reads it, so that it may name another day; null where the instant is
 * not known.
 */
function utcTime(publishedAt: string | null): string | null {
  const at = new Date(publishedAt ?? '')
  if (Number.isNaN(at.getTime())) return null
  return at.toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' ')
}
