/** Opens a file of a job or a batch for sending: its name, type, length and bytes. */
import { cost, formatUsd } from '../../model/money/money.ts'
import { textsDeleted } from '../../model/jobs/job.ts'
import { Problem } from '../../kit/problem.ts'
import { inTurns } from '../../kit/concurrency.ts'
import { csvHead, type TableStyle } from '../../kit/text/csv.ts'
import { findDeletionSentence, findNamedRow, listReported } from '../../store/file-rows.ts'
import { listRows } from '../../store/library-rows.ts'
import type { Db } from '../../store/database.ts'
import { findForms } from '../../store/transcripts.ts'
import { FORMS_ALWAYS, requestedForms } from '../../model/files/formats.ts'
import {
  FILE_FORMS,
  type FileForm,
  type Format,
  FORMS,
  WHOLES,
} from '../../model/files/catalogue.ts'
import { allTextSteps } from './all-text.ts'
import { type ArchiveOrder, archiveSteps, requireRoom } from './archive.ts'
import type { FileBody, HashedBody } from '../../kit/file-body.ts'
import type { RecordedRef } from '../../model/files/addresses.ts'
import { type Naming, stemOf, wholeFileName } from '../../model/files/file-names.ts'
import { type DeliveredRow, type ReadReportRows, reportLine } from '../../model/files/job-rows.ts'
import { keyOfRow, type RowKey } from '../../model/library/row-key.ts'
import { findRowWithText } from '../library/read-library.ts'
import { formsOfJob } from '../transcripts/read-transcripts.ts'
import {
  deliveredSteps,
  type FiledOrder,
  findFiledOrder,
  type OrderAsked,
  type PlacedText,
  readerOfTexts,
  readTextsOfOrder,
  rowsOfOrder,
  stemOfOrder,
} from './filed-order.ts'
import { keptText } from './kept-text.ts'
import { REPORTED_COLUMNS, reportOf } from './report.ts'
import { splice } from './splice.ts'
import type { TextSource } from '../transcripts/read-stored.ts'

export type ZipOptions = {
  /** How files are called, in the ZIP and where they are saved. */
  naming: Naming
  /** The forms that go into the ZIP, as far as each text has them; without it, those that the job was asked for. */
  forms?: readonly FileForm[] | undefined
}

/** How a file is made; the report in a ZIP is plain. */
type FileInput = ZipOptions & TableStyle & OrderAsked & { ref: RecordedRef }

/**
 * How stable a file is. A file of a final job changes only when its owner deletes texts; of a running one it is a
 * snapshot of the opening, and differs at every look. One that holds texts of other orders changes when something
 * comes to it or goes, and stays the same between, as a collection's does.
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

type Opening = { source: TextSource; order: FiledOrder; input: FileInput }

/**
 * Opens the file; null where the account has no such order, or the order no such file. Bytes are read when sent. Throws
 * not_found with a message of its own for a file made of texts that are deleted; the report is made of rows only.
 */
export async function openFile(source: TextSource, input: FileInput): Promise<OpenFile | null> {
  const { ref } = input
  const order = await findFiledOrder(source.db, input)
  if (order === null) return null

  const opening = { source, order, input }
  const content =
    ref.kind === 'form' ? await formOfRow(ref, opening) : await wholeFile(ref.file, opening)
  if (content === null) return null
  const isFixed = order.kind === 'job' && !order.hasEarlier
  const stability = !order.isFinal ? 'snapshot' : isFixed ? 'final' : 'growing'
  const { media: contentType } = ref.kind === 'form' ? FORMS[ref.file] : WHOLES[ref.file]
  return { stability, contentType, ...content, name: await fileName(ref, opening) }
}

async function fileName(ref: RecordedRef, opening: Opening): Promise<string> {
  const { order, input } = opening
  if (ref.kind === 'form') return `${await stemOfRow(ref.index, opening)}.${ref.file}`
  if (input.naming === 'title') return wholeFileName(ref.file, { stem: await stemOfOrder(order) })
  return wholeFileName(ref.file, { jobId: order.hasEarlier ? `${order.id}-all` : order.id })
}

type FormRef = Extract<RecordedRef, { kind: 'form' }>

/** Opens a form of one row of a job; null where it has none. */
async function formOfRow(
  { index, file: form }: FormRef,
  { source, order, input: { accountId } }: Opening,
): Promise<Content | null> {
  const key = await textRowOf(source, { accountId, index, order })
  if (key === null) return null
  const found = await findForms(source.db, { ...key, indexes: [key.index], forms: [form] })
  const facts = found.get(key.index)?.[form]
  if (facts === undefined) {
    const message = await findDeletionSentence(source.db, key)
    if (message !== null) throw new Problem('not_found', { message })
    return null
  }
  const read = formsOfJob(source, key.jobId)
  return { sha256: facts.sha256, body: splice([[{ index: key.index, form, facts }]], read) }
}

