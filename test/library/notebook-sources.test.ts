/** Sources of a notebook: how words are counted, videos are divided and packed, and files are called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openNotebook } from '../../src/features/files/export-packs.ts'
import type { TextSource } from '../../src/features/transcripts/read-stored.ts'
import {
  notebookPiece,
  notebookSizes,
  packSources,
  takeWords,
} from '../../src/model/files/notebook.ts'
import { sourceName } from '../../src/model/files/file-names.ts'
import { oneLineSegments } from '../../src/model/transcripts/one-line.ts'
import { atOnce } from '../../src/model/transcripts/steps.ts'
import { awkward, saying, VIDEO } from './awkward-texts.ts'

test('words are counted at blanks, and by characters where a script has none', () => {
  const counts = {
    'a b\u00a0c\n d': 4,
    '': 0,
    '字幕 です': 4,
    ไทย: 3,
    '한국어 자막': 2,
    abc字def: 3,
    '𠀀𠀁a': 3,
    '👩‍👩‍👧 x': 2,
  }
  for (const [text, words] of Object.entries(counts))
    assert.equal(takeWords(text).words, words, text)
  assert.deepEqual(takeWords('one two  three', { from: 3, wordsMax: 1 }), { words: 1, to: 9 })
})

test('pieces of a notebook hold every word once, and none is longer than a source', () => {
  const paragraphs = fc.array(fc.array(awkward, { minLength: 1, maxLength: 30 }), { maxLength: 20 })
  fc.assert(
    fc.property(paragraphs, fc.integer({ min: 40, max: 90 }), (said, wordsMax) => {
      const segments = oneLineSegments(saying(...said.map((texts) => texts.join(' '))))
      const video = { ...VIDEO, title: 'A title' }
      const sizes = notebookSizes(segments, { video, wordsMax })
      const bodies = sizes.map(({ words, sizeBytes }, nth) => {
        const piece = notebookPiece(segments, { video, wordsMax, nth })
        assert.equal(takeWords(piece).words, words)
        assert.equal(Buffer.byteLength(piece), sizeBytes)
        assert.ok(words <= wordsMax)
        const head = piece.indexOf('\n\n', piece.indexOf('\n- '))
        return piece.slice(head)
      })
      const plain = (text: string) => text.replace(/[\s\\]/g, '')
      assert.equal(plain(bodies.join('')), plain(segments.map(({ text }) => text).join('')))
      const sources = atOnce(packSources([sizes, sizes], wordsMax))
      assert.deepEqual(
        sources.flat().map(({ text, nth }) => [text, nth]),
        [0, 1].flatMap((text) => sizes.map((_size, nth) => [text, nth])),
      )
      for (const source of sources) {
        const words = source.reduce((sum, { nth }) => sum + (sizes[nth]?.words ?? 0), 0)
        assert.ok(words <= wordsMax, `${words} words`)
      }
    }),
  )
})

test('a source holds at most 200 MB, however few words that is', () => {
  const texts = [100, 100, 1, 199, 1].map((megabytes) => [
    { words: 1, sizeBytes: megabytes * 1_000_000 },
  ])
  const sources = atOnce(packSources(texts, 1_000))
  assert.deepEqual(
    sources.map((source) => source.map(({ text }) => text)),
    [[0, 1], [2, 3], [4]],
  )
})

test('a source is called by its number, what it is of, and when its videos were published', () => {
  const days = ['2020-02-01', null, '2019-03-04'].map((publishedAt) => ({ publishedAt }))
  assert.equal(
    sourceName('Häuser: 1/2', days, { nth: 3, count: 12 }),
    '03 Häuser - 1-2 2019-03-04 to 2020-02-01.md',
  )
  assert.equal(
    sourceName('', days.slice(0, 1), { nth: 1, count: 120 }),
    '001 transcripts 2020-02-01.md',
  )
  assert.equal(sourceName('x', [], { nth: 1, count: 1 }), '01 x.md')
})

test('nobody counts the words of a notebook for a caller who left', async () => {
  const row = {
    ...VIDEO,
    jobId: 'job',
    index: 1,
    status: 'success',
    label: null,
    errorMessage: null,
  }
  const order = {
    title: 'x',
    texts: [{ row, sizeBytes: 1 }],
    bounds: { partsMax: 1, wordsMax: 1_000 },
  }
  const departure = AbortSignal.abort()
  // Without a database, reading any text would fail.
  assert.equal(await openNotebook({} as TextSource, { ...order, departure }), null)
})
