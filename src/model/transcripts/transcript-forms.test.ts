/** Tests of a stored transcript: which forms exist, and that each is what a reader gets. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { type Format, FORMATS } from './formats.ts'
import { storedTranscript } from './transcript-forms.ts'
import type { Transcript } from './transcript.ts'

const TRANSCRIPT: Transcript = {
  languageCode: 'en',
  trackKind: 'manual',
  segments: [
    { startMs: 0, endMs: 900, text: 'One\nline' },
    { startMs: 900, endMs: 901, text: '\u0007' },
    { startMs: 1_000, endMs: 2_000, text: 'after all.' },
  ],
}

async function formsOf(formats: readonly Format[]): Promise<Record<string, string>> {
  const { forms } = await storedTranscript(TRANSCRIPT, formats)
  return Object.fromEntries(forms.map(({ form, gzip }) => [form, zlib.gunzipSync(gzip).toString()]))
}

test('every form holds the same words', async () => {
  assert.deepEqual(await formsOf(FORMATS), {
    txt: 'One line after all.\n',
    json: '[{"startMs":0,"endMs":900,"text":"One line"},{"startMs":1000,"endMs":2000,"text":"after all."}]',
    text: '"One line after all."',
    srt: '1\n00:00:00,000 --> 00:00:00,900\nOne line\n\n2\n00:00:01,000 --> 00:00:02,000\nafter all.\n\n',
    vtt: 'WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nOne line\n\n00:00:01.000 --> 00:00:02.000\nafter all.\n\n',
  })
})

test('text and timed segments are stored whatever was asked for, players’ formats on request', async () => {
  assert.deepEqual(Object.keys(await formsOf(['text'])).sort(), ['json', 'text', 'txt'])
  assert.deepEqual(Object.keys(await formsOf(['vtt'])).sort(), ['json', 'text', 'txt', 'vtt'])
})

test('a stored transcript names the hash and the words of its text', async () => {
  const { textSha256, words } = await storedTranscript(TRANSCRIPT, ['text'])
  assert.equal(textSha256, createHash('sha256').update('One line after all.').digest('hex'))
  assert.equal(words, 4)
})

test('a transcript without words is never stored', async () => {
  const silent = { ...TRANSCRIPT, segments: [{ startMs: 0, endMs: 1, text: '\n' }] }
  await assert.rejects(storedTranscript(silent, FORMATS), /has segments/)
})
