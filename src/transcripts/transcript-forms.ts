/** A transcript as it is stored: each form rendered and compressed, once and for all readers. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  type Form,
  type Format,
  FORMS_ALWAYS,
  oneLineSegments,
  renderSegments,
  renderSrt,
  renderTextLiteral,
  renderVtt,
  requestedForms,
} from './formats.ts'
import { type Member, packMember } from './gzip-member.ts'
import { renderParagraphs } from './paragraphs.ts'
import { type Segment, textOf, type Transcript } from './transcript.ts'

export type StoredForm = Member & { form: Form }

export type StoredTranscript = {
  /** `txt`, `json` and `text` always, `srt` and `vtt` where asked for. */
  forms: StoredForm[]
  /** SHA-256 of the wire's `text`, hex. */
  textSha256: string
  /** Words of the text as white space parts them. */
  words: number
}

const RENDER: Record<Form, (segments: readonly Segment[]) => string> = {
  txt: renderParagraphs,
  srt: renderSrt,
  vtt: renderVtt,
  json: renderSegments,
  text: renderTextLiteral,
}

/** Renders and compresses every form that `formats` ask for, long ones off the main thread. */
export async function storedTranscript(
  transcript: Transcript,
  formats: readonly Format[],
): Promise<StoredTranscript> {
  const segments = oneLineSegments(transcript.segments)
  assert(segments.length > 0, 'a transcript has segments')

  const asked = new Set<Form>([...FORMS_ALWAYS, ...requestedForms(formats)])
  const packing = [...asked].map(async (form) => {
    return { form, ...(await packMember(Buffer.from(RENDER[form](segments)))) }
  })
  const text = textOf(segments)
  return { forms: await Promise.all(packing), textSha256: sha256Of(text), words: countWords(text) }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}
