/** Jobs as the API shows our records of them. */
import { sentDates } from '../../model/jobs/date-bounds.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { formatUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { type BatchName, batchesOfJobs, titlesOfJobs } from '../../features/jobs/job-names.ts'
import type { Db } from '../../store/database.ts'
import type { JobRecord } from '../../store/jobs.ts'
import type { KeptOrder } from '../../store/orders.ts'
import type { TrackKind } from '../../model/transcripts/transcript.ts'
import type { Links } from '../links.ts'

/** A job; what it is called only where `view=named` asks for it. */
export type JobView = ReturnType<typeof presentJob> & {
  title?: string
  name?: string | null
  note?: string | null
  track?: TrackKind
  batch?: BatchName
  deletedTexts?: number
}

/** Presents a job; `notices` are shown only in answers of POST. */
export function presentJob(job: JobRecord, links: Links, withNotices = false) {
  const settled = isFinal(job.state)
  return {
    id: job.id,
    state: job.state,
    createdAt: job.createdAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
    input: presentInput(job),
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

/** Presents what was ordered. */
export function presentInput(order: KeptOrder & { requestedMaxVideos: number }) {
  const { urls, language, formats, maxVideos, requestedMaxVideos } = order
  return { urls, language, formats, maxVideos, requestedMaxVideos, ...sentDates(order) }
}

/** Presents jobs of one account as they were asked for. */
export async function presentJobs(
  db: Db,
  jobs: readonly JobRecord[],
  { links, view, withNotices = false }: { links: Links; view: string; withNotices?: boolean },
): Promise<JobView[]> {
  const named = view === 'named' ? jobs : []
  const titles = await titlesOfJobs(
    db,
    named.map((job) => ({ ...job, lines: job.urls.length })),
  )
  const ofBatches = named.flatMap(({ id, batchId }) => (batchId === null ? [] : [id]))
  const batches = await batchesOfJobs(db, named[0]?.accountId ?? '', ofBatches)
  return jobs.map((job, at) => {
    const title = titles[at]
    if (title === undefined) return presentJob(job, links, withNotices)
    const words = { title, name: job.givenName, note: job.note }
    const kind = job.wishedTrack === null ? {} : { track: job.wishedTrack }
    const deletedTexts = job.textsDeletedAt === null ? job.deletedTexts : job.counts.success
    const gone = deletedTexts === 0 ? {} : { deletedTexts }
    const batch = batches.get(job.id)
    const part = batch === undefined ? {} : { batch }
    return { ...presentJob(job, links, withNotices), ...words, ...kind, ...part, ...gone }
  })
}
