/** Forms as they are written; formats.test.ts tests what they look like. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { talkTranscripts } from '../../../bench/captions.ts'
import { FILE_FORMS, type Form } from './formats.ts'
import { writeForm } from './write-form.ts'

const FORMS: readonly Form[] = [...FILE_FORMS, 'text']

test('talks are written in the same bytes by every release, whose lengths and checksums are stored', () => {
  const hash = createHash('sha256')
  for (const { segments } of talkTranscripts(20))
    for (const form of FORMS) hash.update(writeForm(segments, form))
  assert.equal(
    hash.digest('hex'),
    '49cc0b45a090e76324cecd7fb9a58b7ff1b66d2e1044a047ac877b59b45f4b80',
  )
})

const TWO_AT_ONCE = [
  { startMs: 0, endMs: 1_000, text: '日本' },
  { startMs: 0, endMs: 1_000, text: 'の <話>' },
  { startMs: 0, endMs: 2_000, text: 'です' },
  { startMs: 2_000, endMs: 3_000, text: 'la' },
  { startMs: 3_000, endMs: 4_000, text: 'la' },
]

test('cues of the same times are one cue of two lines, in their order', () => {
  assert.equal(
    writeForm(TWO_AT_ONCE, 'srt').toString(),
    '1\n00:00:00,000 --> 00:00:01,000\n日本\nの <\u200b話>\n\n' +
      '2\n00:00:00,000 --> 00:00:02,000\nです\n\n' +
      '3\n00:00:02,000 --> 00:00:03,000\nla\n\n4\n00:00:03,000 --> 00:00:04,000\nla\n\n',
  )
  assert.equal(
    writeForm(TWO_AT_ONCE.slice(0, 2), 'vtt').toString(),
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n日本\nの &lt;話&gt;\n\n',
  )
})

test('Chinese and Japanese lines join without a blank, in the wire’s text and in paragraphs', () => {
  assert.equal(writeForm(TWO_AT_ONCE, 'text').toString(), '"日本の <話> です la la"')
  assert.equal(
    writeForm(TWO_AT_ONCE.slice(0, 1).concat(TWO_AT_ONCE), 'txt').toString(),
    '日本日本の <話> です la la\n',
  )
})

test('what was recorded in the first edition is written in its bytes for ever', () => {
  assert.equal(writeForm(TWO_AT_ONCE, 'text', 1).toString(), '"日本 の <話> です la la"')
  assert.equal(writeForm(TWO_AT_ONCE, 'txt', 1).toString(), '日本 の <話> です la la\n')
  assert.equal(
    writeForm(TWO_AT_ONCE.slice(0, 2), 'srt', 1).toString(),
    '1\n00:00:00,000 --> 00:00:01,000\n日本\n\n2\n00:00:00,000 --> 00:00:01,000\nの <\u200b話>\n\n',
  )
  assert.equal(
    writeForm(TWO_AT_ONCE.slice(0, 2), 'vtt', 1).toString(),
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n日本\n\n00:00:00.000 --> 00:00:01.000\nの &lt;話&gt;\n\n',
  )
})

test('hours grow past two digits, up to the end of time', () => {
  const last = [{ startMs: 360_000_000, endMs: 2 ** 53 - 1, text: 'late' }]
  assert.equal(
    writeForm(last, 'srt').toString(),
    '1\n100:00:00,000 --> 2501999792:59:00,991\nlate\n\n',
  )
})
