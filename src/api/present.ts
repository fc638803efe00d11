/** Turns our records into the API's shapes: names, money strings and absolute links. */
import { viewOf } from '../features/money/balance.ts'
import type { RowTexts } from '../features/transcripts/read-transcripts.ts'
import type { Item } from '../features/files/splice.ts'
import { isFinal, textsDeleted } from '../model/jobs/job.ts'
import type { Balance } from '../model/money/ledger.ts'
import { formatUsd, PRICE_MICROS } from '../model/money/money.ts'
import { formOf } from '../model/files/formats.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { FinishedRow } from '../store/video-rows.ts'
import { escapedJson } from '../kit/text/controls.ts'

export const API_BASE = '/api/v1'

export type Links = ReturnType<typeof linksFrom>

/** Returns the absolute addresses of this deployment's API. */
export function linksFrom(publicUrl: string) {
  const job = (jobId: string): string => `${publicUrl}${API_BASE}/jobs/${jobId}`
  const file = (jobId: string, name: string): string => `${job(jobId)}/files/${name}`
  return {
    self: job,
    results: (jobId: string): string => `${job(jobId)}/results`,
    file,
    downloads: (jobId: string) => ({
      zip: file(jobId, 'zip'),
      allText: file(jobId, 'all.txt'),
      reportCsv: file(jobId, 'report.csv'),
    }),
  }
}

/** A job; what it is called only where `view=named` asks for it (job-names.ts). */
export type JobView = ReturnType<typeof presentJob> & {
  title?: string
  name?: string | null
  note?: string | null
}

/** Presents a job; `notices` are shown only in answers of POST. */
export function presentJob(job: JobRecord, links: Links, withNotices = false) {
  const settled = isFinal(job.state)
  return {
    id: job.id,
    state: job.state,
    createdAt: job.createdAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
    input: {
      urls: job.urls,
      language: job.language,
      formats: job.formats,
      maxVideos: job.maxVideos,
      requestedMaxVideos: job.requestedMaxVideos,
      publishedAfter: job.publishedAfter,
      publishedBefore: job.publishedBefore,
    },
    progress: {
      discovered: job.startedAt === null ? null : job.discovered,
      processed: job.processed,
      delivered: job.counts.success,
      counts: job.counts,
    },
    billing: {
      reserved: formatUsd(job.reservedMicros),
      settled,
      charged: job.chargedMicros === null ? null : formatUsd(job.chargedMicros),
      chargedTranscripts: settled ? job.counts.success : null,
      pricePerTranscript: formatUsd(PRICE_MICROS),
    },
    error: job.error,
    ...(withNotices ? { notices: job.notices } : {}),
    links: { self: links.self(job.id), results: links.results(job.id) },
  }
}

export function presentBalance(balance: Balance) {
  const { availableMicros, affordableTranscripts } = viewOf(balance)
  return {
    balance: formatUsd(availableMicros),
    balanceMicros: Number(availableMicros),
    currency: 'USD' as const,
    pricePerTranscript: formatUsd(PRICE_MICROS),
    affordableTranscripts,
  }
}

/** Presents a row. `texts` is null where the row has none, or the view leaves them out. */
export function presentVideo(
  row: FinishedRow,
  { job, links, texts }: { job: JobRecord; links: Links; texts: RowTexts | null },
): Item {
  if (texts === null) return [Buffer.from(presentRow(row, { job, links }))]
  const head = Buffer.from(`${headOf(row, job, links)},"text":`)
  return [head, texts.text, SEGMENTS, texts.segments, CLOSE]
}

/** Returns the row as JSON without its text. */
export function presentRow(
  row: FinishedRow,
  { job, links }: { job: JobRecord; links: Links },
): string {
  return `${headOf(row, job, links)},"text":null,"segments":null}`
}

/** Returns the row's own fields as JSON that is not closed yet. */
function headOf(row: FinishedRow, job: JobRecord, links: Links): string {
  const { textsDeletedAt } = row.status === 'success' ? job : { textsDeletedAt: null }
  const json = JSON.stringify({
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
  })
  return escapedJson(json).slice(0, -1)
}

function filesOf({ index }: FinishedRow, job: JobRecord, links: Links): Record<string, string> {
  return Object.fromEntries(
    job.formats.map((format) => [format, links.file(job.id, `${index}.${formOf(format)}`)]),
  )
}

const SEGMENTS = Buffer.from(',"segments":')
const CLOSE = Buffer.from('}')
