/**
 * Reads forms of rows: written from their words, each transcript in a turn of the event loop of its own, a very long
 * one in a thread.
 */
import { readWordsOf, type RowForm, type RowKey } from '../../store/transcripts.ts'
import { yieldToEventLoop } from '../../kit/yield-to-event-loop.ts'
import type { Form } from '../../model/transcripts/formats.ts'
import type { TextSource } from './write-stored.ts'

export type FormsWanted = RowKey & { forms: readonly Form[] }

/** Returns the forms in no order; rows whose text is gone are missing. */
export async function readForms(
  { db, formWriter }: TextSource,
  wanted: readonly FormsWanted[],
): Promise<(RowKey & RowForm & { content: Buffer })[]> {
  const formsOf = new Map(wanted.map((row) => [keyOf(row), row.forms]))
  const read: (RowKey & RowForm & { content: Buffer })[] = []
  for (const { jobId, index, stored } of await readWordsOf(db, wanted)) {
    await yieldToEventLoop()
    const forms = formsOf.get(keyOf({ jobId, index })) ?? []
    for (const { form, content } of await formWriter.write(stored, forms))
      read.push({ jobId, index, form, content })
  }
  return read
}

function keyOf({ jobId, index }: RowKey): string {
  return `${jobId} ${index}`
}
