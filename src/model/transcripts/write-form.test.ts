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

test('hours grow past two digits, up to the end of time', () => {
  const last = [{ startMs: 360_000_000, endMs: 2 ** 53 - 1, text: 'late' }]
  assert.equal(
    writeForm(last, 'srt').toString(),
    '1\n100:00:00,000 --> 2501999792:59:00,991\nlate\n\n',
  )
})
