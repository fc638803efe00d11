/** Examples of the OpenAPI document, by the operations that answer and take them. */
import type { ProblemCode } from '../../src/kit/problem.ts'
import { pageInfo } from '../../src/kit/page.ts'
import {
  example,
  EXAMPLE_JOB,
  EXAMPLE_JOB_ID,
  EXAMPLE_LINKS,
  EXAMPLE_VIDEO,
  type Examples,
  RUNNING_JOB,
  SILENT_VIDEO,
  STARTED_JOB,
} from '../../src/api/jobs/example-job.ts'
import { dollars, formatUsd, PRICE_MICROS } from '../../src/model/money/money.ts'
import { BATCH_EXAMPLES } from './batch-examples.ts'
import { LIBRARY_EXAMPLES } from './library-examples.ts'
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts'

const notices = [
  'The balance covers 3 of the 5 videos requested; adding $0.016 would cover all of them.',
]

/** Examples of answers by operationId and status, and of bodies by operationId. */
export const EXAMPLES: Examples = {
  'createJob 201': example('started', 'Started; the balance covers fewer videos than requested', {
    ...STARTED_JOB,
    notices,
  }),
  'createJob 200': example('replayed', 'The job of the same Idempotency-Key, as it is now', {
    ...RUNNING_JOB,
    notices,
  }),
  'listJobs 200': example('page', 'The only page', {
    ...pageInfo({ offset: 0, limit: 20 }, 1),
    jobs: [EXAMPLE_JOB],
  }),
  'getJob 200': {
    running: { summary: 'While it runs', value: RUNNING_JOB },
    finished: { summary: 'Final and settled', value: EXAMPLE_JOB },
  },
  'changeJob 200': example('named', 'Named and noted', {
    ...EXAMPLE_JOB,
    title: 'Interviews, part one',
    name: 'Interviews, part one',
    note: 'For chapter two',
  }),
  'cancelJob 202': example('cancelling', 'Its worker was asked to stop', {
    ...RUNNING_JOB,
    state: 'cancelling',
  }),
  'cancelJob 200': example('finished', 'The job was already final', EXAMPLE_JOB),
  'getResults 200': example('page', 'A delivered video and one without captions', {
    id: EXAMPLE_JOB_ID,
    state: 'running',
    complete: false,
    ...pageInfo({ offset: 0, limit: 50 }, 2),
    videos: [EXAMPLE_VIDEO, SILENT_VIDEO],
    downloads: EXAMPLE_LINKS.downloads(EXAMPLE_JOB_ID),
  }),
  'getBalance 200': example('balance', 'Credit for 1,250 transcripts', {
    balance: '10.000',
    balanceMicros: 10_000_000,
    currency: 'USD',
    pricePerTranscript: formatUsd(PRICE_MICROS),
    affordableTranscripts: 1250,
  }),
  'getOpenApi 200': example('document', 'How it begins', { openapi: '3.1.0' }),
  createJob: {
    channel: {
      summary: 'The newest 20 videos of a channel',
      value: { urls: ['https://www.youtube.com/@jawed'], maxVideos: 20 },
    },
    lines: {
      summary: 'Several lines in one string, with bounds',
      value: {
        urls: 'https://youtu.be/jNQXAC9IVRw\nhttps://www.youtube.com/shorts/hY7m5jjJ9mM',
        language: 'en',
        formats: ['text', 'srt'],
        publishedAfter: '2025-01-01',
      },
    },
  },
  ...BATCH_EXAMPLES,
  ...LIBRARY_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
}

/** Messages that say more than the code's own sentence, by code and status. */
export const ERROR_MESSAGES: Partial<Record<`${ProblemCode} ${string}`, string>> = {
  'invalid_request 400': 'maxVideos must be at most 500; got 501.',
  'invalid_request 408': 'The body took too long to arrive.',
  'invalid_request 413': 'The body is larger than 64 KB; send fewer or shorter lines.',
  'invalid_request 415': 'Content-Type must be application/json, in UTF-8.',
  'invalid_request 416':
    'The file has 1200 bytes and Range is beyond its end; choose a range within it.',
  'invalid_request 431': 'The request cannot be read: Request Header Fields Too Large.',
  'invalid_url 400':
    'Line 3 is not a video, playlist or channel URL: "https://example.org/"; it is a link to another site.',
  'insufficient_balance 402': `One transcript costs ${dollars(PRICE_MICROS)} and $0.004 is available. Add credit on the billing page.`,
  'internal_error 500':
    'Something went wrong on our side; try again later. If it persists, report request id 3f1c6f0e-93f4-4a1e-9d5e-6a1f4f2f7c55.',
}
