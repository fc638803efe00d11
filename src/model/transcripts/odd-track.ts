/** Oddities of a creator's track of which a customer is told: its words were published, but hardly as captions. */
import type { TrackKind } from './transcript.ts'

/** The words of a row's label for each: all is one cue, most is in cues too long to say when, or viewers wrote it. */
export const ODDITIES = {
  one_cue: "the creator's captions are one single cue, whose time says nothing",
  long_cues: "most of the creator's captions is in very long cues, whose times say little",
  chat: "the creator's track is named a chat, and may not be what is said",
}
export type TrackOddity = keyof typeof ODDITIES

/**
 * Least length of a cue, in UTF-16 units, that tells no time: most of a minute of English, more of what has no blanks.
 * Times are no measure, since such cues come with any.
 */
const LONG_CUE_CHARS = 600
/** Names of tracks that hold a chat: "Twitch Chat", "Live chat replay", and a chat alone behind the language. */
const CHAT =
  /\b(?:twitch|live|stream|youtube)[ -]?chat\b|\bchat (?:replay|log|messages)\b|(?:^| - |\()chat\)?$/i

/** Returns the oddity of a track with these words; null where it has none. Automatic ones are made by one rule. */
export function oddityOf(
  { kind, name }: { kind: TrackKind; name: string | null },
  segments: readonly { text: string }[],
): TrackOddity | null {
  if (kind === 'asr') return null
  if (name !== null && CHAT.test(name)) return 'chat'
  const lengths = segments.map(({ text }) => text.length)
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  const long = lengths.filter((length) => length >= LONG_CUE_CHARS)
  if (sum(long) * 2 <= sum(lengths)) return null
  return lengths.length === 1 ? 'one_cue' : 'long_cues'
}
