/**
 * Reads a stored transcript to write forms of it: here, or in a thread where it is so long that others would wait for it.
 */
import { Tinypool } from 'tinypool'
import type { Form } from '../../model/transcripts/formats.ts'
import { contentFacts, type RecordedForm } from '../../model/transcripts/recorded-forms.ts'
import {
  contentBytesOf,
  isBody,
  packBody,
  segmentsOfStored,
  segmentsOfStoredSync,
} from '../../model/transcripts/transcript-body.ts'
import { type WrittenForm, writeForms } from '../../model/transcripts/transcript-forms.ts'
import { writeForm } from '../../model/transcripts/write-form.ts'

/** Some four hours of speech, of which a form is written in 10 ms. */
export const WRITTEN_HERE_BYTES = 250_000
/** What release 1.0.0 stored of as much. */
const OLD_WRITTEN_HERE_BYTES = 100_000
const THREAD_IDLE_MS = 60_000

let pool: Tinypool | null = null

/** `stored`: a body or an old JSON member. In the order of `forms`. */
export async function writeStored(stored: Buffer, forms: readonly Form[]): Promise<WrittenForm[]> {
  if (isLong(stored)) {
    const order = { stored: new Uint8Array(stored), forms }
    const contents = (await threads().run(order, { name: 'writeInThread' })) as Uint8Array[]
    return forms.map((form, at) => ({ form, content: bufferOf(contents[at]) }))
  }
  const written: WrittenForm[] = []
  for await (const form of writeForms(await segmentsOfStored(stored), forms)) written.push(form)
  return written
}

/**
 * The body that has the words of an old JSON member, and what is recorded of forms as they are written of it; made in a
 * thread.
 */
export async function bodyOfMember(json: Buffer, forms: readonly Form[]): Promise<PackedMember> {
  const order = { stored: new Uint8Array(json), forms }
  const packed = (await threads().run(order, { name: 'packInThread' })) as PackedMember
  return { ...packed, body: bufferOf(packed.body) }
}

type PackedMember = { body: Buffer; recorded: RecordedForm[] }
type ThreadOrder = { stored: Uint8Array; forms: readonly Form[] }

/** Run by a thread of the pool. */
export function writeInThread({ stored, forms }: ThreadOrder): Uint8Array[] {
  const segments = segmentsOfStoredSync(stored)
  return forms.map((form) => writeForm(segments, form))
}

/** Run by a thread of the pool. */
export async function packInThread({ stored, forms }: ThreadOrder): Promise<PackedMember> {
  const segments = segmentsOfStoredSync(stored)
  const recorded = forms.map((form) => ({ form, ...contentFacts(writeForm(segments, form)) }))
  return { body: await packBody(segments), recorded }
}

/** A buffer arrives as plain bytes. */
function bufferOf(bytes: Uint8Array | undefined): Buffer {
  return bytes === undefined
    ? Buffer.alloc(0)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function isLong(stored: Buffer): boolean {
  return isBody(stored)
    ? contentBytesOf(stored) > WRITTEN_HERE_BYTES
    : stored.length > OLD_WRITTEN_HERE_BYTES
}

function threads(): Tinypool {
  return (pool ??= new Tinypool({
    filename: import.meta.url,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: THREAD_IDLE_MS,
    execArgv: [],
  }))
}
