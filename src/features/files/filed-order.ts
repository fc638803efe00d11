/**
 * Orders of which files are made, as they stood when a file was opened: a job, or the jobs of a batch one after the
 * other. A file holds the texts that the order brought, or also those that other orders brought for its rows.
 */
import { inTurns } from '../../kit/concurrency.ts'
import { Problem } from '../../kit/problem.ts'
import { LIMITS } from '../../config/config.ts'
import { isFinal, textsDeleted } from '../../model/jobs/job.ts'
import { keyOfRow, type RowKey } from '../../model/library/row-key.ts'
import type { LibraryRow } from '../../model/library/collection.ts'
import type { FileForm } from '../../model/files/catalogue.ts'
import { titledStem } from '../../model/files/file-names.ts'
import type { DeliveredRow, ReadForms } from '../../model/files/job-rows.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import type { Db } from '../../store/database.ts'
import {
  type FinishedVideo,
  listLastIndexes,
  listReported,
  type Snapshot,
} from '../../store/file-rows.ts'
import { findJob, type JobRecord, listJobsOfBatch } from '../../store/jobs.ts'
import { listRows, listTextsOfJob } from '../../store/library-rows.ts'
import { factsOfForms, listRecorded, type RecordedForms } from '../../store/transcripts.ts'
import { readBatch } from '../batches/batches.ts'
import { titleOf } from '../jobs/job-names.ts'
import { withTextRows } from '../library/text-rows.ts'
import { formReader } from '../transcripts/read-transcripts.ts'
import type { TextSource } from '../transcripts/read-stored.ts'

export type OrderKey = { jobId: string } | { batchId: string }

/** Texts of an order that a file is made of. */
export type OrderTerms = {
  /** Number of a job's rows, in order of completion, that are left out: only what finished after them is taken. */
  after?: number | undefined
  /** `all`: with the texts that other orders of the account brought for its rows. */
  texts?: 'all' | undefined
}

export type OrderOfFile = OrderKey & OrderTerms
export type OrderAsked = OrderOfFile & { accountId: string }

/** Returns whether a file is one of an order, and of nothing else. */
export function isOrder<Other extends object>(of: OrderOfFile | Other): of is OrderOfFile {
  return 'jobId' in of || 'batchId' in of
}

/** A job whose rows stand under their indexes, raised by `raisedBy`. */
type Part = { job: JobRecord; snapshot: Snapshot; raisedBy: number }

export type FiledOrder = {
  id: string
  kind: 'job' | 'batch'
  createdAt: Date
  isFinal: boolean
  formats: readonly string[]
  hasEarlier: boolean
  parts: readonly Part[]
  /** Reads what the order is called. */
  title(): Promise<string>
}

/** Returns null where the account has no such order. */
export async function findFiledOrder(db: Db, asked: OrderAsked): Promise<FiledOrder | null> {
  const { accountId, after = 0, texts } = asked
  const hasEarlier = texts === 'all'
  if ('jobId' in asked) {
    const job = await findJob(db, asked)
    if (job === null) return null
    const { id, createdAt, formats } = job
    const snapshot = { jobId: id, doneAfter: after, doneMax: job.processed }
    const parts = [{ job, snapshot, raisedBy: 0 }]
    const title = async () => titleOf(db, job)
    const facts = { id, createdAt, formats, isFinal: isFinal(job.state) }
    return { kind: 'job', ...facts, hasEarlier, parts, title }
  }
  const found = await readBatch(db, asked)
  if (found === null) return null
  const { id, createdAt, formats, state } = found.batch
  const jobs = await listJobsOfBatch(db, { accountId, batchId: id })
  const lasts = await listLastIndexes(db, jobs)
  let raisedBy = 0
  const parts = jobs.map((job): Part => {
    const part = { ...wholePart(job), raisedBy }
    raisedBy += lasts.get(job.id) ?? 0
    return part
  })
  const isOver = state !== 'running' && jobs.every((job) => isFinal(job.state))
  const facts = { id, createdAt, formats, isFinal: isOver }
  return { kind: 'batch', ...facts, hasEarlier, parts, title: async () => found.title }
}

/** Returns what a file of the whole order is called before its ending; all texts have a name of their own. */
export async function stemOfOrder(order: FiledOrder): Promise<string> {
  const { id, createdAt: at, hasEarlier } = order
  return `${titledStem({ title: await order.title(), id, at })}${hasEarlier ? ' all' : ''}`
}

/** A finished row of a job under its place in the file, with the one that holds its text; null where there is none. */
type PlacedRow = FinishedVideo & { jobId: string; place: number; textRow: RowKey | null }

/** Returns a job as it stands now, whose rows have their own places. */
export function wholePart(job: JobRecord): Part {
  return { job, snapshot: { jobId: job.id, doneAfter: 0, doneMax: job.processed }, raisedBy: 0 }
}

/**
 * Yields the finished rows in the order of their places, a few hundred at a time. A batch lists what it brought again
 * in each of its jobs: a video that was there already is left out.
 */
