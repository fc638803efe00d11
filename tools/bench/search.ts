/**
 * Search over one account's transcripts: how long a question takes, how many bytes a transcript takes in the index, and
 * how long it takes to add one, in processor time. The texts are made up of words as often as words are in speech.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { randomOf, type Random } from '../../emulator/random.ts'
import { addTexts } from '../../src/features/search/add-texts.ts'
import { packBody } from '../../src/model/transcripts/transcript-body.ts'
import { askIndex } from '../../src/features/search/ask-mentions.ts'
import { type IndexFile, openIndexFile } from '../../src/features/search/index-file.ts'
import { LIMITS } from '../../src/config/config.ts'
import { findQuote } from '../../src/model/search/quote.ts'
import { readQuery } from '../../src/model/search/search-query.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import type { IndexedRow } from '../../src/model/search/packed-row.ts'
import type { BenchOptions } from './bench.ts'
import { spentMs } from './stage/cpu.ts'
import { table, verdict } from './table.ts'

type SearchResult = {
  transcripts: number
  wordsEach: number
  addMs: number
  bytesEach: number
  quoteMs: number
  questions: { name: string; count: number; p50: number; p95: number; most: number }[]
}

/** `long` is the size of the goals. */
const SIZES = { full: 10_000, long: 100_000, smoke: 60 }
const GOALS_MS: Record<string, number> = { 'ranked words': 100, phrases: 100 }
const WORDS_EACH = { min: 300, max: 2_100 }
const WORDS_OF_SEGMENT = 8
const VOCABULARY = 60_000
const BATCH = 25
const QUESTIONS = 60
/** Shift of Zipf's law, which flattens its top as in speech. */
const ZIPF_SHIFT = 2.7

