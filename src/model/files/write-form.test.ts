/** Forms as they are written; formats.test.ts tests what they look like. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { talkTranscripts } from '../../../tools/bench/captions.ts'
import type { Form } from './formats.ts'
import { FILE_FORMS } from './catalogue.ts'
import { writeForm } from './write-form.ts'

const FORMS: readonly Form[] = [...FILE_FORMS, 'text']
const HASHES: Record<Form, string> = {
  txt: '68faad8ae3b69855c61feb1155fd68b4174ca53e95ee4fad6413c7168f9a1094',
  json: 'd2174c2c8be82198f964491bd9bd010b74569704e2f2bf1d3a32bac891b5bb32',
  text: '9117cf37dba93921f20ff15101083e9f2657468be33016b5545d3150495340f7',
  srt: 'f38d2ec909030682993a1ddcb0b305d4bb037d706f73f1a0bb78fc6dad325f6c',
  vtt: 'ce5de1e5b19ac76c6d8453b69ae1cffb101aec223c9d295c88fbec85eb6186b1',
}

test('talks are written in the same bytes by every release, whose lengths and checksums are stored', () => {
  const talks = talkTranscripts(20)
  for (const form of FORMS) {
    const hash = createHash('sha256')
    for (const { segments } of talks) hash.update(writeForm(segments, form))
    assert.equal(hash.digest('hex'), HASHES[form], form)
  }
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
