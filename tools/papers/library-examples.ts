/**
 * Examples of the OpenAPI document about the library, searches and previews: a channel of which an earlier job
 * delivered a part.
 */
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { pageInfo } from '../../src/kit/page.ts'
import {
  example,
  EXAMPLE_JOB_ID,
  EXAMPLE_ROW,
  type Examples,
  onlyExample,
} from '../../src/api/jobs/example-job.ts'

const channelId = 'UCBR8-60-B28hp2BmDPdntcQ'
const collection = {
  id: channelId,
  kind: 'channel',
  title: 'Daily Notes',
  channelId,
  playlistId: null,
  known: 1_200,
  delivered: 453,
  noCaptions: 42,
  failed: 5,
  remaining: 700,
  newestAt: '2026-03-01T08:00:00.000Z',
  oldestAt: '2024-11-20T17:30:00.000Z',
  lastLookedAt: '2026-03-01T09:30:00.000Z',
  charged: '3.624',
  languages: ['en'],
}

const projectWords = { name: 'Interviews on housing', note: 'For chapter 3', tags: ['housing'] }
const project = {
  id: 'prj_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11',
  ...projectWords,
  videos: 12,
  createdAt: '2026-03-01T08:00:00.000Z',
  changedAt: '2026-03-01T09:30:00.000Z',
}
const unheard = { jobId: EXAMPLE_JOB_ID, index: 2, reason: 'It has no transcript of yours.' }

const video = {
  jobId: EXAMPLE_JOB_ID,
  ...EXAMPLE_ROW,
  channelId: 'UC4QobU6STFB0P71PMvOGN5A',
  durationSeconds: 19,
  viewCount: 370_000_000,
  keywords: ['me at the zoo', 'jawed karim'],
  description: '0:00 Intro\n0:10 The cool thing\n0:20 End',
  category: 'Film & Animation',
  chapters: [
    { startMs: 0, title: 'Intro' },
    { startMs: 10_000, title: 'The cool thing' },
    { startMs: 20_000, title: 'End' },
  ],
}
const goesOn = {
  urls: ['https://www.youtube.com/@dailynotes'],
  language: 'original',
  formats: FORMATS,
  videos: 700,
  costAtMost: '5.600',
}
const counts = { success: 453, no_captions: 42, private: 5 }
const page = pageInfo({ offset: 0, limit: 50 }, 1)

const { videoId, title, channelName, publishedAt, languageCode } = EXAMPLE_ROW
const hit = {
  jobId: EXAMPLE_JOB_ID,
  index: 1,
  videoId,
  title,
  channelName,
  channelId: null,
  publishedAt,
  languageCode,
  startMs: 1200,
  snippet: [
    { text: 'All right, so here we are, in front of the ', isMatch: false },
    { text: 'elephants', isMatch: true },
    { text: '.', isMatch: false },
  ],
  mentions: 1,
  url: 'https://www.youtube.com/watch?v=jNQXAC9IVRw&t=1s',
}
const { mentions: _count, ...place } = hit
const mention = { ...place, text: hit.snippet.map(({ text }) => text).join('') }
const counted = { transcripts: 1, mentions: 1 }
const mentioned = {
  indexed: 10_000,
  owned: 10_000,
  transcripts: 1,
  ...pageInfo({ offset: 0, limit: 50 }, 1),
  mentions: [mention],
  videos: [{ jobId: EXAMPLE_JOB_ID, index: 1, videoId, title, channelName, mentions: 1 }],
  channels: [{ channelName, channelId: null, ...counted }],
  months: [{ month: '2005-04', ...counted }],
}
const found = {
  indexed: 8000,
  owned: 10_000,
  ...pageInfo({ offset: 0, limit: 20 }, 1),
  hits: [hit],
  channels: [{ channelName, channelId: null, count: 1 }],
  months: [{ month: '2005-04', count: 1 }],
}

const line = 'https://www.youtube.com/@jawed'

const source = {
  line,
  kind: 'channel',
  title: 'jawed',
  channelName: 'jawed',
  pictureUrl: 'https://i.ytimg.com/vi/jNQXAC9IVRw/mqdefault.jpg',
  videos: 24,
  isComplete: true,
  newestAt: '2026-02-20T12:00:00.000Z',
  oldestAt: '2005-04-24T03:31:52.000Z',
  delivered: 18,
  owned: 18,
  knownNegative: 1,
  wouldTake: 6,
  error: null,
}

