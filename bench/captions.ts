/** Captions made up from a seed, with the sizes and the repetitiveness of spoken language. */
import type { Segment, Transcript } from '../src/transcripts/transcript.ts'

/** A repeatable source of numbers below `bound`. */
export type Dice = (bound: number) => number

export function dice(seed: number): Dice {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

const SYLLABLES =
  'a be ca do en fi go he in ja ko la me no on pa qui re so ta un ve wi xo yes za'.split(' ')

/** About ten minutes of speech by default: 250 segments of seven words. */
export function madeUpTranscript(roll: Dice, segmentCount = 250): Transcript {
  const words = Array.from({ length: 1_500 }, () => wordOf(roll))
  const segments: Segment[] = []
  let startMs = 0
  for (let count = 0; count < segmentCount; count++) {
    // The square favours the first words: a few are common, most are rare, as in any language.
    const line = Array.from({ length: 7 }, () => words[Math.floor(roll(1_500) ** 2 / 1_500)])
    const endMs = startMs + 1_200 + roll(2_400)
    segments.push({ startMs, endMs, text: line.join(' ') + (roll(3) === 0 ? '.' : '') })
    startMs = endMs + (roll(8) === 0 ? roll(3_000) : 0)
  }
  return { languageCode: 'en', trackKind: 'asr', segments }
}

function wordOf(roll: Dice): string {
  return Array.from({ length: 1 + roll(3) }, () => SYLLABLES[roll(SYLLABLES.length)]).join('')
}
