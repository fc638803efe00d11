/**
 * What is read of a stored text: at the size up to which the main thread reads it, each reader takes one short turn;
 * and eight times the cues with eight times the chapters take in proportion, not 64 times as long.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { READ_HERE_BYTES, WORDS_HERE_BYTES } from '../../src/features/transcripts/read-stored.ts'
import {
  exportPiece,
  isTextExport,
  TEXT_EXPORTS,
  type TextExport,
} from '../../src/model/files/text-exports.ts'
import { beginningOf } from '../../src/model/previews/trial.ts'
import { readablePage } from '../../src/model/transcripts/readable-text.ts'
import {
  contentBytesOf,
  packBody,
  segmentsOfStored,
} from '../../src/model/transcripts/transcript-body.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { FILE_FORMS, WORD_FILES, type WordFile } from '../../src/model/files/catalogue.ts'
import { packWordTimes, wordTimesBytes } from '../../src/model/transcripts/word-times.ts'
import { writeForm } from '../../src/model/files/write-form.ts'
import { wholeWordFile } from '../support/word-files.ts'
import { leastMs, longestTurnMs } from './measure.ts'

const CUES = 240_000
const CHAPTERS = 480
const SIZES_APART = 8
/** A product of cues and chapters would take 64 times as long. */
const FACTOR_MAX = SIZES_APART * 3
const RUNS = 5

type Text = { segments: Segment[]; chapters: { startMs: number; title: string }[] }

/** The smallest cues there are, so that there are as many as possible for their bytes. */
function textOf(cues: number, chapters: number): Text {
  const cueMs = 100
  const chapterMs = Math.max(10_000, Math.floor((cues * cueMs) / chapters))
  return {
    segments: Array.from({ length: cues }, (_, at) => ({
      startMs: at * cueMs,
      endMs: (at + 1) * cueMs,
      text: at % 40 === 0 ? 'a.' : 'a',
    })),
    chapters: Array.from({ length: chapters }, (_, at) => ({
      startMs: at * chapterMs,
      title: `chapter ${at}`,
    })),
  }
}

const exported =
  (file: TextExport, charsMax: number) =>
  ({ segments, chapters }: Text): unknown => {
    const video = {
      videoId: 'abcdefghijk',
      title: 'A video',
      url: 'https://www.youtube.com/watch?v=abcdefghijk',
      channelName: 'A channel',
      publishedAt: null,
      languageCode: 'en',
      trackKind: 'asr',
      chapters,
      channelId: null,
      durationSeconds: null,
      keywords: null,
    }
    return exportPiece(segments, { file, video, passageMs: 5_000, from: 0, charsMax })
  }

const page = (isTimed: boolean, { segments }: Text): unknown =>
  readablePage(segments, { isTimed, from: 0, charsMax: 20_000 })

const READERS: Record<string, (text: Text) => unknown> = {
  'a page of paragraphs': (text) => page(false, text),
  'a page of lines with times': (text) => page(true, text),
  'the beginning': ({ segments }) => beginningOf(segments),
}
for (const form of [...FILE_FORMS, 'text'] as const)
  READERS[form] = ({ segments }) => writeForm(segments, form)
for (const file of Object.keys(TEXT_EXPORTS).filter(isTextExport))
  READERS[file] = exported(file, 256 * 1024)

const bytesOf = ({ segments }: Text): number => contentBytesOf(packBody(segments))
const cuesHere = Math.floor((READ_HERE_BYTES / bytesOf(textOf(1_000, 1))) * 1_000 * 0.98)
const here = textOf(cuesHere, CHAPTERS)
const small = textOf(CUES / SIZES_APART, CHAPTERS / SIZES_APART)
const large = textOf(CUES, CHAPTERS)

/** The smallest words there are, each of a byte: as many as possible for the bytes of their times. */
function wordsText(count: number): Segment[] {
  const wordMs = 100
  const words = Array.from({ length: count }, (_, at) => {
    return { chars: at === 0 ? 1 : 2, offsetMs: at * wordMs, confidence: null }
  })
  const text = Array.from({ length: count }, () => 'a').join(' ')
  return [{ startMs: 0, endMs: count * wordMs, text, words }]
}

const timesOf = (segments: readonly Segment[]): Buffer => {
  const packed = packWordTimes(segments)
  assert.ok(packed !== null)
  return packed
}
const wordsRead = (file: WordFile, count: number): (() => unknown) => {
  const segments = wordsText(count)
  const [stored, wordTimes] = [packBody(segments), timesOf(segments)]
  return () => wholeWordFile(segmentsOfStored(stored), { file, wordTimes })
}
const WORDS_HERE = WORDS_HERE_BYTES - 16

for (const file of WORD_FILES)
  test(`${file} is written in a turn, and takes time in proportion`, (t) => {
    const share = wordTimesBytes(timesOf(wordsText(WORDS_HERE))) / WORDS_HERE_BYTES
    assert.ok(share > 0.9 && share <= 1, `${share}`)
    const enoughMs = longestTurnMs() / 2
    const ms = leastMs(wordsRead(file, WORDS_HERE), { enoughMs, runsMax: RUNS })
    t.diagnostic(`${ms.toFixed(1)} ms for ${WORDS_HERE} words`)
    assert.ok(ms < longestTurnMs(), `${ms} ms`)
    const many = wordsRead(file, WORDS_HERE * SIZES_APART)
    const manyMs = leastMs(many, { enoughMs: ms * SIZES_APART, runsMax: RUNS })
    assert.ok(manyMs <= ms * FACTOR_MAX, `${ms} ms, ${manyMs} ms`)
  })

test('the text is about as long as what is read in the main thread may be', () => {
  const share = bytesOf(here) / READ_HERE_BYTES
  assert.ok(share > 0.9 && share <= 1, `${share}`)
})

for (const [name, read] of Object.entries(READERS)) {
  test(`${name} is read in a turn`, (t) => {
    const enoughMs = longestTurnMs() / 2
    const stored = packBody(here.segments)
    const whole = (): unknown => read({ ...here, segments: segmentsOfStored(stored) })
    const ms = leastMs(whole, { enoughMs, runsMax: RUNS })
    t.diagnostic(`${ms.toFixed(1)} ms for ${cuesHere} cues`)
    assert.ok(ms < longestTurnMs(), `${ms} ms`)
  })
}

for (const [name, read] of Object.entries({
  ...READERS,
  'export.jsonl': exported('export.jsonl', Infinity),
})) {
  test(`${name} takes time in proportion`, (t) => {
    const smallMs = leastMs(() => read(small), { enoughMs: 0, runsMax: RUNS })
    const largeMs = leastMs(() => read(large), { enoughMs: smallMs * SIZES_APART, runsMax: RUNS })
    t.diagnostic(
      `${smallMs.toFixed(1)} ms, ${largeMs.toFixed(1)} ms for ${SIZES_APART} times as much`,
    )
    assert.ok(largeMs <= Math.max(smallMs * FACTOR_MAX, 5), `${smallMs} ms, ${largeMs} ms`)
  })
}