async function textRowOf(
  { db }: TextSource,
  { accountId, index, order }: { accountId: string; index: number; order: FiledOrder },
): Promise<RowKey | null> {
  const { id: jobId, hasEarlier, parts } = order
  const found = hasEarlier ? await findRowWithText(db, { accountId, jobId, index }) : null
  if (found !== null && found.text !== null) return found.text
  const deletedAt = parts[0]?.job.textsDeletedAt ?? null
  if (deletedAt !== null) throw new Problem('not_found', { message: textsDeleted(deletedAt) })
  return hasEarlier ? null : { jobId, index }
}

async function wholeFile(
  file: Extract<RecordedRef, { kind: 'whole' }>['file'],
  opening: Opening,
): Promise<Content> {
  const { source, order, input } = opening
  switch (file) {
    case 'zip': {
      const texts = await readTextsOfOrder(source.db, order)
      return withHash(await inTurns(archiveSteps(await zipOrder(opening, texts))))
    }
    case 'all.txt': {
      const texts = await readTextsOfOrder(source.db, order)
      const rows = await inTurns(deliveredSteps(texts, ['txt']))
      return withHash(await inTurns(allTextSteps(rows, readerOfTexts(source, texts))))
    }
    case 'report.csv':
      return withHash(await reportOfOrder(opening, input))
    default:
      return file satisfies never
  }
}

function withHash(body: FileBody & { sha256: string }): Content {
  return { sha256: body.sha256, body }
}

/** Returns what an order's ZIP is made of; `exports` counts the files of each text that are made while it is sent. */
export async function zipOrder(
  { source, order, input }: { source: TextSource; order: FiledOrder; input: ZipOptions },
  texts: readonly PlacedText[],
  exports = 0,
): Promise<ArchiveOrder> {
  const asked = requestedForms(order.formats as Format[])
  const made = FILE_FORMS.filter((form) => FORMS_ALWAYS.includes(form) || asked.includes(form))
  const forms =
    input.forms === undefined ? asked : made.filter((form) => input.forms?.includes(form))
  // What is recorded of `txt` and `json` is always read: all-transcripts.txt is made of one, the other sizes exports.
  const stored = FILE_FORMS.filter((form) => FORMS_ALWAYS.includes(form) || forms.includes(form))
  const rows = await inTurns(deliveredSteps(texts, stored))
  requireRoom(rows, { forms, exports })
  return {
    rows,
    // An earlier order may have asked for fewer.
    forms: (row: DeliveredRow) => forms.filter((form) => row.forms[form] !== undefined),
    naming: input.naming,
    report: await reportOfOrder({ source, order }, { bom: false }),
    read: readerOfTexts(source, texts),
  }
}

type Reported = { source: TextSource; order: FiledOrder }

/** Finished rows stay as they are until their texts are deleted, so that a snapshot of a job has one report. */
async function reportOfOrder(
  { source: { db }, order }: Reported,
  { bom, separator }: TableStyle,
): Promise<HashedBody> {
  const [part] = order.parts
  if (order.kind === 'batch' || order.hasEarlier || part === undefined)
    return placedReport(db, order, { bom, separator })
  const { jobId, doneAfter, doneMax } = part.snapshot
  const name = `${jobId} ${doneAfter} ${doneMax} ${part.job.deletedTexts}`
  const readRows: ReadReportRows = async (ask) => {
    const rows = await listReported(db, { ...part.snapshot, ...ask })
    return rows.map((row) => ({ ...row, chargedUsd: chargeOf(row) }))
  }
  return reportOf(readRows, { bom, separator, name })
}

const PLACED_COLUMNS = [...REPORTED_COLUMNS, 'textJobId', 'textIndex'] as const

/** Returns a report of all rows that says where the text of each is, and what that is. */
async function placedReport(db: Db, order: FiledOrder, style: TableStyle): Promise<HashedBody> {
  const { add, end } = keptText()
  add(csvHead(PLACED_COLUMNS, style))
  for await (const page of rowsOfOrder(db, order)) {
    const keys = page.flatMap(({ textRow }) => textRow ?? [])
    const held = new Map((await listRows(db, keys)).map((row) => [keyOfRow(row), row]))
    const lines = page.map(({ textRow, place, ...row }) => {
      const text = textRow === null ? undefined : held.get(keyOfRow(textRow))
      const { title, channelName, publishedAt } = row
      const { languageCode, trackKind } = text ?? row
      return reportLine(
        PLACED_COLUMNS,
        {
          ...row,
          index: place,
          title: title ?? text?.title ?? null,
          channelName: channelName ?? text?.channelName ?? null,
          publishedAt: publishedAt ?? text?.publishedAt ?? null,
          languageCode,
          trackKind,
          chargedUsd: chargeOf(row),
          textJobId: textRow?.jobId ?? null,
          textIndex: textRow?.index ?? null,
        },
        style.separator,
      )
    })
    add(lines.join(''))
  }
  return end()
}

function chargeOf({ status }: { status: string }): string {
  return formatUsd(cost(status === 'success' ? 1 : 0))
}

async function stemOfRow(index: number, { source, order, input }: Opening): Promise<string> {
  const row =
    input.naming === 'index' ? null : await findNamedRow(source.db, { jobId: order.id, index })
  return row === null ? String(index) : stemOf(row, 'title', String(row.indexMax).length)
}