export async function* rowsOfOrder(
  db: Db,
  { parts }: { parts: readonly Part[] },
): AsyncGenerator<PlacedRow[], void> {
  const seen = new Set<string | null>()
  for (const { job, snapshot, raisedBy } of parts) {
    const ofPart: (string | null)[] = []
    for (let [after, isMore] = [0, true]; isMore;) {
      const limit = LIMITS.reportRowsAtOnce
      const page = await listReported(db, { ...snapshot, after, limit })
      const rows = page.filter(({ status, videoId }) => {
        return status !== 'unchanged' || !seen.has(videoId)
      })
      const placed = await withTextRows(db, job, rows)
      yield placed.map((row) => ({ ...row, jobId: job.id, place: raisedBy + row.index }))
      for (const { videoId, textRow } of placed) if (textRow !== null) ofPart.push(videoId)
      after = page.at(-1)?.index ?? after
      isMore = page.length === limit
    }
    for (const videoId of ofPart) seen.add(videoId)
  }
}

/** A text under its place in the file; its row is that of the job that brought it. */
export type PlacedText = { place: number; row: LibraryRow; recorded: RecordedForms }

/**
 * Returns the texts in the order of their places, each once; those that are deleted are missing. Throws not_found with
 * a message of its own where the order has none but deleted ones.
 */
export async function readTextsOfOrder(db: Db, order: FiledOrder): Promise<PlacedText[]> {
  const texts = order.hasEarlier ? await allTexts(db, order) : await ownTexts(db, order)
  if (texts.length > 0) return texts
  const jobs = order.parts.map(({ job }) => job)
  const deleted = jobs.reduce((sum, job) => sum + job.deletedTexts, 0)
  // A part of an order that has no text may be of one that has some.
  if (deleted > 0 && deleted === jobs.reduce((sum, job) => sum + job.counts.success, 0))
    throw new Problem('not_found', { message: NO_TEXTS_LEFT })
  const deletedAt = order.parts.find(({ job }) => job.textsDeletedAt !== null)?.job.textsDeletedAt
  if (deletedAt == null) return texts
  throw new Problem('not_found', { message: textsDeleted(deletedAt) })
}

const NO_TEXTS_LEFT = 'You deleted all texts of this order; its rows say when.'

async function ownTexts(db: Db, { parts }: FiledOrder): Promise<PlacedText[]> {
  const texts: PlacedText[] = []
  for (const { job, snapshot, raisedBy } of parts) {
    if (job.textsDeletedAt !== null) continue
    const rows = await listTextsOfJob(db, snapshot)
    const named = snapshot.doneAfter === 0 ? { jobId: job.id } : { named: rows }
    const recorded = await listRecorded(db, named)
    const placeOf = ({ index }: LibraryRow): number => raisedBy + index
    await inTurns(addSteps(texts, { rows, recorded, placeOf }))
  }
  return texts
}

async function allTexts(db: Db, order: FiledOrder): Promise<PlacedText[]> {
  const texts: PlacedText[] = []
  const placed = new Set<string>()
  for await (const page of rowsOfOrder(db, order)) {
    const places = new Map<string, number>()
    const named: RowKey[] = []
    for (const { place, textRow } of page) {
      if (textRow === null || placed.has(keyOfRow(textRow))) continue
      placed.add(keyOfRow(textRow))
      places.set(keyOfRow(textRow), place)
      named.push(textRow)
    }
    const placeOf = (row: LibraryRow): number => places.get(keyOfRow(row)) ?? 0
    const [found, recorded] = await Promise.all([listRows(db, named), listRecorded(db, { named })])
    const rows = found.toSorted((a, b) => placeOf(a) - placeOf(b))
    await inTurns(addSteps(texts, { rows, recorded, placeOf }))
  }
  return texts
}

type Found = {
  rows: readonly LibraryRow[]
  recorded: readonly RecordedForms[]
  placeOf: (row: LibraryRow) => number
}

/** Adds those rows whose text is kept, in steps. */
function* addSteps(texts: PlacedText[], { rows, recorded, placeOf }: Found): Steps<void> {
  const byRow = new Map<string, RecordedForms>()
  yield* eachInSteps(recorded, (found) => {
    byRow.set(keyOfRow(found), found)
  })
  yield* eachInSteps(rows, (row) => {
    const found = byRow.get(keyOfRow(row))
    if (found !== undefined) texts.push({ place: placeOf(row), row, recorded: found })
  })
}

/** Returns the texts as rows of the file, in steps, with what is recorded of these forms. */
export function* deliveredSteps(
  texts: readonly PlacedText[],
  forms: readonly FileForm[],
): Steps<DeliveredRow[]> {
  const rows: DeliveredRow[] = []
  yield* eachInSteps(texts, ({ place, row, recorded }) => {
    rows.push({ ...row, index: place, forms: factsOfForms(recorded, forms) })
  })
  return rows
}

/** Returns the reader of the forms of these texts, which knows them by their places. */
export function readerOfTexts(source: TextSource, texts: readonly PlacedText[]): ReadForms {
  const keys = new Map(texts.map(({ place, row: { jobId, index } }) => [place, { jobId, index }]))
  return formReader(source, (place) => keys.get(place))
}
