/** A job as agents see it: what they decide by, in a tenth of the words of the API's Job. */
import { formatUsd } from '../model/money/money.ts'
import { isFinal } from '../model/jobs/job.ts'
import type { JobRecord } from '../store/jobs.ts'

const URLS_SHOWN = 3

export function jobSummary(job: JobRecord) {
  const counts = Object.entries(job.counts).filter(([, count]) => count > 0)
  return {
    jobId: job.id,
    state: job.state,
    isFinal: isFinal(job.state),
    createdAt: job.createdAt.toISOString(),
    urls: job.urls.slice(0, URLS_SHOWN),
    urlCount: job.urls.length,
    maxVideos: job.maxVideos,
    processed: job.processed,
    delivered: job.counts.success,
    counts: Object.fromEntries(counts),
    ...(job.chargedMicros === null
      ? { reservedUsd: formatUsd(job.reservedMicros) }
      : { chargedUsd: formatUsd(job.chargedMicros) }),
    ...(job.error === null ? {} : { error: job.error }),
  }
}

/** What to do next, in one sentence. */
export function nextStep(job: JobRecord): string {
  return isFinal(job.state)
    ? 'Read its rows with list_results, then each text with read_transcript.'
    : 'Call get_job with waitSeconds 45 until isFinal is true, then list_results.'
}
