/** The files of words piece by piece: the same bytes as written at once, wherever a piece ends. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { wordFilePieces } from '../../../test/support/word-files.ts'
import { packRecorded, unpackRecorded, withRecorded } from './recorded-forms.ts'
import type { Segment } from '../transcripts/transcript.ts'
import { recordWordFile, storeTranscript } from './transcript-forms.ts'
import { WORD_FILES, type WordFile } from './catalogue.ts'
import { packWordTimes, type Word, wordsOfSegments } from '../transcripts/word-times.ts'
import { captionClock } from '../../kit/text/clock.ts'
import { escapeVtt } from './vtt.ts'

/** Items of a piece, as they are part of the layout. */
const PIECE = 50_000

/** Returns a segment of so many words, some of them at the same time, and one without word times. */
function cueOf(words: number, at: number): Segment {
  const timed = Array.from({ length: words }, (_, nth) => {
    return { chars: nth === 0 ? 2 : 3, offsetMs: Math.floor(nth / 2) * 10, confidence: null }
  })
  const text = words === 0 ? 'no times & none' : Array.from({ length: words }, () => 'a<').join(' ')
  return { startMs: at * 2_000, endMs: at * 2_000 + 1_900, text, words: timed }
}

/** Cues that end before, at and behind the end of a piece, and one that is longer than two pieces. */
const SHAPES: Record<string, number[]> = {
  'of one piece': [3, 0, 2],
  'that fills a piece': [PIECE - 1],
  'with a word too many': [PIECE],
  'with a head too many': [PIECE - 1, 0, 2],
  'whose piece ends behind a head': [PIECE - 2, 5, 0],
  'with a long cue': [7, 0, 2 * PIECE + 5, 0, 3],
}

/** The files in their plainest form. */
const PLAIN: Record<WordFile, (segments: readonly Segment[], words: Word[][]) => string> = {
  'words.json': (_segments, words) => JSON.stringify({ words: words.flat() }),
  'words.vtt': (segments, words) => {
    const cues = segments.map(({ startMs, endMs, text }, at) => {
      let last = startMs
      const said = (words[at] ?? []).map((word) => {
        if (word.startMs <= last || word.startMs >= endMs) return escapeVtt(word.text)
        last = word.startMs
        return `<${captionClock(last, '.')}><c>${escapeVtt(word.text)}</c>`
      })
      const times = `${captionClock(startMs, '.')} --> ${captionClock(endMs, '.')}`
      return `${times}\n${said.length === 0 ? escapeVtt(text) : said.join('')}\n\n`
    })
    return `WEBVTT\n\n${cues.join('')}`
  },
}

for (const [shape, sizes] of Object.entries(SHAPES))
  test(`the pieces of the words of a text ${shape} are the whole, and as they are recorded`, () => {
    const segments = sizes.map(cueOf)
    const wordTimes = packWordTimes(segments)
    assert.ok(wordTimes !== null)
    const items = sizes.reduce((sum, size) => sum + size + 1, 0)
    for (const file of WORD_FILES) {
      const pieces = wordFilePieces(segments, { file, wordTimes })
      assert.equal(pieces.length, Math.ceil(items / PIECE))
      const whole = Buffer.concat(pieces)
      assert.ok(
        whole.equals(Buffer.from(PLAIN[file](segments, wordsOfSegments(wordTimes, segments)))),
      )
      const [facts, ...parts] = recordWordFile(segments, { file, wordTimes })
      const { sizeBytes, sha256 } = facts!
      assert.deepEqual([sizeBytes, sha256], [whole.length, hash('sha256', whole)])
      const sizesOfParts = parts.map((part) => part.sizeBytes)
      const expected = pieces.length === 1 ? [] : pieces.map(({ length }) => length)
      assert.deepEqual(sizesOfParts, expected)
    }
  })

test('what is recorded of words stands behind what an earlier release records, which reads its own', async () => {
  const segments = [cueOf(3, 0)]
  const said = { languageCode: 'en', trackKind: 'asr', segments, source: null } as const
  const { recorded } = await storeTranscript({ ...said, segments }, ['srt'])
  const isOfWords = ({ form }: { form: string }): boolean => form.startsWith('words')
  const [words, forms] = [recorded.filter(isOfWords), recorded.filter((one) => !isOfWords(one))]
  assert.equal(words.length, 2)
  const packed = withRecorded(packRecorded(forms), words)
  assert.deepEqual(packed, packRecorded(recorded))
  assert.deepEqual(unpackRecorded(packed, ['txt', 'json', 'text', 'srt', 'vtt']), forms)
  assert.deepEqual(unpackRecorded(packed, WORD_FILES), words)
})
