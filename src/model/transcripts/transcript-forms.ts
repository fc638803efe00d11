/**
 * A transcript as it is stored: each form rendered and compressed, once and for all readers, or its words once, with
 * what is recorded of each form.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { yieldToEventLoop } from '../../kit/yield-to-event-loop.ts'
import {
  type Form,
  type Format,
  FORMATS,
  FORMS_ALWAYS,
  oneLineSegments,
  requestedForms,
} from './formats.ts'
import { type Member, unpackMember } from './gzip-member.ts'
import { type Lines, linesOf } from './lines.ts'
import { packedMember } from './packed-forms.ts'
import type { RecordedForm } from './recorded-forms.ts'
import { packBody } from './transcript-body.ts'
import type { Segment, Transcript } from './transcript.ts'

/** `members`: each form is stored. `body`: the words are, and forms are made when they are read. */
export const TRANSCRIPT_STORAGES = ['members', 'body'] as const
export type TranscriptStorage = (typeof TRANSCRIPT_STORAGES)[number]

export type StoredForm = Member & { form: Form }
/** Told of each form that is compressed. */
export type OnForm = (member: Member) => void

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
export type LongStored = StoredTranscript & {
  /** Null for one so long that making a form of it would keep everybody else waiting: it is stored as members. */
  body: Buffer | null
}

/** From here on, in segments or bytes, each form is made in a turn of the event loop of its own. */
const TURN_SEGMENTS = 1_000
const TURN_BYTES = 32_768

/** Some eight hours of speech, of which a form is written and compressed in a turn of 10 to 20 ms. */
export const BODY_SEGMENTS_MAX = 15_000
export const BODY_BYTES_MAX = 500_000

/** A transcript as a service with this setting stores it. */
export function keptTranscript(
  transcript: Transcript | LongTranscript,
  formats: readonly Format[],
  { storage, onForm }: { storage: TranscriptStorage; onForm?: OnForm },
): Promise<StoredTranscript | StoredBody> {
  const isBody = storage === 'body' && !('stored' in transcript && transcript.stored.body === null)
  return (isBody ? storedBody : storedTranscript)(transcript, formats, onForm)
}

/** What of it is stored, in bytes. */
export function storedBytes(stored: StoredTranscript | StoredBody): number {
  if ('recorded' in stored) return stored.body.length
  return stored.forms.reduce((bytes, { gzip }) => bytes + gzip.length, 0)
}

/** Every form that `formats` ask for, compressed. */
export async function storedTranscript(
  transcript: Transcript | LongTranscript,
  formats: readonly Format[],
  onForm: OnForm = () => undefined,
): Promise<StoredTranscript> {
  const asked = formsAsked(formats)
  if ('stored' in transcript) {
    const { forms, textSha256, words } = transcript.stored
    return { forms: forms.filter(({ form }) => asked.includes(form)), textSha256, words }
  }
  const lines = linesOf(wordsOf(transcript))
  const forms: StoredForm[] = []
  for await (const form of inTurnsIfLong(lines, asked)) {
    const member = packedMember(lines, form)
    onForm(member)
    forms.push({ form, ...member })
  }
  return { forms, ...textFacts(lines) }
}

/** Writes every form that `formats` ask for, to know what it is; stores the words once. */
export async function storedBody(
  transcript: Transcript | LongTranscript,
  formats: readonly Format[],
  onForm: OnForm = () => undefined,
): Promise<StoredBody> {
  const asked = formsAsked(formats)
  if ('stored' in transcript) {
    const { forms, body, textSha256, words } = transcript.stored
    assert(body !== null, 'a transcript that is stored as a body has one')
    const recorded = forms.filter(({ form }) => asked.includes(form)).map(recordedForm)
    return { body, recorded, textSha256, words }
  }
  const lines = linesOf(wordsOf(transcript))
  const recorded: RecordedForm[] = []
  for await (const form of inTurnsIfLong(lines, asked)) {
    const member = packedMember(lines, form)
    onForm(member)
    recorded.push(recordedForm({ form, ...member }))
  }
  return { body: await packBody(lines), recorded, ...textFacts(lines) }
}

/** What is recorded of a form, without its bytes. */
export function recordedForm(stored: StoredForm): RecordedForm {
  const { form, sizeBytes, gzipBytes, crc32, sha256 } = stored
  return { form, sizeBytes, gzipBytes, crc32, sha256 }
}

/** Both, for a transcript of which it is not known how it will be stored. */
export async function longStored(transcript: Transcript): Promise<LongStored> {
  const stored = await storedTranscript(transcript, FORMATS)
  const lines = linesOf(wordsOf(transcript))
  const { segments, bytes } = lines
  const isBody = segments.length <= BODY_SEGMENTS_MAX && bytes.length <= BODY_BYTES_MAX
  return { ...stored, body: isBody ? await packBody(lines) : null }
}

/** Forms, or what is to become of them, one after the other; those of a long transcript in turns of the event loop. */
export async function* inTurnsIfLong<F>(
  { segments, bytes }: Lines,
  forms: readonly F[],
): AsyncGenerator<F, void> {
  const isLong = segments.length > TURN_SEGMENTS || bytes.length > TURN_BYTES
  for (const form of forms) {
    if (isLong) await yieldToEventLoop()
    yield form
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

/** Of the wire's `text`, which is the lines with blanks between them. */
function textFacts({ bytes }: Lines): TextFacts {
  const text = Buffer.from(bytes)
  let words = 0
  let isAscii = true
  let isBlank = true
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0
    if (byte === LINE_FEED) text[at] = BLANK
    const wasBlank = isBlank
    isBlank = byte <= BLANK
    if (wasBlank && !isBlank) words += 1
    if (byte > ASCII_MAX) isAscii = false
  }
  return {
    textSha256: createHash('sha256').update(text).digest('hex'),
    words: isAscii ? words : (text.toString().match(/\S+/g)?.length ?? 0),
  }
}

const LINE_FEED = 10
const BLANK = 32
const ASCII_MAX = 127

/** The segments of a transcript, short or long. */
export async function segmentsOf(transcript: Transcript | LongTranscript): Promise<Segment[]> {
  if (!('stored' in transcript)) return transcript.segments
  const json = transcript.stored.forms.find(({ form }) => form === 'json')
  assert(json !== undefined, 'a stored transcript has its segments')
  return JSON.parse((await unpackMember(json.gzip, json)).toString()) as Segment[]
}
