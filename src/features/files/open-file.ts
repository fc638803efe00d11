/** Opens a file of a job for sending: its name, type, length and bytes. */
import { cost, formatUsd } from '../../model/money/money.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { Problem } from '../../kit/problem.ts'
import {
  findDeletionSentence,
  findNamedRow,
  listDelivered,
  listReported,
  type Snapshot,
} from '../../store/file-rows.ts'
import { findJob, type JobRecord } from '../../store/jobs.ts'
import { findForms } from '../../store/transcripts.ts'
import { FORMS_ALWAYS, requestedForms } from '../../model/files/formats.ts'
import {
  FILE_FORMS,
  type FileForm,
  type Format,
  FORMS,
  WHOLES,
} from '../../model/files/catalogue.ts'
import { titleOf } from '../jobs/job-names.ts'
import { allTextSteps } from './all-text.ts'
import { type ArchiveOrder, archiveSteps } from './archive.ts'
import type { TableStyle } from '../../kit/text/csv.ts'
import type { FileBody, HashedBody } from '../../kit/file-body.ts'
import type { RecordedRef } from '../../model/files/addresses.ts'
import {
  type Naming,
  REPORT_NAME,
  stemOf,
  titledStem,
  wholeFileName,
} from '../../model/files/file-names.ts'
import type { DeliveredRow, ReadReportRows } from '../../model/files/job-rows.ts'
import { atOnce } from '../../model/transcripts/steps.ts'
import { formsOfJob } from '../transcripts/read-transcripts.ts'
import { requireTexts } from './export-texts.ts'
import { reportOf } from './report.ts'
import { splice } from './splice.ts'
import type { TextSource } from '../transcripts/read-stored.ts'

export type ZipOptions = {
  /** How files are called, in the ZIP and where they are saved. */
  naming: Naming
  /** The forms that go into the ZIP, as far as each text has them; without it, those that the job was asked for. */
  forms?: readonly FileForm[] | undefined
}

/** How a file is made; the report in a ZIP is plain. */
type FileOptions = ZipOptions & TableStyle

export type FileInput = FileOptions & {
  accountId: string
  jobId: string
  ref: RecordedRef
  /** Number of rows, in order of completion, that are left out: the file is made of those that finished after them. */
  after?: number | undefined
}

/**
 * How stable a file is. A file of a final job changes only when its owner deletes texts; of a running one it is a
 * snapshot of the opening, and differs at every look. A collection's changes when something comes to it, and stays the same between.
 */
type Stability = 'final' | 'snapshot' | 'growing'

/** `sha256` is in hex, of the content or of what determines it (archive.ts, all-text.ts). */
type Content = { sha256: string; body: FileBody }

export type OpenFile = Content & {
  contentType: string
  /** The name under which it is saved. */
  name: string
  stability: Stability
}

type Opening = {
  source: TextSource
  job: JobRecord
  snapshot: Snapshot
  input: FileOptions
}

/**
 * Opens the file; null where the account has no such job, or the job no such file. Bytes are read when sent. Throws
 * not_found with a message of its own for a file made of texts that are deleted; the report is made of rows only.
 */
export async function openFile(source: TextSource, input: FileInput): Promise<OpenFile | null> {
  const { ref } = input
  const job = await findJob(source.db, input)
  if (job === null) return null

  if (ref.file !== REPORT_NAME) requireTexts(job)
  const snapshot = { jobId: job.id, doneAfter: input.after ?? 0, doneMax: job.processed }
  const opening = { source, job, snapshot, input }
  const content = await contentOf(ref, opening)
  if (content === null) return null
  const stability = isFinal(job.state) ? 'final' : 'snapshot'
  const { media: contentType } = ref.kind === 'form' ? FORMS[ref.file] : WHOLES[ref.file]
  return { stability, contentType, ...content, name: await fileName(ref, opening) }
}

