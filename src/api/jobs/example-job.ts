/** The job that a test of a webhook sends: three videos of a playlist, of which one has no captions. */
import { formatUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { ROW_STATUSES, type RowStatus } from '../../model/jobs/video-row.ts'
import type { Links } from '../links.ts'
import type { JobView } from './present.ts'

const ID = '01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c10'

const COUNTS: Partial<Record<RowStatus, number>> = { success: 2, no_captions: 1 }

/** Returns the job with this deployment's links, which lead to no job. */
export function exampleJob(links: Links): JobView & { finishedAt: string } {
  return {
    id: ID,
    state: 'finished',
    createdAt: '2026-03-01T09:30:00.000Z',
    finishedAt: '2026-03-01T09:30:07.412Z',
    input: {
      urls: ['https://www.youtube.com/playlist?list=PLbpi6ZahtOH6Blw3RGYpWkSByi_T7Rygb'],
      language: 'en',
      formats: ['text', 'srt'],
      maxVideos: 3,
      requestedMaxVideos: 5,
      publishedAfter: '2025-01-01',
      publishedBefore: null,
    },
    progress: {
      discovered: 3,
      processed: 3,
      delivered: 2,
      counts: Object.fromEntries(
        ROW_STATUSES.map((status) => [status, COUNTS[status] ?? 0]),
      ) as Record<RowStatus, number>,
    },
    billing: {
      reserved: '0.024',
      settled: true,
      charged: '0.016',
      chargedTranscripts: 2,
      pricePerTranscript: formatUsd(PRICE_MICROS),
    },
    error: null,
    links: { self: links.self(ID), results: links.results(ID) },
  }
}
