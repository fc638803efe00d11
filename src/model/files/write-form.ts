/** Writes the forms of a transcript (see formats.ts for what they are), of segments as `oneLineSegments` gives them. */
import { alwaysBlank, type Between, blankBetween } from '../../kit/text/joined-text.ts'
import { type Edition, EDITION } from '../transcripts/editions.ts'
import type { Form } from './formats.ts'
import { writeSubRip } from './srt.ts'
import { subtitlesOf } from './subtitles.ts'
import { writeWebVtt } from './vtt.ts'
import { renderParagraphs } from '../transcripts/readable-text.ts'
import { type Segment, textOf } from '../transcripts/transcript.ts'

type Style = {
  between: Between
  /** True where cues of the same times are one cue of several lines, in which players keep their order. */
  joinsCues: boolean
}
const STYLES: Record<Edition, Style> = {
  1: { between: alwaysBlank, joinsCues: false },
  2: { between: blankBetween, joinsCues: true },
}

/** Returns a form's bytes, the same in every release. */
export function writeForm(
  segments: readonly Segment[],
  form: Form,
  edition: Edition = EDITION,
): Buffer {
  return Buffer.from(WRITERS[form](segments, STYLES[edition]))
}

const WRITERS: Record<Form, (segments: readonly Segment[], style: Style) => string> = {
  txt: (segments, { between }) => renderParagraphs(segments, between),
  json: writeSegments,
  text: (segments, { between }) => JSON.stringify(textOf(segments, between)),
  srt: (segments, { joinsCues }) => writeSubRip(subtitlesOf(segments, joinsCues)),
  vtt: (segments, { joinsCues }) => writeWebVtt(subtitlesOf(segments, joinsCues)),
}

/** Returns the segments as the wire shows them: a JSON array, keys in the contract's order. */
function writeSegments(segments: readonly Segment[]): string {
  return JSON.stringify(segments.map(({ startMs, endMs, text }) => ({ startMs, endMs, text })))
}
