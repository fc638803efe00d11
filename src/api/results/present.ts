/** Rows of a job as the API shows them, with their texts as they are stored. */
import type { RowTexts } from '../../features/transcripts/read-transcripts.ts'
import type { Item } from '../../features/files/splice.ts'
import { shownOf } from '../../model/jobs/job.ts'
import { formOf } from '../../model/files/formats.ts'
import type { RowKey } from '../../model/jobs/video-row.ts'
import type { JobRecord } from '../../store/jobs.ts'
import type { FinishedRow } from '../../store/video-rows.ts'
import { escapedJson } from '../../kit/text/controls.ts'
import type { Links } from '../links.ts'

/** A row, with the one that holds its text where that is asked for. */
type Shown = FinishedRow & { textRow?: RowKey | null }

/** Presents a row. `texts` is null where the row has none, or the view leaves them out. */
export function presentVideo(
  row: Shown,
  { job, links, texts }: { job: JobRecord; links: Links; texts: RowTexts | null },
): Item {
  if (texts === null) return [Buffer.from(presentRow(row, { job, links }))]
  const head = Buffer.from(`${headOf(row, job, links)},"text":`)
  return [head, texts.text, SEGMENTS, texts.segments, CLOSE]
}

/** Returns the row as JSON without its text. */
export function presentRow(row: Shown, { job, links }: { job: JobRecord; links: Links }): string {
  return `${headOf(row, job, links)},"text":null,"segments":null}`
}

/** Returns the row's own fields as JSON that is not closed yet. */
function headOf(row: Shown, job: JobRecord, links: Links): string {
  const { goneAt, errorMessage } = shownOf(row, job)
  const json = JSON.stringify({
    index: row.index,
    videoId: row.videoId,
    title: row.title,
    url: row.url,
    channelName: row.channelName,
    publishedAt: row.publishedAt,
    status: row.status,
    label: row.label,
    errorMessage,
    languageCode: row.languageCode,
    trackKind: row.trackKind,
    files: row.status === 'success' && goneAt === null ? formLinks(row, job, links) : {},
    textRow: row.textRow,
  })
  return escapedJson(json).slice(0, -1)
}

function formLinks({ index }: FinishedRow, job: JobRecord, links: Links): Record<string, string> {
  return Object.fromEntries(
    job.formats.map((format) => [format, links.file(job.id, `${index}.${formOf(format)}`)]),
  )
}

const SEGMENTS = Buffer.from(',"segments":')

const CLOSE = Buffer.from('}')
