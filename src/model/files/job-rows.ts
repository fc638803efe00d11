/**
 * Parts of the files of a job: its rows, and the stored forms of the delivered ones. The metadata is in memory;
 * the bytes come from the store while a file is being sent.
 */
import { csvLine, exactCell, type Separator } from '../../kit/text/csv.ts'
import type { FiledVideo } from '../library/video-details.ts'
import type { Form } from './formats.ts'
import type { FileForm } from './catalogue.ts'
import type { ContentFacts } from './recorded-forms.ts'

/** One line of report.csv. */
export type ReportRow = FiledVideo & {
  index: number
  status: string
  label: string
  errorMessage: string | null
  /** USD as a plain decimal: the price for a delivered row, else zero. */
  chargedUsd: string
}

/** Columns that the report of a job and that of a collection have in common. */
export const REPORT_COLUMNS = [
  'videoId',
  'title',
  'url',
  'channelName',
  'publishedAt',
  'status',
  'label',
  'errorMessage',
  'languageCode',
  'trackKind',
] as const satisfies (keyof ReportRow)[]

/** Returns a line of a report: ids are as they are, and all else is guarded; `url` may be a line such as `@handle`. */
export function reportLine<Column extends string>(
  columns: readonly Column[],
  row: Readonly<Record<Column, string | number | bigint | null>>,
  separator?: Separator,
): string {
  const cells = columns.map((column) => {
    const value = row[column] ?? ''
    return EXACT_COLUMNS.has(column) ? exactCell(value) : String(value)
  })
  return csvLine(cells, separator)
}

const EXACT_COLUMNS: ReadonlySet<string> = new Set(['videoId', 'chargedUsd'])

/** A delivered row with what is recorded of its file forms (at least `txt` and `json`). */
export type DeliveredRow = FiledVideo & {
  index: number
  forms: Readonly<Partial<Record<FileForm, ContentFacts>>>
}

/** A form of a row, and what is recorded of it. */
export type FormKey = { index: number; form: Form; facts: ContentFacts }

/** Reads the forms asked for, of at most CHUNK_PIECES_MAX rows; the answer returns the bytes of each. */
export type ReadForms = (keys: readonly FormKey[]) => Promise<(key: FormKey) => Buffer>

/** Returns the next rows by index, the same ones for as long as a file is made, also while the job runs. */
export type ReadReportRows = (ask: { after: number; limit: number }) => Promise<ReportRow[]>
