/** Returns a form of segments as text, for tests of its content. */
import type { Form } from '../../src/model/files/formats.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { writeForm } from '../../src/model/files/write-form.ts'

export function written(segments: readonly Segment[], form: Form): string {
  return writeForm(segments, form).toString()
}
