/**
 * A trial: a visitor's preview, which has no account and shows the first minutes of one video. It costs nobody
 * anything. For a day it is the answer for every visitor who asks for its video.
 */
import { type Paragraph, paragraphsOf } from '../transcripts/readable-text.ts'
import { oneLine } from '../transcripts/one-line.ts'
import { type Segment, textOf, type TrackKind, wordsIn } from '../transcripts/transcript.ts'

/** How long a trial is kept, and counts, in seconds. */
export const TRIAL_KEPT_SECONDS = 86_400
/** For how long, in seconds, a finding is the answer for others: a stream ends, and an obstacle may go soon. */
export const TRIAL_GOOD_SECONDS: Record<TrialFinding['kind'], number> = {
  read: TRIAL_KEPT_SECONDS,
  refused: 3_600,
  obstructed: 300,
}
/** Bounds of what is shown: words of the first minutes, and no more than a page of them. */
const TRIAL_SHOWN_MS = 180_000
const TRIAL_SHOWN_CHARS = 6_000

/** The account of all trials where accounts share work: visitors wait as one customer. No account has this id. */
export const VISITORS = 'visitors'

export type TrialFinding =
  | (Beginning & {
      kind: 'read'
      title: string | null
      channelName: string | null
      languageCode: string
      trackKind: TrackKind
    })
  /** The platform's final no, in the words of a row. */
  | { kind: 'refused'; title: string | null; label: string; sentence: string }
  | { kind: 'obstructed'; sentence: string }

export const LATE_TRIAL: TrialFinding = {
  kind: 'obstructed',
  sentence:
    'It could not be read in time: customers’ jobs go first, or the platform is slow. Try again in a few minutes.',
}

/** The part of a transcript that a trial shows. */
export type Beginning = {
  paragraphs: Paragraph[]
  /** Number of words shown, and of words that the video has. */
  shownWords: number
  words: number
  endMs: number
}

/** Returns the first minutes, counted from the first word: an intro without words would leave nothing of them. */
export function beginningOf(segments: readonly Segment[]): Beginning {
  const untilMs = (segments[0]?.startMs ?? 0) + TRIAL_SHOWN_MS
  const shown: Segment[] = []
  let characters = 0
  for (const segment of segments) {
    characters += segment.text.length
    if (shown.length > 0 && (segment.startMs >= untilMs || characters > TRIAL_SHOWN_CHARS)) break
    shown.push({ ...segment, text: oneLine(segment.text.slice(0, TRIAL_SHOWN_CHARS)) })
  }
  return {
    paragraphs: paragraphsOf(shown),
    shownWords: wordsIn(textOf(shown)),
    words: wordsIn(textOf(segments)),
    endMs: segments.at(-1)?.endMs ?? 0,
  }
}
