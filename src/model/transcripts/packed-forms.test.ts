/** Tests of forms and their members: written as they were always written, read back by zlib, as long as was said. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { talkTranscripts } from '../../../bench/captions.ts'
import { renderParagraphs } from './paragraphs.ts'
import { FILE_FORMS, type Form, oneLineSegments } from './formats.ts'
import { type Lines, linesOf } from './lines.ts'
import { formsModule } from './forms-module.ts'
import { formContent, packedMember, recordedMember } from './packed-forms.ts'
import { type Segment, textOf } from './transcript.ts'
import { recordedForm } from './transcript-forms.ts'
import { isSeedFixed } from '../../../test/support/seed.ts'

const FORMS: readonly Form[] = [...FILE_FORMS, 'text']

/** Two of the forms said in another way; what the others look like is tested in formats.test.ts. */
const SAME: Partial<Record<Form, (segments: Segment[]) => string>> = {
  json: (segments) => JSON.stringify(segments),
  text: (segments) => JSON.stringify(textOf(segments)),
  txt: renderParagraphs,
}

/** As `assembly/repeats.ts` has them. */
const REPEAT_NUMBERS = 4
const REPEAT_BYTES_MAX = 258

/** What the worlds of the property came to. */
const reached = { repeats: 0, otherLines: 0, far: 0, longest: 0, isEmpty: 0 }

/** Counts what the module found in the lines of which it wrote a form last. */
function count({ bytes }: Lines): void {
  const { memory, repeatsAt, repeatsEndAt } = formsModule()
  reached.otherLines += /["\\<&]/.test(bytes.toString()) ? 1 : 0
  const repeats = new Int32Array(memory.buffer.slice(repeatsAt(), repeatsEndAt()))
  for (let at = 0; at < repeats.length; at += REPEAT_NUMBERS) {
    reached.repeats += 1
    if ((repeats[at] ?? 0) - (repeats[at + 1] ?? 0) > 32_768) reached.far += 1
    if (repeats[at + 3] === REPEAT_BYTES_MAX) reached.longest += 1
  }
  if (repeats.length === 0) reached.isEmpty += 1
}

/** Every form of the segments holds together. */
function assertForms(segments: Segment[]): void {
  const lines = linesOf(segments)
  for (const form of FORMS) {
    const content = formContent(lines, form)
    const expected = SAME[form]?.(segments)
    if (expected !== undefined) assert.equal(content.toString(), expected, form)
    const made = { form, ...packedMember(lines, form) }
    assert.ok(zlib.gunzipSync(made.gzip).equals(content), form)
    const later = linesOf(segments) // as another process has it
    assert.ok(recordedMember(later, recordedForm(made)).gzip.equals(made.gzip))
  }
  count(lines)
}

const WORDS = [
  'the ',
  'words ',
  'that ',
  'were said ',
  '"',
  '\\',
  '<i>',
  '& ',
  '-->',
  '. So ',
  ' >> ',
  '。',
  'ありがとう',
  '🎉',
]
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join('')),
  fc.nat(700).map((times) => 'la'.repeat(times)),
)
const segment = fc.record({ startMs: fc.nat(90_000_000), endMs: fc.nat(90_000_000), text })

test('any segments in any form are what zlib reads back, in as many bytes as were announced', () => {
  const many = fc.array(segment, { maxLength: 40 })
  fc.assert(
    fc.property(many, (given) => {
      const segments = oneLineSegments(given)
      if (segments.length > 0) assertForms(segments)
    }),
  )
  const last = [{ startMs: 2 ** 53 - 1, endMs: 2 ** 53 - 1, text: 'at the end of time' }]
  assertForms(last)
})

test('so are transcripts that are longer than deflate reaches back', () => {
  const lines = Array.from(
    { length: 4_000 },
    (_, at) => `${at * at} is said ${at % 7 === 0 ? '<so>' : 'so'}`,
  )
  const long = [
    ...lines,
    'and the first one, once more: 0 is said <so>',
    'a'.repeat(70_000),
    ...lines,
  ]
  assertForms(long.map((line, at) => ({ startMs: at * 900, endMs: at * 900 + 800, text: line })))
  if (isSeedFixed)
    for (const [what, times] of Object.entries(reached)) assert.ok(times > 0, `${what} was reached`)
})

test('what is recorded is what is sent: another text, length or form is refused', () => {
  const saying = (text: string): Lines => linesOf([{ startMs: 0, endMs: 1, text }])
  const lines = saying('the one')
  const recorded = recordedForm({ form: 'srt', ...packedMember(lines, 'srt') })
  const refused = /what was recorded/
  assert.throws(() => recordedMember(saying('another'), recorded), refused)
  for (const wrong of [{ gzipBytes: 1 }, { sizeBytes: 1 }, { crc32: 1 }, { form: 'vtt' as const }])
    assert.throws(() => recordedMember(lines, { ...recorded, ...wrong }), refused)
})

test('talks take about the bytes that zlib takes, and the same ones on every machine', () => {
  const hash = createHash('sha256')
  let [ours, byZlib] = [0, 0]
  for (const { segments } of talkTranscripts(20)) {
    const lines = linesOf(segments)
    for (const form of FILE_FORMS) {
      const { gzip } = packedMember(lines, form)
      hash.update(gzip)
      ours += gzip.length
      byZlib += zlib.gzipSync(formContent(lines, form)).length
    }
  }
  assert.ok(ours < byZlib * 1.2, `${ours} bytes, ${byZlib} by zlib`)
  // Lengths are recorded, so members that differ from these cannot be sent of transcripts that are stored: another
  // way of writing them comes beside this one, for bodies of another version (docs/decisions/0040-bodies.md).
  assert.equal(
    hash.digest('hex'),
    'dc1c9cc1aaa49a9d63f6706ea8987e76530123fe1d8468d4730e42c556fd45be',
  )
})
