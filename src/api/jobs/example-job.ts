/**
 * The order that the examples of the OpenAPI document are about: three videos of a playlist, of which one is delivered,
 * one has no captions, and one follows.
 */
import { formatUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { ROW_STATUSES, type RowStatus } from '../../model/jobs/video-row.ts'
import { linksFrom } from '../links.ts'
import { type JobView } from './present.ts'

export type Examples = Record<string, Record<string, { summary: string; value: unknown }>>

export function example(name: string, summary: string, value: unknown): Examples[string] {
  return { [name]: { summary, value } }
}

export function onlyExample(summary: string, value: unknown): Examples[string] {
  return example('example', summary, value)
}

export const EXAMPLE_JOB_ID = '01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11'
export const EXAMPLE_LINKS = linksFrom('https://transcripts.test')

export const STARTED_JOB: JobView = {
  id: EXAMPLE_JOB_ID,
  state: 'queued',
  createdAt: '2026-03-01T09:30:00.000Z',
  finishedAt: null,
  input: {
    urls: ['https://www.youtube.com/playlist?list=PLbpi6ZahtOH6Blw3RGYpWkSByi_T7Rygb'],
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
    pricePerTranscript: formatUsd(PRICE_MICROS),
  },
  error: null,
  links: {
    self: EXAMPLE_LINKS.self(EXAMPLE_JOB_ID),
    results: EXAMPLE_LINKS.results(EXAMPLE_JOB_ID),
  },
}

export const RUNNING_JOB: JobView = {
  ...STARTED_JOB,
  state: 'running',
  progress: { discovered: 3, processed: 1, delivered: 1, counts: countsOf({ success: 1 }) },
}

/** The job that a test of a webhook sends. */
export const EXAMPLE_JOB: JobView & { finishedAt: string } = {
  ...STARTED_JOB,
  state: 'finished',
  finishedAt: '2026-03-01T09:30:07.412Z',
  progress: {
    discovered: 3,
    processed: 3,
    delivered: 2,
    counts: countsOf({ success: 2, no_captions: 1 }),
  },
  billing: { ...STARTED_JOB.billing, settled: true, charged: '0.016', chargedTranscripts: 2 },
}

/** What the results of a job and the library say alike of a delivered video. */
export const EXAMPLE_ROW = {
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
}

export const EXAMPLE_VIDEO = {
  ...EXAMPLE_ROW,
  text: 'All right, so here we are, in front of the elephants',
  segments: [
    { startMs: 1200, endMs: 3360, text: 'All right, so here we are, in front of the' },
    { startMs: 3360, endMs: 4318, text: 'elephants' },
  ],
  files: {
    text: EXAMPLE_LINKS.file(EXAMPLE_JOB_ID, '1.txt'),
    srt: EXAMPLE_LINKS.file(EXAMPLE_JOB_ID, '1.srt'),
  },
}

export const SILENT_VIDEO = {
  ...EXAMPLE_VIDEO,
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
  event('job', STARTED_JOB),
  event('video', { ...EXAMPLE_VIDEO, text: null, segments: null }, '1'),
  ': here\n\n',
  event('video', SILENT_VIDEO, '2'),
  event('job', EXAMPLE_JOB),
  event('end', { id: EXAMPLE_JOB_ID, state: 'finished' }, '2'),
].join('')

function countsOf(some: Partial<Record<RowStatus, number>>): Record<RowStatus, number> {
  const counts = ROW_STATUSES.map((status) => [status, some[status] ?? 0])
  return Object.fromEntries(counts) as Record<RowStatus, number>
}
