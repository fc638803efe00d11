/** A form of segments as text, for tests of what it says. */
import type { Form } from '../../src/transcripts/formats.ts'
import { linesOf } from '../../src/transcripts/lines.ts'
import { formContent } from '../../src/transcripts/packed-forms.ts'
import type { Segment } from '../../src/transcripts/transcript.ts'

export function written(segments: readonly Segment[], form: Form): string {
  return formContent(linesOf(segments), form).toString()
}
