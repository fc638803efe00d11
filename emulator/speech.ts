/**
 * Speech whose words are as frequent and as long as in real captions, so that what is parsed, compressed and stored has
 * real sizes. The six phrases a slot of sentences.ts compress to about a quarter of that.
 */
import { lexiconOf, type Lexicon } from './lexicon.ts'
import { mix, type Random, randomOf } from './random.ts'
import type { Sentence } from './sentences.ts'

/** A function that returns the next sentence; null when everything is said. */
export type Speaker = () => Sentence | null

/** How many different words a language has here; the rarest comes once in some twenty videos. */
const WORDS = 9_000
/** The shift in Zipf's law, which flattens its top as in real speech. */
const ZIPF_SHIFT = 2.7
/** How many words of its own a talk returns to, and the share of all words that they make. */
const TOPIC_WORDS = 40
const TOPIC_SHARE = 0.09
/** How often a word is followed by its usual companion: "you know", "going to". */
const HABIT_SHARE = 0.22
const SENTENCE_WORDS = { low: 6, high: 13 }
/** The words of a sentence in Chinese and Japanese, which has fewer of them, each of one or two characters. */
const UNSPACED_WORDS = { low: 5, high: 10 }

type Spoken = { words: readonly string[]; sums: readonly number[] }
const spoken = new Map<Lexicon, Spoken>()

/** Returns the speaker of one talk; `random` decides its topic and its words. */
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

/** Returns the rank of the word at this share of all that is said. */
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
