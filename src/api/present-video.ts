/** One row of results as JSON, framed around the stored pieces of its transcript. */
import type { Item } from '../features/transcripts/splice.ts'
import { textsDeleted } from '../model/jobs/texts-deleted.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { FinishedRow } from '../store/video-rows.ts'
import { formOf } from '../model/transcripts/formats.ts'
import type { RowTexts } from '../features/transcripts/find-texts.ts'
import type { Links } from './present.ts'

/** `texts` null: the row has none, or the view leaves them out. */
export function presentVideo(
  row: FinishedRow,
  { job, links, texts }: { job: JobRecord; links: Links; texts: RowTexts | null },
): Item {
  if (texts === null) return [presentRow(row, { job, links })]
  return [
    Buffer.from(`${headOf(row, job, links)},"text":`),
    texts.text,
    SEGMENTS,
    texts.segments,
    CLOSE,
  ]
}

/** The row as JSON without its text. */
export function presentRow(
  row: FinishedRow,
  { job, links }: { job: JobRecord; links: Links },
): Buffer {
  return Buffer.from(`${headOf(row, job, links)},"text":null,"segments":null}`)
}

/** What a row says of itself, its JSON still open. */
function headOf(row: FinishedRow, job: JobRecord, links: Links): string {
  const { textsDeletedAt } = row.status === 'success' ? job : { textsDeletedAt: null }
  return JSON.stringify({
    index: row.index,
    videoId: row.videoId,
    title: row.title,
    url: row.url,
    channelName: row.channelName,
    publishedAt: row.publishedAt,
    status: row.status,
    label: row.label,
    errorMessage: textsDeletedAt === null ? row.errorMessage : textsDeleted(textsDeletedAt),
    languageCode: row.languageCode,
    trackKind: row.trackKind,
    files: row.status === 'success' && textsDeletedAt === null ? filesOf(row, job, links) : {},
  }).slice(0, -1)
}

function filesOf({ index }: FinishedRow, job: JobRecord, links: Links): Record<string, string> {
  return Object.fromEntries(
    job.formats.map((format) => [format, links.file(job.id, `${index}.${formOf(format)}`)]),
  )
}

const SEGMENTS = Buffer.from(',"segments":')
const CLOSE = Buffer.from('}')
