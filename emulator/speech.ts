/**
 * Speech whose words are as frequent and as long as in real captions, so that what is parsed, packed and
 * stored has real sizes: sentences.ts has six phrases a slot, which pack to half of that.
 */
import { lexiconOf, type Lexicon } from './lexicon.ts'
import { mix, type Random, randomOf } from './random.ts'
import type { Sentence } from './sentences.ts'

/** Says the next sentence. */
export type Speaker = () => Sentence

/** Different words a language has here; the rarest is said once in some twenty videos. */
const WORDS = 9_000
/** Zipf's law, flattened at its top as speech is. */
const ZIPF_SHIFT = 2.7
/** Words of its own that a talk comes back to, and how often it does. */
const TOPIC_WORDS = 40
const TOPIC_SHARE = 0.09
/** How often a word brings the one along that mostly follows it: "you know", "going to". */
const HABIT_SHARE = 0.22
const SENTENCE_WORDS = { low: 6, high: 13 }
/** What Chinese and Japanese say in one sentence is shorter in words, each of one or two characters. */
const UNSPACED_WORDS = { low: 5, high: 10 }

type Spoken = { words: readonly string[]; sums: readonly number[] }
const spoken = new Map<Lexicon, Spoken>()

/** One talk: `random` decides what it is about and what is said. */
export function speakerOf(languageCode: string, random: Random): Speaker {
  const lexicon = lexiconOf(languageCode)
  const said = spokenOf(lexicon)
  const length = lexicon.space === '' ? UNSPACED_WORDS : SENTENCE_WORDS
  const topic = Array.from({ length: TOPIC_WORDS }, () => {
    return random.between(lexicon.common.length, said.words.length - 1)
  })
  let last = 0
  const next = (): number => {
    const draw = random.fraction()
    if (draw < HABIT_SHARE) return mix(last, 5) % lexicon.common.length
    return draw < HABIT_SHARE + TOPIC_SHARE ? random.pick(topic) : rankOf(said, random.fraction())
  }
  return () => {
    const count = random.between(length.low, length.high)
    const words = Array.from({ length: count }, () => said.words[(last = next())] ?? '')
    return { words, space: lexicon.space, stop: lexicon.stop }
  }
}

function spokenOf(lexicon: Lexicon): Spoken {
  const known = spoken.get(lexicon)
  if (known !== undefined) return known
  const words = [...lexicon.common, ...rarerWords(lexicon)]
  let sum = 0
  const sums = words.map((_, rank) => (sum += 1 / (rank + ZIPF_SHIFT)))
  const made = { words, sums }
  spoken.set(lexicon, made)
  return made
}

function rarerWords({ common, stems, endings }: Lexicon): string[] {
  const random = randomOf(stems.length)
  const second = endings.length === 0 ? stems : endings
  return Array.from(
    { length: WORDS - common.length },
    () => random.pick(stems) + random.pick(second),
  )
}

/** The word at this share of all that is said. */
function rankOf({ sums }: Spoken, share: number): number {
  const wanted = share * (sums.at(-1) ?? 0)
  let [first, last] = [0, sums.length - 1]
  while (first < last) {
    const middle = (first + last) >> 1
    if ((sums[middle] ?? 0) < wanted) first = middle + 1
    else last = middle
  }
  return first
}
