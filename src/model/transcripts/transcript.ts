/**
 * A transcript: the words of one caption track of one video, as timed segments.
 *
 * Segments are sorted by start, in whole milliseconds, each with `endMs > startMs` and one line of
 * non-blank text. Automatic captions never overlap; the creator's own keep their times as published.
 */

import { type Between, joinedText } from '../../kit/text/joined-text.ts'

export const TRACK_KINDS = ['manual', 'asr'] as const

/** `manual` is made by the creator, `asr` by the platform's speech recognition. */
export type TrackKind = (typeof TRACK_KINDS)[number]

/** Times count from the video's start, in milliseconds. */
export type Segment = { startMs: number; endMs: number; text: string }

export type Transcript = {
  /** The platform's code of the delivered track, as it spells it (`en`, `pt-BR`, `zh-Hant`). */
  languageCode: string
  trackKind: TrackKind
  /** At least one; a transcript without words is an obstacle, never a delivery. */
  segments: Segment[]
}

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
