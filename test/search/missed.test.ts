/** Search misses nothing that is said: the hits are compared with a plain search through the texts, by language. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foldWord, isUnspacedAt } from '../../src/model/search/tokens.ts'
import { addJob, askAll, testIndex, textRow } from './index-files.ts'
import { SPEECH_LANGUAGES, speechIn } from './spoken.ts'

const TEXTS = 10
const QUERIES_MAX = 150
const COMPOUNDING = ['de', 'nl']
const PREFIXED: Record<string, RegExp> = {
  he: /^[והבלמשכ]$/u,
  iw: /^[והבלמשכ]$/u,
  ar: /^(?:[وبكل]|ال|وال|بال)$/u,
}
const WORD = /[\p{L}\p{M}\p{N}]+/gu

const index = testIndex({ after })
const speech = SPEECH_LANGUAGES.map((languageCode) => ({
  languageCode,
  texts: speechIn(languageCode, TEXTS),
}))
for (const { languageCode, texts } of speech) {
  const rows = texts.map((lines, at) =>
    textRow(at + 1, lines, { languageCode, videoId: `${languageCode}-${at}` }),
  )
  addJob(index, languageCode, rows)
}

for (const { languageCode, texts } of speech) {
  test(`what is said in ${languageCode} is found`, (t) => {
    const plain = texts.map((lines) => lines.join(' ').normalize('NFC').toLowerCase())
    const asked = queriesFor(languageCode, plain)
    const missed: string[] = []
    for (const { q, isIn } of asked) {
      const { hits } = askAll(index, q, { language: languageCode })
      const found = new Set(hits.map((hit) => hit.index))
      for (const [at, text] of plain.entries())
        if (isIn(text) && !found.has(at + 1)) missed.push(`${q} in: ${text}`)
    }
    t.diagnostic(`${languageCode}: ${asked.length} searches, ${missed.length} missed`)
    assert.deepEqual(missed, [])
    assert.ok(asked.length > 5)
  })
}

type Asked = { q: string; isIn(text: string): boolean }

function queriesFor(languageCode: string, texts: readonly string[]): Asked[] {
  const words = new Set(texts.flatMap(wordsOf))
  const all = [...words].flatMap((word) =>
    isUnspacedAt(word, 0) ? partsOf(word, 1, 4).map(anywhere) : spaced(languageCode, word),
  )
  const phrases = texts.flatMap((text) =>
    (text.match(/\p{L}+ \p{L}+ \p{L}+/gu) ?? []).map(asPhrase),
  )
  const known = new Map([...all, ...phrases].map((asked) => [asked.q, asked]))
  return everyNth([...known.values()], QUERIES_MAX)
}

function spaced(languageCode: string, word: string): Asked[] {
  const asked = [asWord(word)]
  if (COMPOUNDING.includes(languageCode)) asked.push(...partsOf(word, 4, 8).map(anywhere))
  const prefix = PREFIXED[languageCode]
  if (prefix !== undefined)
    for (const cut of [1, 2, 3]) {
      const rest = word.slice(cut)
      const bare = foldWord(rest)
      if (prefix.test(word.slice(0, cut)) && Array.from(bare).length > 1)
        asked.push({ q: bare, isIn: (text) => hasWord(text, word) || hasWord(text, bare) })
    }
  return asked
}

const anywhere = (q: string): Asked => ({ q, isIn: (text) => text.includes(q) })
const asWord = (q: string): Asked => ({ q, isIn: (text) => hasWord(text, q) })
const asPhrase = (words: string): Asked => ({
  q: `"${words}"`,
  isIn: (text) => ` ${wordsOf(text).join(' ')} `.includes(` ${words} `),
})

function wordsOf(text: string): string[] {
  return text.match(WORD) ?? []
}

function hasWord(text: string, word: string): boolean {
  return wordsOf(text).includes(word)
}

function partsOf(word: string, shortest: number, longest: number): string[] {
  const letters = Array.from(word)
  return letters.flatMap((_, from) =>
    Array.from({ length: longest - shortest + 1 }, (_unused, more) =>
      letters.slice(from, from + shortest + more),
    )
      .filter((part, more) => part.length === shortest + more)
      .map((part) => part.join('')),
  )
}

function everyNth<T>(items: T[], max: number): T[] {
  const step = Math.max(1, Math.ceil(items.length / max))
  return items.filter((_, at) => at % step === 0)
}