export async function run({ smoke, long }: BenchOptions): Promise<SearchResult> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-search-'))
  try {
    const result = measure(folder, SIZES[smoke ? 'smoke' : long ? 'long' : 'full'])
    print(result)
    return result
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function measure(folder: string, transcripts: number): SearchResult {
  const file = path.join(folder, 'account.db')
  const index = openIndexFile(file, LIMITS.deadlines.searchFileMs)
  try {
    const speech = openSpeech(randomOf(7))
    const { addMs, words, last } = fill(index, transcripts, speech)
    index.db.exec('pragma wal_checkpoint(truncate)')
    return {
      transcripts,
      wordsEach: words / transcripts,
      addMs,
      bytesEach: fs.statSync(file).size / transcripts,
      questions: questionsOf(speech).map(({ name, asked }) => ({
        name,
        ...timesOf(asked.map((q) => () => ask(index, q, name === 'newest first'))),
      })),
      quoteMs: timesOf(Array.from({ length: 20 }, () => () => quote(last, speech.word()))).p50,
    }
  } finally {
    index.close()
  }
}

type Speech = {
  word(): string
  ranked(rank: number): string
  phrase(length: number): string
  random: Random
}

function openSpeech(random: Random): Speech {
  const words: string[] = []
  const sums: number[] = []
  let sum = 0
  for (let rank = 0; rank < VOCABULARY; rank += 1) {
    words.push(spelled(rank))
    sums.push((sum += 1 / (rank + ZIPF_SHIFT)))
  }
  const word = (): string => {
    const wanted = random.fraction() * sum
    let [first, last] = [0, VOCABULARY - 1]
    while (first < last) {
      const middle = (first + last) >> 1
      if ((sums[middle] ?? 0) < wanted) first = middle + 1
      else last = middle
    }
    return words[first] ?? ''
  }
  return {
    word,
    random,
    ranked: (rank) => words[rank] ?? '',
    phrase: (length) => Array.from({ length }, word).join(' '),
  }
}

const SYLLABLES = 'ka to mi re sa no ti la ve du ro pi an el os ur be ga fi ze'.split(' ')

function spelled(rank: number): string {
  let [text, rest] = ['', (rank * 7_919) % VOCABULARY]
  for (let at = 0; at < 3 || rest > 0; at += 1) {
    text += SYLLABLES[rest % SYLLABLES.length]
    rest = Math.floor(rest / SYLLABLES.length)
  }
  return text
}

function fill(index: IndexFile, transcripts: number, speech: Speech) {
  let [addMs, words] = [0, 0]
  let last: Segment[] = []
  for (let from = 0; from < transcripts; from += BATCH) {
    const rows: IndexedRow[] = []
    for (let at = from; at < Math.min(from + BATCH, transcripts); at += 1) {
      last = segmentsFrom(speech)
      words += last.length * WORDS_OF_SEGMENT
      rows.push(rowOf(at, last, speech.random))
    }
    const success = from + rows.length
    const startedMs = spentMs()
    addTexts(index, { jobId: 'job', from, to: success, success, rows })
    addMs += spentMs() - startedMs
  }
  return { addMs: addMs / transcripts, words, last }
}

function segmentsFrom(speech: Speech): Segment[] {
  const words = speech.random.between(WORDS_EACH.min, WORDS_EACH.max)
  return Array.from({ length: Math.ceil(words / WORDS_OF_SEGMENT) }, (_, at) => ({
    startMs: at * 3_000,
    endMs: at * 3_000 + 2_900,
    text: speech.phrase(WORDS_OF_SEGMENT),
  }))
}

function rowOf(at: number, segments: Segment[], random: Random): IndexedRow {
  const published = Date.UTC(2016, 0) + random.between(0, 87_600) * 3_600_000
  return {
    index: at + 1,
    done: at + 1,
    videoId: `video-${at}`,
    channelName: `Channel ${random.between(1, 50)}`,
    channelId: null,
    publishedAt: new Date(published).toISOString(),
    languageCode: 'en',
    textHash: null,
    stored: packBody(segments),
  }
}

/**
 * Returns what people ask: words of every frequency but the rarest, alone and in pairs, phrases, and beginnings of
 * words.
 */
function questionsOf(speech: Speech): { name: string; asked: string[] }[] {
  const asked = (make: () => string): string[] => Array.from({ length: QUESTIONS }, make)
  const rank = (from: number, to: number): string => speech.ranked(speech.random.between(from, to))
  return [
    { name: 'ranked words', asked: asked(() => rank(30, 20_000)) },
    { name: 'the commonest', asked: Array.from({ length: 20 }, (_, at) => speech.ranked(at)) },
    { name: 'two words', asked: asked(() => `${rank(5, 2_000)} ${rank(5, 2_000)}`) },
    { name: 'newest first', asked: asked(() => rank(0, 2_000)) },
    { name: 'phrases', asked: asked(() => `"${speech.phrase(2)}"`) },
    { name: 'beginnings', asked: asked(() => `${rank(200, 5_000).slice(0, 4)}*`) },
    { name: 'worst beginning', asked: ['ka*', 'to*'] },
  ]
}

function ask(index: IndexFile, q: string, isNewest: boolean): void {
  const query = readQuery(q)
  if ('fault' in query) throw new Error(`${q}: ${query.fault}`)
  askIndex(index, {
    query,
    filter: { channel: null, videoId: null, language: null, dates: null },
    sort: isNewest ? 'newest' : 'relevance',
    offset: 0,
    limit: 20,
  })
}

function quote(segments: Segment[], q: string): void {
  const query = readQuery(q)
  if (!('fault' in query)) findQuote(segments, query)
}

function timesOf(works: (() => void)[]) {
  const times = works
    .map((work) => {
      const startedMs = spentMs()
      work()
      return spentMs() - startedMs
    })
    .sort((a, b) => a - b)
  const at = (share: number): number => times[Math.ceil(share * times.length) - 1] ?? Number.NaN
  return { count: times.length, p50: at(0.5), p95: at(0.95), most: at(1) }
}

function print({ transcripts, questions, ...result }: SearchResult): void {
  const { wordsEach, addMs, bytesEach, quoteMs } = result
  console.log(
    `${transcripts} transcripts of ${wordsEach.toFixed(0)} words: ${addMs.toFixed(2)} ms to add one, ` +
      `${(bytesEach / 1000).toFixed(1)} KB each, ${quoteMs.toFixed(2)} ms for a quote`,
  )
  const isGoal = transcripts === SIZES.long
  console.log(
    table([
      ['ms', 'p50', 'p95', 'most', isGoal ? 'goal of p95' : ''],
      ...questions.map(({ name, p50, p95, most }) => {
        const goal = isGoal ? GOALS_MS[name] : undefined
        const times = [p50, p95, most].map((ms) => ms.toFixed(1))
        return [name, ...times, goal === undefined ? '' : `${goal}: ${verdict(p95 <= goal)}`]
      }),
    ]),
  )
}
