/** One row of results as JSON, framed around the stored pieces of its transcript. */
import type { Item } from '../files/splice.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { FinishedRow } from '../store/video-rows.ts'
import { formOf } from '../transcripts/formats.ts'
import type { RowTexts } from '../transcripts/find-texts.ts'
import type { Links } from './present.ts'

/** `texts` null: the row has none, or the view leaves them out. */
export function presentVideo(
  row: FinishedRow,
  { job, links, texts }: { job: JobRecord; links: Links; texts: RowTexts | null },
): Item {
  const head = JSON.stringify({
    index: row.index,
    videoId: row.videoId,
    title: row.title,
    url: row.url,
    channelName: row.channelName,
    publishedAt: row.publishedAt,
    status: row.status,
    label: row.label,
    errorMessage: row.errorMessage,
    languageCode: row.languageCode,
    trackKind: row.trackKind,
    files: row.status === 'success' ? filesOf(row, job, links) : {},
  }).slice(0, -1)
  if (texts === null) return [Buffer.from(`${head},"text":null,"segments":null}`)]
  return [Buffer.from(`${head},"text":`), texts.text, SEGMENTS, texts.segments, CLOSE]
}

function filesOf({ index }: FinishedRow, job: JobRecord, links: Links): Record<string, string> {
  return Object.fromEntries(
    job.formats.map((format) => [format, links.file(job.id, `${index}.${formOf(format)}`)]),
  )
}

const SEGMENTS = Buffer.from(',"segments":')
const CLOSE = Buffer.from('}')
