/** report.csv of a collection: one line per video, whichever job brought it. RFC 4180, UTF-8, CRLF. */
import { csvLine, guardFormula } from '../../kit/text/csv.ts'

/** A row of the library with its numbers. */
export type ReportedVideo = {
  videoId: string
  title: string | null
  url: string | null
  channelName: string | null
  publishedAt: string | null
  status: string | null
  label: string | null
  errorMessage: string | null
  languageCode: string | null
  trackKind: string | null
  durationSeconds: number | null
  viewCount: bigint | null
  jobId: string
  index: number
}

const COLUMNS = [
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
  'durationSeconds',
  'viewCount',
  'jobId',
  'index',
] as const satisfies (keyof ReportedVideo)[]
const FREE_TEXT = new Set<string>(['title', 'url', 'channelName', 'label', 'errorMessage'])

export const REPORT_HEAD = csvLine(COLUMNS)

export function reportLine(video: ReportedVideo): string {
  const cells = COLUMNS.map((column) => {
    const value = String(video[column] ?? '')
    return FREE_TEXT.has(column) ? guardFormula(value) : value
  })
  return csvLine(cells)
}
