/** Examples of the OpenAPI document: one small order of three videos, from request to receipt. */
import { ROW_STATUSES, type RowStatus } from '../model/jobs/video-row.ts'
import type { ProblemCode } from '../kit/problem.ts'
import {
  libraryExamples,
  PREVIEW_BODY_EXAMPLES,
  PREVIEW_EXAMPLES,
  searchExamples,
} from './openapi-library-examples.ts'
import {
  SUBSCRIPTION_BODY_EXAMPLES,
  subscriptionExamples,
  WEBHOOK_BODY_EXAMPLES,
  webhookExamples,
} from './openapi-webhook-examples.ts'
import { type JobView, linksFrom } from './present.ts'

export const EXAMPLE_JOB_ID = '01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11'
const links = linksFrom('https://transcripts.test')
const URLS = ['https://www.youtube.com/playlist?list=PLbpi6ZahtOH6Blw3RGYpWkSByi_T7Rygb']

const started: JobView = {
  id: EXAMPLE_JOB_ID,
  state: 'queued',
  createdAt: '2026-03-01T09:30:00.000Z',
  finishedAt: null,
  input: {
    urls: URLS,
    language: 'en',
    formats: ['text', 'srt'],
    maxVideos: 3,
    requestedMaxVideos: 5,
    publishedAfter: '2025-01-01',
    publishedBefore: null,
  },
  progress: { discovered: null, processed: 0, delivered: 0, counts: countsOf({}) },
  billing: {
    reserved: '0.024',
    settled: false,
    charged: null,
    chargedTranscripts: null,
    pricePerTranscript: '0.008',
  },
  error: null,
  links: { self: links.self(EXAMPLE_JOB_ID), results: links.results(EXAMPLE_JOB_ID) },
}

const running: JobView = {
  ...started,
  state: 'running',
  progress: { discovered: 3, processed: 1, delivered: 1, counts: countsOf({ success: 1 }) },
}

const finished: JobView & { finishedAt: string } = {
  ...started,
  state: 'finished',
  finishedAt: '2026-03-01T09:30:07.412Z',
  progress: {
    discovered: 3,
    processed: 3,
    delivered: 2,
    counts: countsOf({ success: 2, no_captions: 1 }),
  },
  billing: { ...started.billing, settled: true, charged: '0.016', chargedTranscripts: 2 },
}

/** The job that a test of a webhook sends. */
export const EXAMPLE_JOB = finished

const notices = [
  'The balance covers 3 of the 5 videos requested; adding 0.016 USD would cover all of them.',
]

const video = {
  index: 1,
  videoId: 'jNQXAC9IVRw',
  title: 'Me at the zoo',
  url: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
  channelName: 'jawed',
  publishedAt: '2005-04-23T20:31:52-07:00',
  status: 'success',
  label: 'Delivered',
  errorMessage: null,
  languageCode: 'en',
  trackKind: 'manual',
  text: 'All right, so here we are, in front of the elephants',
  segments: [
    { startMs: 1200, endMs: 3360, text: 'All right, so here we are, in front of the' },
    { startMs: 3360, endMs: 4318, text: 'elephants' },
  ],
  files: { text: links.file(EXAMPLE_JOB_ID, '1.txt'), srt: links.file(EXAMPLE_JOB_ID, '1.srt') },
}

const silent = {
  ...video,
  index: 2,
  videoId: 'hY7m5jjJ9mM',
  title: 'Without words',
  url: 'https://www.youtube.com/watch?v=hY7m5jjJ9mM',
  publishedAt: null,
  status: 'no_captions',
  label: 'No captions',
  errorMessage: 'The platform publishes no captions for this video.',
  languageCode: null,
  trackKind: null,
  text: null,
  segments: null,
  files: {},
}

const event = (name: string, data: object, id = ''): string =>
  `event: ${name}\n${id === '' ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** The events of a job from its first row to its end. */
export const EXAMPLE_EVENTS = [
  'retry: 2000\n\n',
  event('job', started),
  event('video', { ...video, text: null, segments: null }, '1'),
  ': here\n\n',
  event('video', silent, '2'),
  event('job', finished),
  event('end', { id: EXAMPLE_JOB_ID, state: 'finished' }, '2'),
].join('')

const page = { total: 2, offset: 0, limit: 50, nextOffset: null }

/** Examples of answers, by operationId and status. */
export const EXAMPLES: Record<string, Record<string, { summary: string; value: unknown }>> = {
  'createJob 201': {
    started: {
      summary: 'Started; the balance covers fewer videos than requested',
      value: { ...started, notices },
    },
  },
  'createJob 200': {
    replayed: {
      summary: 'The job of the same Idempotency-Key, as it is now',
      value: { ...running, notices },
    },
  },
  'listJobs 200': {
    page: { summary: 'The only page', value: { ...page, total: 1, limit: 20, jobs: [finished] } },
  },
  'getJob 200': {
    running: { summary: 'While it runs', value: running },
    finished: { summary: 'Final and settled', value: finished },
  },
  'cancelJob 202': {
    cancelling: {
      summary: 'Its worker was asked to stop',
      value: { ...running, state: 'cancelling' },
    },
  },
  'cancelJob 200': { finished: { summary: 'The job was already final', value: finished } },
  'getResults 200': {
    page: {
      summary: 'A delivered video and one without captions',
      value: {
        id: EXAMPLE_JOB_ID,
        state: 'running',
        complete: false,
        ...page,
        videos: [video, silent],
        downloads: links.downloads(EXAMPLE_JOB_ID),
      },
    },
  },
  'getBalance 200': {
    balance: {
      summary: 'Credit for 1,250 transcripts',
      value: {
        balance: '10.000',
        balanceMicros: 10_000_000,
        currency: 'USD',
        pricePerTranscript: '0.008',
        affordableTranscripts: 1250,
      },
    },
  },
  ...searchExamples(EXAMPLE_JOB_ID),
  ...libraryExamples(EXAMPLE_JOB_ID),
  ...PREVIEW_EXAMPLES,
  ...subscriptionExamples(finished),
  ...webhookExamples(finished),
  'getOpenApi 200': { document: { summary: 'How it begins', value: { openapi: '3.1.0' } } },
}

/** Examples of bodies, by operationId. */
export const BODY_EXAMPLES: Record<string, Record<string, { summary: string; value: unknown }>> = {
  ...SUBSCRIPTION_BODY_EXAMPLES,
  ...WEBHOOK_BODY_EXAMPLES,
  ...PREVIEW_BODY_EXAMPLES,
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
  'insufficient_balance 402':
    'One transcript costs 0.008 USD and 0.004 USD are available. Add credit on the money page.',
  'internal_error 500':
    'Something went wrong on our side; try again later. If it persists, report request id 3f1c6f0e-93f4-4a1e-9d5e-6a1f4f2f7c55.',
}

function countsOf(some: Partial<Record<RowStatus, number>>): Record<RowStatus, number> {
  const counts = ROW_STATUSES.map((status) => [status, some[status] ?? 0])
  return Object.fromEntries(counts) as Record<RowStatus, number>
}
