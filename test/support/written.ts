/** A form of segments as text, for tests of what it says. */
import type { Form } from '../../src/model/transcripts/formats.ts'
import { linesOf } from '../../src/model/transcripts/lines.ts'
import { formContent } from '../../src/model/transcripts/packed-forms.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'

export function written(segments: readonly Segment[], form: Form): string {
  return formContent(linesOf(segments), form).toString()
}
