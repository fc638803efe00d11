/** Reads delivered transcripts: forms for files and results pages, and texts for readers. */
import assert from 'node:assert/strict'
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import type { FileForm, Form } from '../../model/transcripts/formats.ts'
import type { DeliveredRow, FormKey, ReadForms } from '../../model/transcripts/job-rows.ts'
import { segmentPieces, timedLines } from '../../model/transcripts/readable-text.ts'
import type { ContentFacts } from '../../model/transcripts/recorded-forms.ts'
import type { Segment } from '../../model/transcripts/transcript.ts'
import type { Db } from '../../store/database.ts'
import { findNamedRow } from '../../store/file-rows.ts'
import { findJob } from '../../store/jobs.ts'
import { listForms, readWordsOf, type RowForm, type RowKey } from '../../store/transcripts.ts'
import type { TextSource } from './write-stored.ts'

// Reads forms of rows: written from their words, each transcript in a turn of the event loop of its own, a very
// long one in a thread.

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

// Reads what a results page shows of transcripts: text and segments as stored JSON.

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

// The forms of delivered rows, as files and pages read them: those that are asked for at once, by one statement.

/** Returns what is recorded of one form of a row; the caller asks only for forms that the row has. */
export function factsOf(row: DeliveredRow, form: FileForm): ContentFacts {
  const facts = row.forms[form]
  assert(facts !== undefined, `row ${row.index} has its ${form}`)
  return facts
}

export function formsOfJob(source: TextSource, jobId: string): ReadForms {
  return formReader(source, (index) => ({ jobId, index }))
}

/** Returns a reader for rows of several jobs, each under a number of the caller's. */
export function formReader(
  source: TextSource,
  rowOf: (index: number) => RowKey | undefined,
): ReadForms {
  return async (keys) => {
    const wanted = [...Map.groupBy(keys, ({ index }) => index)].flatMap(([index, ofRow]) => {
      const row = rowOf(index)
      return row === undefined ? [] : [{ ...row, forms: ofRow.map(({ form }) => form) }]
    })
    const read = await readForms(source, wanted)
    const contents = new Map(read.map((one) => [nameOf(one, one.form), one.content]))
    return ({ index, form, facts }: FormKey) => {
      const row = rowOf(index)
      const content = row === undefined ? undefined : contents.get(nameOf(row, form))
      assert(content !== undefined, `the ${form} of row ${index} is stored`)
      assert(
        content.length === facts.sizeBytes,
        `the ${form} of row ${index} is as it was recorded`,
      )
      return content
    }
  }
}

function nameOf({ jobId, index }: RowKey, form: Form): string {
  return `${jobId} ${index} ${form}`
}

/** Returns the rows by index and form. */
export function byIndex<Row extends RowForm>(
  rows: readonly Row[],
): Map<number, Partial<Record<Form, Row>>> {
  const found = new Map<number, Partial<Record<Form, Row>>>()
  for (const row of rows) {
    const forms = found.get(row.index) ?? {}
    forms[row.form] = row
    found.set(row.index, forms)
  }
  return found
}

// Reads one delivered transcript as text: readable paragraphs, or lines with their times.

export type TranscriptInput = {
  accountId: string
  jobId: string
  index: number
  isTimed: boolean
}

export type ReadableTranscript = { title: string | null; videoId: string | null; text: string }

/** Number of characters parsed and written in one turn of the event loop: a millisecond's work. */
const PIECE_CHARS = 64 * 1024

/** Returns the text; null where the account has no such job, or the row no transcript. */
export async function readTranscript(
  source: TextSource,
  { accountId, jobId, index, isTimed }: TranscriptInput,
): Promise<ReadableTranscript | null> {
  if ((await findJob(source.db, { accountId, jobId })) === null) return null
  const [row, text] = await Promise.all([
    findNamedRow(source.db, { jobId, index }),
    isTimed ? timed(source, { jobId, index }) : plain(source, { jobId, index }),
  ])
  if (row === null || text === null) return null
  return { title: row.title, videoId: row.videoId, text }
}

async function plain(source: TextSource, row: RowKey): Promise<string | null> {
  const [found] = await readForms(source, [{ ...row, forms: ['txt'] }])
  return found?.content.toString() ?? null
}

async function timed(source: TextSource, row: RowKey): Promise<string | null> {
  const [found] = await readForms(source, [{ ...row, forms: ['json'] }])
  if (found === undefined) return null
  const lines: string[] = []
  for (const piece of segmentPieces(found.content.toString(), PIECE_CHARS)) {
    if (lines.length > 0) await yieldToEventLoop()
    lines.push(timedLines(JSON.parse(piece) as Segment[]))
  }
  return lines.join('')
}