const ready = {
  id: 'prv_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11',
  state: 'ready',
  createdAt: '2026-03-01T09:29:58.120Z',
  expiresAt: '2026-03-01T10:29:58.120Z',
  input: {
    urls: [line],
    language: 'original',
    formats: FORMATS,
    maxVideos: 500,
    requestedMaxVideos: 500,
    publishedAfter: null,
    publishedBefore: null,
  },
  sources: [source],
  wouldTake: 6,
  unchanged: 18,
  costAtMost: '0.048',
  costExpected: '0.040',
  costAgain: '0.000',
  notices: [],
}

const unread = {
  ...source,
  title: null,
  channelName: null,
  pictureUrl: null,
  videos: null,
  isComplete: false,
  newestAt: null,
  oldestAt: null,
  delivered: 0,
  owned: 0,
  knownNegative: 0,
  wouldTake: 0,
}
const begun = { ...ready, state: 'listing', sources: [unread], wouldTake: 0, unchanged: 0 }
const listing = { ...begun, costAtMost: '4.000', costExpected: '0.000' }
const blocked = {
  ...listing,
  state: 'ready',
  sources: [
    { ...unread, error: 'The platform blocked us while we read the list. Try again later.' },
  ],
}

/** Examples of answers and bodies, as in EXAMPLES. */
export const LIBRARY_EXAMPLES: Examples = {
  'search 200': example('page', 'While 2,000 of 10,000 transcripts are still added', found),
  'listMentions 200': onlyExample('One mention', mentioned),
  'listCollections 200': onlyExample('One channel', { ...page, collections: [collection] }),
  'getCollection 200': onlyExample('With the rest still to fetch', {
    ...collection,
    counts,
    goesOn,
  }),
  'listLibraryVideos 200': onlyExample('One video', { ...page, videos: [video] }),
  'getJobVideo 200': onlyExample('A delivered video', {
    ...video,
    tracks: [
      {
        languageCode: 'en',
        kind: 'manual',
        name: 'English',
        isDefault: true,
        isTranslatable: true,
      },
      {
        languageCode: 'en',
        kind: 'asr',
        name: 'English (auto-generated)',
        isDefault: false,
        isTranslatable: true,
      },
    ],
    source: {
      sha256: '314442288428d305e71902c872569f7d240df93b9aef24ee518a6d5411d0305c',
      format: 'json3',
      sizeBytes: 7735,
      client: 'VISIONOS',
      fetchedAt: '2026-03-01T09:30:02.310Z',
      lastModified: null,
      etag: null,
    },
    hasWordTimes: false,
    text: { jobId: EXAMPLE_JOB_ID, index: 1 },
  }),
  'getWords 200': onlyExample('The first words of automatic captions', {
    words: [
      { startMs: 1200, endMs: 1420, text: 'all', confidence: 0.98 },
      { startMs: 1420, endMs: 1800, text: ' right', confidence: 0.95 },
    ],
  }),
  'getWords 206': onlyExample('The first bytes', '{"words":[{"startMs":1200'),
  'listProjects 200': onlyExample('The only one', { ...page, projects: [project] }),
  'createProject 201': onlyExample('Still empty', { ...project, videos: 0 }),
  'getProject 200': onlyExample('With twelve transcripts', project),
  'changeProject 200': onlyExample('Renamed', project),
  'addToProject 200': onlyExample('One of three was not delivered', {
    added: 1,
    present: 1,
    refusals: 1,
    refused: [unheard],
  }),
  createProject: example('words', 'With a note and a tag', projectWords),
  changeProject: example('name', 'Another name', { name: 'Interviews on housing' }),
  addToProject: {
    videos: {
      summary: 'Two videos of a job',
      value: { videos: [1, 2].map((index) => ({ jobId: EXAMPLE_JOB_ID, index })) },
    },
    collection: { summary: 'All transcripts of a channel', value: { collection: channelId } },
  },
  'createPreview 201': {
    listing: { summary: 'Nothing is known yet', value: listing },
    ready: { summary: 'Ready at once, or within the wait that was preferred', value: ready },
  },
  'getPreview 200': {
    ready: { summary: 'Six of the 24 videos are new', value: ready },
    blocked: { summary: 'A list that could not be read is not an empty one', value: blocked },
  },
  createPreview: example('channel', 'A channel', { urls: [line] }),
}
