/** Rows of a job as the API shows them, with their texts as they are stored. */
import type { RowTexts } from '../../features/transcripts/read-transcripts.ts'
import type { Item } from '../../features/files/splice.ts'
import { shownOf } from '../../model/jobs/job.ts'
import { formOf } from '../../model/files/formats.ts'
import type { RowKey } from '../../model/library/row-key.ts'
import type { JobRecord } from '../../store/jobs.ts'
import type { FinishedRow } from '../../store/video-rows.ts'
import { escapedJson } from '../../kit/text/controls.ts'
import type { Links } from '../links.ts'

/** A row, with the one that holds its text where that was looked for. */
type Shown = FinishedRow & { textRow?: RowKey | null }

/** Fields beyond version 1 that are asked for. */
type Told = { hasTextRow?: boolean; hasOwned?: boolean }
type Presenting = Told & { job: JobRecord; links: Links }

/** Presents a row. `texts` is null where the row has none, or the view leaves them out. */
export function presentVideo(
  row: Shown,
  { texts, ...presenting }: Presenting & { texts: RowTexts | null },
): Item {
  if (texts === null) return [Buffer.from(presentRow(row, presenting))]
  const head = Buffer.from(`${headOf(row, presenting)},"text":`)
  return [head, texts.text, SEGMENTS, texts.segments, CLOSE]
}

/** Returns the row as JSON without its text. */
export function presentRow(row: Shown, presenting: Presenting): string {
  return `${headOf(row, presenting)},"text":null,"segments":null}`
}

/** Returns the row's own fields as JSON that is not closed yet. */
function headOf(row: Shown, { job, links, hasTextRow, hasOwned }: Presenting): string {
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
    textRow: hasTextRow === true ? row.textRow : undefined,
    owned: hasOwned === true ? (row.status === 'unchanged' ? row.textRow : null) : undefined,
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
