/**
 * Passages: a transcript in pieces of about the same length, for programs that search by meaning.
 *
 *     {"id":"dQw4w9WgXcQ-120000","text":"…","metadata":{"source":"https://…","title":…,"start_seconds":120,…}}
 *
 * A passage ends with the segment in which its time is over, and where a chapter begins.
 */
import type { FiledVideo } from '../transcripts/job-rows.ts'
import type { Segment } from '../transcripts/transcript.ts'
import { type Chapter, chapterAt } from './video-details.ts'

type Passage = { startMs: number; endMs: number; text: string; chapter: string | null }

/** What an export says of a video; null where it is not known. */
export type ExportedVideo = FiledVideo & { videoId: string; chapters: readonly Chapter[] }

/** Returns the passages in order; together they hold all the segments' words. */
function passagesOf(
  segments: readonly Segment[],
  chapters: readonly Chapter[],
  lengthMs: number,
): Passage[] {
  const passages: Passage[] = []
  let open: Passage | null = null
  for (const { startMs, endMs, text } of segments) {
    const chapter = chapterAt(chapters, startMs)?.title ?? null
    const goesOn: boolean =
      open !== null && startMs < open.startMs + lengthMs && chapter === open.chapter
    if (open !== null && goesOn) {
      open.text += ` ${text}`
      open.endMs = Math.max(open.endMs, endMs)
    } else {
      open = { startMs, endMs, text, chapter }
      passages.push(open)
    }
  }
  return passages
}

/** Returns the passages of a video as lines of JSON. */
export function passageLines(
  video: ExportedVideo,
  segments: readonly Segment[],
  lengthMs: number,
): string {
  const { videoId, title, url, channelName, publishedAt, languageCode, chapters } = video
  const lines = passagesOf(segments, chapters, lengthMs).map(
    ({ startMs, endMs, text, chapter }) => {
      const metadata = {
        source: url,
        title,
        channel: channelName,
        publishedAt,
        language: languageCode,
        start_seconds: startMs / 1000,
        end_seconds: endMs / 1000,
        chapter,
      }
      return JSON.stringify({ id: `${videoId}-${startMs}`, text, metadata })
    },
  )
  return lines.map((line) => `${line.replace(LINE_ENDS, escapeUnit)}\n`).join('')
}

/** Characters that JSON may hold as they are, though some readers end a line there. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g

/** Returns the UTF-16 unit as JSON and YAML escape it. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
