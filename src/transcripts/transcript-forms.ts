/** A transcript as it is stored: each form rendered and compressed, once and for all readers. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
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
import { type Member, packMember, unpackMember } from './gzip-member.ts'
import { renderParagraphs } from '../text/paragraphs.ts'
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

/** A transcript so long that it was rendered and compressed where it was read: in every form. */
export type LongTranscript = Omit<Transcript, 'segments'> & { stored: StoredTranscript }

const RENDER: Record<Form, (segments: readonly Segment[]) => string> = {
  txt: renderParagraphs,
  srt: renderSrt,
  vtt: renderVtt,
  json: renderSegments,
  text: renderTextLiteral,
}

/** From here on, in segments or characters, each form is rendered in a turn of the event loop of its own. */
const TURN_SEGMENTS = 1_000
const TURN_CHARS = 32_768

/** Renders and compresses every form that `formats` ask for. */
export async function storedTranscript(
  transcript: Transcript | LongTranscript,
  formats: readonly Format[],
): Promise<StoredTranscript> {
  const asked = new Set<Form>([...FORMS_ALWAYS, ...requestedForms(formats)])
  if ('stored' in transcript) {
    const { stored } = transcript
    return { ...stored, forms: stored.forms.filter(({ form }) => asked.has(form)) }
  }
  const segments = oneLineSegments(transcript.segments)
  assert(segments.length > 0, 'a transcript has segments')

  const text = textOf(segments)
  const isShort = segments.length <= TURN_SEGMENTS && text.length <= TURN_CHARS
  const forms: StoredForm[] = []
  for (const form of asked) {
    if (!isShort) await yieldToEventLoop()
    forms.push({ form, ...(await packMember(Buffer.from(RENDER[form](segments)))) })
  }
  return { forms, textSha256: sha256Of(text), words: countWords(text) }
}

/** The segments of a transcript, short or long. */
export async function segmentsOf(transcript: Transcript | LongTranscript): Promise<Segment[]> {
  if (!('stored' in transcript)) return transcript.segments
  const json = transcript.stored.forms.find(({ form }) => form === 'json')
  assert(json !== undefined, 'a stored transcript has its segments')
  return JSON.parse((await unpackMember(json.gzip, json)).toString()) as Segment[]
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}
