/**
 * Reads a stored transcript to write forms of it: in this thread, or in another one where it is so long that other work
 * would wait for it.
 */
import { openThreads } from '../../kit/threads.ts'
import type { Form } from '../../model/transcripts/formats.ts'
import { contentFacts, type RecordedForm } from '../../model/transcripts/recorded-forms.ts'
import {
  contentBytesOf,
  isBody,
  packBody,
  segmentsOfStored,
} from '../../model/transcripts/transcript-body.ts'
import { type WrittenForm, writeForms } from '../../model/transcripts/transcript-forms.ts'
import { writeForm } from '../../model/transcripts/write-form.ts'
import type { Db } from '../../store/database.ts'

/** Size of some four hours of speech, of which a form is written in 10 ms. */
export const WRITTEN_HERE_BYTES = 250_000
/** Size of what release 1.0.0 stored of as much. */
const OLD_WRITTEN_HERE_BYTES = 100_000

export type FormWriter = {
  /** Returns the forms in the order of `forms`. `stored` is a body or an old JSON member. */
  write(stored: Buffer, forms: readonly Form[]): Promise<WrittenForm[]>
  /**
   * Returns the body that has the words of an old JSON member, and what is recorded of forms as they are written of it;
   * made in the thread.
   */
  pack(json: Buffer, forms: readonly Form[]): Promise<PackedMember>
  close(): Promise<void>
}

/** What is needed to read texts. */
export type TextSource = { db: Db; formWriter: FormWriter }

/** Opens the writer; no thread starts before the first long transcript, and a process has one. */
export function openFormWriter(): FormWriter {
  const file = new URL(import.meta.url)
  const threads = openThreads<ThreadTasks>({ file, max: 1 })
  return {
    async write(stored, forms) {
      if (isLong(stored)) {
        const contents = await threads.run('writeInThread', { stored, forms })
        return forms.map((form, at) => ({ form, content: bufferOf(contents[at]) }))
      }
      const written: WrittenForm[] = []
      for await (const form of writeForms(segmentsOfStored(stored), forms)) written.push(form)
      return written
    },
    async pack(json, forms) {
      const packed = await threads.run('packInThread', { stored: json, forms })
      return { ...packed, body: bufferOf(packed.body) }
    },
    close: () => threads.close(),
  }
}

type PackedMember = { body: Buffer; recorded: RecordedForm[] }
type ThreadTasks = { writeInThread: typeof writeInThread; packInThread: typeof packInThread }
type ThreadOrder = { stored: Uint8Array; forms: readonly Form[] }

/** Writes forms; runs in the thread. */
export function writeInThread({ stored, forms }: ThreadOrder): Uint8Array[] {
  const segments = segmentsOfStored(stored)
  return forms.map((form) => writeForm(segments, form))
}

/** Packs a member; runs in the thread. */
export function packInThread({ stored, forms }: ThreadOrder): PackedMember {
  const segments = segmentsOfStored(stored)
  const recorded = forms.map((form) => ({ form, ...contentFacts(writeForm(segments, form)) }))
  return { body: packBody(segments), recorded }
}

/** Returns a buffer of bytes that came from the thread, where a buffer arrives as plain bytes. */
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
