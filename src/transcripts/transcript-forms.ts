/**
 * A transcript as it is stored: each form rendered and compressed, once and for all readers, or its words once, with
 * what is recorded of each form.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import {
  type Form,
  type Format,
  FORMATS,
  FORMS_ALWAYS,
  oneLineSegments,
  renderSegments,
  renderSrt,
  renderTextLiteral,
  renderVtt,
  requestedForms,
} from './formats.ts'
import { contentFacts, type Member, packMember, unpackMember } from './gzip-member.ts'
import { renderParagraphs } from '../text/paragraphs.ts'
import type { RecordedForm } from './recorded-forms.ts'
import { packBody } from './transcript-body.ts'
import { type Segment, textOf, type Transcript } from './transcript.ts'

/** `members`: each form is stored. `body`: the words are, and forms are made when they are read. */
export const TRANSCRIPT_STORAGES = ['members', 'body'] as const
export type TranscriptStorage = (typeof TRANSCRIPT_STORAGES)[number]

export type StoredForm = Member & { form: Form }

type TextFacts = {
  /** SHA-256 of the wire's `text`, hex. */
  textSha256: string
  /** Words of the text as white space parts them. */
  words: number
}

export type StoredTranscript = TextFacts & {
  /** `txt`, `json` and `text` always, `srt` and `vtt` where asked for. */
  forms: StoredForm[]
}

export type StoredBody = TextFacts & {
  body: Buffer
  /** What its forms are when they are made: the same ones as of a stored transcript. */
  recorded: RecordedForm[]
}

/** A transcript so long that it was rendered and compressed where it was read: in every form, and as a body. */
export type LongTranscript = Omit<Transcript, 'segments'> & { stored: LongStored }
export type LongStored = StoredTranscript & { body: Buffer }

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

/** A form as it is sent, of segments as `oneLineSegments` leaves them. */
export function renderForm(segments: readonly Segment[], form: Form): Buffer {
  return Buffer.from(RENDER[form](segments))
}

/** Whether rendering a form of it takes about a millisecond at most. */
export function isShort(segments: readonly Segment[]): boolean {
  if (segments.length > TURN_SEGMENTS) return false
  return segments.reduce((chars, { text }) => chars + text.length + 1, 0) <= TURN_CHARS
}

/** A transcript as a service with this setting stores it. */
export function keptTranscript(
  transcript: Transcript | LongTranscript,
  formats: readonly Format[],
  storage: TranscriptStorage,
): Promise<StoredTranscript | StoredBody> {
  return storage === 'body'
    ? storedBody(transcript, formats)
    : storedTranscript(transcript, formats)
}

/** What of it is stored, in bytes. */
export function storedBytes(stored: StoredTranscript | StoredBody): number {
  if ('recorded' in stored) return stored.body.length
  return stored.forms.reduce((bytes, { gzip }) => bytes + gzip.length, 0)
}

/** Renders and compresses every form that `formats` ask for. */
export async function storedTranscript(
  transcript: Transcript | LongTranscript,
  formats: readonly Format[],
): Promise<StoredTranscript> {
  const asked = formsAsked(formats)
  if ('stored' in transcript) {
    const { forms, textSha256, words } = transcript.stored
    return { forms: forms.filter(({ form }) => asked.includes(form)), textSha256, words }
  }
  const segments = wordsOf(transcript)
  const forms: StoredForm[] = []
  for await (const { form, content } of rendered(segments, asked))
    forms.push({ form, ...(await packMember(content)) })
  return { forms, ...textFacts(segments) }
}

/** Renders every form that `formats` ask for, to know what it is; stores the words once. */
export async function storedBody(
  transcript: Transcript | LongTranscript,
  formats: readonly Format[],
): Promise<StoredBody> {
  const asked = formsAsked(formats)
  if ('stored' in transcript) {
    const { forms, body, textSha256, words } = transcript.stored
    const recorded = forms
      .filter(({ form }) => asked.includes(form))
      .map(({ form, sizeBytes, crc32, sha256 }) => ({ form, sizeBytes, crc32, sha256 }))
    return { body, recorded, textSha256, words }
  }
  const segments = wordsOf(transcript)
  const recorded: RecordedForm[] = []
  for await (const { form, content } of rendered(segments, asked))
    recorded.push({ form, ...contentFacts(content) })
  return { body: await packBody(segments), recorded, ...textFacts(segments) }
}

/** Both, for a transcript of which it is not known how it will be stored. */
export async function longStored(transcript: Transcript): Promise<LongStored> {
  const stored = await storedTranscript(transcript, FORMATS)
  return { ...stored, body: await packBody(wordsOf(transcript)) }
}

/** The forms one after the other, of a long transcript in turns of the event loop. */
export async function* rendered<F extends Form>(
  segments: readonly Segment[],
  forms: readonly F[],
): AsyncGenerator<{ form: F; content: Buffer }, void> {
  const isInTurns = !isShort(segments)
  for (const form of forms) {
    if (isInTurns) await yieldToEventLoop()
    yield { form, content: renderForm(segments, form) }
  }
}

function formsAsked(formats: readonly Format[]): Form[] {
  return [...new Set<Form>([...FORMS_ALWAYS, ...requestedForms(formats)])]
}

function wordsOf(transcript: Transcript): Segment[] {
  const segments = oneLineSegments(transcript.segments)
  assert(segments.length > 0, 'a transcript has segments')
  return segments
}

function textFacts(segments: readonly Segment[]): TextFacts {
  const text = textOf(segments)
  return { textSha256: sha256Of(text), words: countWords(text) }
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
