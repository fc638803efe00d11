/** A stored transcript: which forms are recorded, and that each is what a reader gets. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Format, FORMATS, FORMS, PAGE_TEXT_NUMBER, WORDS } from './catalogue.ts'
import { contentFacts, packRecorded, unpackRecorded } from './recorded-forms.ts'
import { segmentsOfStored } from '../transcripts/transcript-body.ts'
import { storeTranscript } from './transcript-forms.ts'
import type { Transcript } from '../transcripts/transcript.ts'
import { writeForm } from './write-form.ts'

const TRANSCRIPT: Transcript = {
  languageCode: 'en',
  trackKind: 'manual',
  segments: [
    { startMs: 0, endMs: 900, text: 'One\nline' },
    { startMs: 900, endMs: 901, text: '\u0007' },
    { startMs: 1_000, endMs: 2_000, text: 'after all.' },
  ],
  source: null,
}

/** Returns each form as a reader gets it, after it is compared with what is recorded of it. */
async function formsOf(formats: readonly Format[]): Promise<Record<string, string>> {
  const { body, recorded } = await storeTranscript(TRANSCRIPT, formats)
  const segments = segmentsOfStored(body)
  const forms = recorded.map(({ form, ...facts }) => {
    assert.ok(form !== 'words.json' && form !== 'words.vtt')
    const content = writeForm(segments, form)
    assert.deepEqual(contentFacts(content), facts)
    return [form, content.toString()]
  })
  return Object.fromEntries(forms)
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

test('text and timed segments are recorded whatever was asked for, players’ formats on request', async () => {
  assert.deepEqual(Object.keys(await formsOf(['text'])).sort(), ['json', 'text', 'txt'])
  assert.deepEqual(Object.keys(await formsOf(['vtt'])).sort(), ['json', 'text', 'txt', 'vtt'])
})

test('of a transcript that was written where it was read, only the forms asked for are recorded', async () => {
  const stored = await storeTranscript(TRANSCRIPT, FORMATS)
  const { languageCode, trackKind, source } = TRANSCRIPT
  for (const formats of [['vtt'] as const, FORMATS])
    assert.deepEqual(
      await storeTranscript({ languageCode, trackKind, source, stored }, formats),
      await storeTranscript(TRANSCRIPT, formats),
    )
})

test('what is recorded comes back, of the forms that are asked for', async () => {
  const { recorded } = await storeTranscript(TRANSCRIPT, FORMATS)
  const bytes = packRecorded(recorded)
  const forms = recorded.map(({ form }) => form)
  assert.deepEqual(unpackRecorded(bytes, forms), recorded)
  assert.deepEqual(
    unpackRecorded(bytes, ['srt', 'txt']),
    recorded.filter(({ form }) => form === 'srt' || form === 'txt'),
  )
  assert.throws(() => unpackRecorded(bytes.subarray(1), forms))
})

test('a stored transcript names the hash and the words of its text', async () => {
  const { textSha256, words } = await storeTranscript(TRANSCRIPT, ['text'])
  assert.equal(textSha256, createHash('sha256').update('One line after all.').digest('hex'))
  assert.equal(words, 4)
})

test('a transcript without words is never stored', async () => {
  const silent = { ...TRANSCRIPT, segments: [{ startMs: 0, endMs: 1, text: '\n' }] }
  await assert.rejects(storeTranscript(silent, FORMATS), /has segments/)
})

test('each form is stored under the number that it had in the first release that had it', () => {
  const numbers = Object.entries({ ...FORMS, ...WORDS }).map(([form, { number }]) => [form, number])
  assert.deepEqual(Object.fromEntries([...numbers, ['text', PAGE_TEXT_NUMBER]]), {
    txt: 0,
    json: 1,
    text: 2,
    srt: 3,
    vtt: 4,
    'words.json': 5,
    'words.vtt': 6,
  })
})
