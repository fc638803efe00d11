/** Reads what a results page shows of transcripts: text and segments as stored JSON. */
import { byIndex } from './form-readers.ts'
import type { FormKey } from '../../model/transcripts/job-rows.ts'
import type { Db } from '../../store/database.ts'
import { listForms } from '../../store/transcripts.ts'

/** Complete JSON values, a string and an array, that are read when the page is sent. */
export type RowTexts = { text: FormKey; segments: FormKey }

/** Returns the texts by row index; rows without a transcript are missing. */
export async function findTexts(
  db: Db,
  jobId: string,
  rows: readonly { index: number }[],
): Promise<Map<number, RowTexts>> {
  const indexes = rows.map((row) => row.index)
  const recorded = await listForms(db, { jobId, indexes, forms: ['text', 'json'] })
  const texts = new Map<number, RowTexts>()
  for (const [index, { text, json }] of byIndex(recorded)) {
    if (text === undefined || json === undefined) continue
    texts.set(index, {
      text: { index, form: 'text', facts: text },
      segments: { index, form: 'json', facts: json },
    })
  }
  return texts
}
