/**
 * Passages: a transcript in pieces of about the same length, for programs that search by meaning.
 *
 *     {"id":"dQw4w9WgXcQ-120000","text":"…","metadata":{"source":"https://…","title":…,"start_seconds":120,…}}
 *
 * A passage ends with the segment in which its time is over, and where a chapter begins.
 */
import assert from 'node:assert/strict'
import { escapedJson } from '../../kit/text/controls.ts'
import { joinedText } from '../../kit/text/joined-text.ts'
import {
  type Chapter,
  chapterAt,
  type FiledVideo,
  type ShownDetails,
} from '../library/video-details.ts'
import type { Segment } from '../transcripts/transcript.ts'

/** `end` is the index of the segment behind the passage. */
type Passage = { startMs: number; endMs: number; text: string; chapter: string | null; end: number }

/** A video as exports tell of it; null where a fact is not known. */
export type ExportedVideo = FiledVideo &
  ShownDetails & { videoId: string; chapters: readonly Chapter[] }

type PassagesAsk = {
  video: ExportedVideo
  /** The greatest length of a passage, in milliseconds. */
  lengthMs: number
  /** The index of the first passage's first segment: 0, or a `next`. */
  from: number
  charsMax: number
}

/**
 * Returns passages as lines of JSON, as many as begin within `charsMax` characters, and the `from` of the passages
 * after them, or null. All passages together hold all the segments' words.
 */
export function passagesFrom(
  segments: readonly Segment[],
  { video, lengthMs, from, charsMax }: PassagesAsk,
): { text: string; next: number | null } {
  let text = ''
  let next = from
  while (next < segments.length && text.length < charsMax) {
    const passage = passageAt(segments, next, { chapters: video.chapters, lengthMs })
    text += `${passageJson(video, passage)}\n`
    next = passage.end
  }
  return { text, next: next < segments.length ? next : null }
}

function passageAt(
  segments: readonly Segment[],
  from: number,
  { chapters, lengthMs }: { chapters: readonly Chapter[]; lengthMs: number },
): Passage {
  const first = segments[from]
  assert(first !== undefined, 'a passage begins at a segment')
  const { startMs } = first
  const titleAt = (ms: number): string | null => chapterAt(chapters, ms)?.title ?? null
  const chapter = titleAt(startMs)
  const texts = [first.text]
  let { endMs } = first
  let end = from + 1
  for (let segment = segments[end]; segment !== undefined; segment = segments[(end += 1)]) {
    if (segment.startMs >= startMs + lengthMs || titleAt(segment.startMs) !== chapter) break
    texts.push(segment.text)
    endMs = Math.max(endMs, segment.endMs)
  }
  return { startMs, endMs, text: joinedText(texts), chapter, end }
}

function passageJson(
  { videoId, title, url, channelName, publishedAt, languageCode }: ExportedVideo,
  { startMs, endMs, text, chapter }: Passage,
): string {
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
  return escapedJson(JSON.stringify({ id: `${videoId}-${startMs}`, text, metadata }))
}
