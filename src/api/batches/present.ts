/** Batches as the API shows our records of them. */
import type { Static } from 'typebox'
import type { BatchView, WholeBatch } from '../../features/batches/batches.ts'
import { partCount } from '../../model/jobs/batch.ts'
import { sentDates } from '../../model/jobs/date-bounds.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { cost, formatUsd } from '../../model/money/money.ts'
import { ROW_STATUSES } from '../../model/jobs/video-row.ts'
import { BatchSummary, BatchDetail } from './schema.ts'

/** Statuses of rows that took a slot of their job; the same videos come as the others in one job after another. */
const TAKEN = ROW_STATUSES.filter(
  (status) => !['unchanged', 'truncated', 'skipped', 'invalid_url'].includes(status),
)

/** Presents a batch as it stands in lists: without its lines. */
export function presentBatchSummary({
  batch,
  title,
  jobs,
}: BatchView): Static<typeof BatchSummary> {
  const counts = Object.fromEntries(
    TAKEN.map((status) => [status, jobs.reduce((sum, job) => sum + job.counts[status], 0)]),
  )
  const open = jobs.filter(({ state }) => !isFinal(state))
  const sumOf = (micros: bigint[]): string => formatUsd(micros.reduce((sum, one) => sum + one, 0n))
  const parts = partCount(batch.lines)
  return {
    id: batch.id,
    state: batch.state,
    title,
    name: batch.name,
    createdAt: batch.createdAt.toISOString(),
    finishedAt: batch.finishedAt?.toISOString() ?? null,
    lines: batch.lines,
    parts,
    part: Math.min(parts, batch.part + 1),
    maxVideos: batch.maxVideos,
    owned: batch.skipsOwned ? 'skip' : 'again',
    ...(batch.wishedTrack === null ? {} : { track: batch.wishedTrack }),
    progress: {
      processed: Object.values(counts).reduce((sum, rows) => sum + rows, 0),
      delivered: counts['success'] ?? 0,
      counts,
    },
    billing: {
      atMost: formatUsd(cost(batch.maxVideos)),
      reserved: sumOf(open.map(({ reservedMicros }) => reservedMicros)),
      charged: sumOf(jobs.map(({ chargedMicros }) => chargedMicros ?? 0n)),
    },
    notice: batch.notice,
    jobs: jobs.map(({ id, state, counts, chargedMicros }) => ({
      id,
      state,
      delivered: counts.success,
      charged: formatUsd(chargedMicros ?? 0n),
    })),
  }
}

export function presentBatch(view: WholeBatch): Static<typeof BatchDetail> {
  const { urls, language, formats, notices } = view.batch
  const input = { urls, language, formats, ...sentDates(view.batch) }
  const { jobs, ...summary } = presentBatchSummary(view)
  const titled = jobs.map((job) => ({ ...job, title: view.partTitles.get(job.id) ?? view.title }))
  return { ...summary, jobs: titled, input, notices, sources: view.outcomes }
}
