/** Reads delivered transcripts: forms for files and results pages, and texts for readers. */
import assert from 'node:assert/strict'
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import { Problem } from '../../kit/problem.ts'
import type { Form } from '../../model/files/formats.ts'
import type { FileForm } from '../../model/files/catalogue.ts'
import type { DeliveredRow, FormKey, ReadForms } from '../../model/files/job-rows.ts'
import { keyOfRow, type RowKey } from '../../model/library/row-key.ts'
import type { PageAsk, ReadablePage } from '../../model/transcripts/readable-text.ts'
import type { WrittenForm } from '../../model/files/transcript-forms.ts'
import type { ContentFacts } from '../../model/files/recorded-forms.ts'
import type { Db } from '../../store/database.ts'
import { findDeletionSentence, findNamedRow } from '../../store/file-rows.ts'
import { findJob } from '../../store/jobs.ts'
import { findForms } from '../../store/transcripts.ts'
import type { TextSource } from './read-stored.ts'
import { readWordsOf, readWordTimesOf } from './text-store.ts'

/**
 * Returns the forms in no order; rows whose text is gone are missing. They are written from the rows' words, each
 * transcript in a turn of the event loop of its own, a very long one in a thread.
 */
export async function readForms(
  source: TextSource,
  wanted: readonly (RowKey & { forms: readonly Form[] })[],
): Promise<(RowKey & WrittenForm)[]> {
  const read: (RowKey & WrittenForm)[] = []
  for (const { jobId, index, stored } of await readWordsOf(source, wanted)) {
    await yieldToEventLoop()
    const row = wanted.find((one) => one.jobId === jobId && one.index === index)
    for (const { form, content } of await source.textReader.writeForms(stored, row?.forms ?? []))
      read.push({ jobId, index, form, content })
  }
  return read
}

/**
 * A transcript as a results page shows it: complete JSON values, a string and an array, that are read when the page
 * is sent.
 */
export type RowTexts = { text: FormKey; segments: FormKey }

/** Returns the texts by row index; rows without a transcript are missing. */
export async function findTexts(
  db: Db,
  jobId: string,
  rows: readonly { index: number }[],
): Promise<Map<number, RowTexts>> {
  const indexes = rows.map((row) => row.index)
  const recorded = await findForms(db, { jobId, indexes, forms: ['text', 'json'] })
  const texts = new Map<number, RowTexts>()
  for (const [index, { text, json }] of recorded) {
    if (text === undefined || json === undefined) continue
    texts.set(index, {
      text: { index, form: 'text', facts: text },
      segments: { index, form: 'json', facts: json },
    })
  }
  return texts
}

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
    const contents = new Map(read.map((one) => [keyOfForm(one, one.form), one.content]))
    for (const row of wanted)
      if (row.forms.some((form) => !contents.has(keyOfForm(row, form))))
        await refuseDeleted(source.db, row)
    return ({ index, form, facts }: FormKey) => {
      const row = rowOf(index)
      const content = row === undefined ? undefined : contents.get(keyOfForm(row, form))
      assert(content !== undefined, `the ${form} of row ${index} is stored`)
      assert(
        content.length === facts.sizeBytes,
        `the ${form} of row ${index} is as it was recorded`,
      )
      return content
    }
  }
}

/** Throws not_found where the text of a row that is being sent was deleted meanwhile. */
async function refuseDeleted(db: Db, row: RowKey): Promise<void> {
  const sentence = await findDeletionSentence(db, row)
  if (sentence !== null) throw new Problem('not_found', { message: sentence })
}

function keyOfForm(row: RowKey, form: Form): string {
  return `${keyOfRow(row)} ${form}`
}

type TranscriptInput = PageAsk & {
  accountId: string
  jobId: string
  index: number
  /** True for lines in which each word has its time, where such times are kept. */
  hasWords?: boolean
}

export type ReadTranscript = ReadablePage & {
  title: string | null
  videoId: string | null
  /** Whether the page is of words with their times. */
  hasWords: boolean
}

/** Returns a page of a text to read; null where the account has no such job, or the row no transcript. */
export async function readTranscript(
  source: TextSource,
  { accountId, jobId, index, hasWords = false, ...ask }: TranscriptInput,
): Promise<ReadTranscript | null> {
  const { db, textReader } = source
  if ((await findJob(db, { accountId, jobId })) === null) return null
  const key = { jobId, index }
  const [row, [found], [times]] = await Promise.all([
    findNamedRow(db, key),
    readWordsOf(source, [key]),
    readWordTimesOf(source, hasWords ? [key] : []),
  ])
  if (row === null || found === undefined) return null
  const page = await (times === undefined
    ? textReader.readPage(found.stored, ask)
    : textReader.readWordPage(found.stored, { ...ask, wordTimes: times.wordTimes }))
  return { title: row.title, videoId: row.videoId, hasWords: times !== undefined, ...page }
}
