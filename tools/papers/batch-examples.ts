/** Examples of the OpenAPI document about batches: a whole channel, of which the first job is over. */
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { pageInfo } from '../../src/kit/page.ts'
import { EXAMPLE_JOB_ID, type Examples, onlyExample } from '../../src/api/jobs/example-job.ts'

const summary = {
  id: 'batch_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11',
  state: 'running',
  title: 'All of Daily Notes',
  name: 'All of Daily Notes',
  createdAt: '2026-03-01T09:30:00.000Z',
  finishedAt: null,
  lines: 1,
  parts: 1,
  part: 1,
  maxVideos: 1_200,
  owned: 'skip',
  progress: { processed: 620, delivered: 570, counts: { success: 570, no_captions: 50 } },
  billing: { atMost: '9.600', reserved: '4.000', charged: '3.624' },
  notice: null,
  jobs: [
    { id: EXAMPLE_JOB_ID, state: 'finished', delivered: 453 },
    { id: '01998d5e-9c41-7d0a-8a52-5b6c7d8e9f10', state: 'running', delivered: 117 },
  ],
}
const urls = ['https://www.youtube.com/@dailynotes']
const batch = {
  ...summary,
  input: {
    urls,
    language: 'original',
    formats: FORMATS,
    publishedAfter: null,
    publishedBefore: null,
  },
  notices: [],
}
const fresh = {
  ...batch,
  progress: { processed: 0, delivered: 0, counts: {} },
  billing: { atMost: '9.600', reserved: '0.000', charged: '0.000' },
  jobs: [],
}

export const BATCH_EXAMPLES: Examples = {
  'createBatch 201': onlyExample('Its first job starts in a moment', fresh),
  'createBatch 200': onlyExample('It runs already', batch),
  'listBatches 200': onlyExample('The only one', {
    ...pageInfo({ offset: 0, limit: 20 }, 1),
    batches: [summary],
  }),
  'getBatch 200': onlyExample('Its second job runs', batch),
  'changeBatch 200': onlyExample('Stopped', {
    ...batch,
    state: 'stopped',
    finishedAt: '2026-03-01T09:31:00.000Z',
    notice: 'You stopped it.',
  }),
  createBatch: onlyExample('A whole channel', {
    urls,
    maxVideos: 1_200,
    name: 'All of Daily Notes',
  }),
  changeBatch: onlyExample('Stop it', { state: 'stopped' }),
}
