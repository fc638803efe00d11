/**
 * A transcript: the words of one caption track of one video, as timed segments.
 *
 * Segments are sorted by start, in whole milliseconds, each with `endMs > startMs` and one line of
 * non-blank text. Automatic captions never overlap; the creator's own keep their times as published.
 */

import { type Between, joinedText } from '../../kit/text/joined-text.ts'

/** The usual choice first. */
export const TRACK_KINDS = ['manual', 'asr'] as const

/** `manual` is made by the creator, `asr` by the platform's speech recognition. */
export type TrackKind = (typeof TRACK_KINDS)[number]

/** Times count from the video's start, in milliseconds. */
export type Segment = {
  startMs: number
  endMs: number
  text: string
  /** When each word is said, as the platform published it; absent where it did not. Joined, they are the text. */
  words?: readonly TimedWord[]
}

/** A word of a segment: the next `chars` UTF-16 units of its text, the blank before it included. */
export type TimedWord = {
  chars: number
  /** When it begins, in whole milliseconds from the segment's start; never before the word that precedes it. */
  offsetMs: number
  /** How sure the speech recognition is, 0 to 255; null where it does not say. */
  confidence: number | null
}

/** The platform's caption formats that are read (timedtext.ts). */
export type CaptionFormat = 'json3' | 'srv3' | 'srv1'

/** The document from which a transcript was read, as it was after any Content-Encoding. */
export type CaptionDocument = { format: CaptionFormat; sizeBytes: number; sha256: string }

/** Where a transcript came from; `lastModified` and `etag` are the headers of the reply, null where it had none. */
export type CaptionSource = CaptionDocument & {
  /** The name of the client profile with which it was asked for. */
  client: string
  lastModified: string | null
  etag: string | null
}

/** A transcript without its segments. */
export type TranscriptHead = {
  /** The platform's code of the delivered track, as it spells it (`en`, `pt-BR`, `zh-Hant`). */
  languageCode: string
  trackKind: TrackKind
  /** Null where it is not known. */
  source: CaptionSource | null
}

/** It has at least one segment: a transcript without words is an obstacle, never a delivery. */
export type Transcript = TranscriptHead & { segments: Segment[] }

/** Returns the wire's `text`: the segments' words in order, joined as their script is written or as `between` says. */
export function textOf(segments: readonly Segment[], between?: Between): string {
  return joinedText(
    segments.map(({ text }) => text),
    between,
  )
}

/** Returns the number of words, as white space parts them. */
export function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}