async function fileName(ref: RecordedRef, opening: Opening): Promise<string> {
  const { source, job, input } = opening
  if (ref.kind === 'form') return `${await stemOfRow(ref.index, opening)}.${ref.file}`
  if (input.naming === 'index') return wholeFileName(ref.file, { jobId: job.id })
  const title = await titleOf(source.db, job)
  return wholeFileName(ref.file, { stem: titledStem({ title, id: job.id, at: job.createdAt }) })
}

async function contentOf(ref: RecordedRef, opening: Opening): Promise<Content | null> {
  const { source, job, input } = opening
  const read = formsOfJob(source, job.id)
  if (ref.kind === 'form') {
    const { index, file: form } = ref
    const found = await findForms(source.db, { jobId: job.id, indexes: [index], forms: [form] })
    const facts = found.get(index)?.[form]
    if (facts === undefined) {
      const message = await findDeletionSentence(source.db, { jobId: job.id, index })
      if (message !== null) throw new Problem('not_found', { message })
      return null
    }
    return { sha256: facts.sha256, body: splice([[{ index, form, facts }]], read) }
  }
  switch (ref.file) {
    case 'zip':
      return withHash(atOnce(archiveSteps(await zipOrder(opening))))
    case 'all.txt':
      return withHash(atOnce(allTextSteps(await deliveredRows(opening, ['txt']), read)))
    case 'report.csv':
      return withHash(await reportOfSnapshot(opening, input))
    default:
      return ref satisfies never
  }
}

function withHash(body: FileBody & { sha256: string }): Content {
  return { sha256: body.sha256, body }
}

/** Returns what a job's ZIP is made of: what it had delivered when it was read. */
export async function zipOrder(opening: Opening): Promise<ArchiveOrder> {
  const { source, job, input } = opening
  const asked = requestedForms(job.formats as Format[])
  const made = FILE_FORMS.filter((form) => FORMS_ALWAYS.includes(form) || asked.includes(form))
  const forms =
    input.forms === undefined ? asked : made.filter((form) => input.forms?.includes(form))
  // What is recorded of `txt` and `json` is always read: all-transcripts.txt is made of one, the other sizes exports.
  const stored = FILE_FORMS.filter((form) => FORMS_ALWAYS.includes(form) || forms.includes(form))
  const [rows, report] = await Promise.all([
    deliveredRows(opening, stored),
    reportOfSnapshot(opening, { bom: false }),
  ])
  return { rows, forms, naming: input.naming, report, read: formsOfJob(source, job.id) }
}

/** Returns the delivered rows with what is recorded of these forms. */
async function deliveredRows(
  { source: { db }, snapshot }: Opening,
  forms: readonly FileForm[],
): Promise<DeliveredRow[]> {
  const { jobId, doneAfter } = snapshot
  const listing = listDelivered(db, snapshot)
  listing.catch(() => undefined) // a failure is met where it is awaited
  const indexes = doneAfter === 0 ? null : (await listing).map(({ index }) => index)
  const formsOf = await findForms(db, { jobId, indexes, forms })
  // A text that was deleted between the two has no forms.
  return (await listing).flatMap((row) => {
    const found = formsOf.get(row.index)
    return found === undefined ? [] : [{ ...row, forms: found }]
  })
}

/** Rows that are finished stay as they are until their texts are deleted, so that a snapshot has one report. */
function reportOfSnapshot(opening: Opening, { bom, separator }: TableStyle): Promise<HashedBody> {
  const { jobId, doneAfter, doneMax } = opening.snapshot
  const name = `${jobId} ${doneAfter} ${doneMax} ${opening.job.deletedTexts}`
  return reportOf(reportRows(opening), { bom, separator, name })
}

function reportRows({ source: { db }, snapshot }: Opening): ReadReportRows {
  return async (input) => {
    const rows = await listReported(db, { ...snapshot, ...input })
    return rows.map((row) => {
      return { ...row, chargedUsd: formatUsd(cost(row.status === 'success' ? 1 : 0)) }
    })
  }
}

async function stemOfRow(index: number, { source, job, input }: Opening): Promise<string> {
  const row =
    input.naming === 'index' ? null : await findNamedRow(source.db, { jobId: job.id, index })
  return row === null ? String(index) : stemOf(row, 'title', String(row.indexMax).length)
}
