/** Examples of the OpenAPI document about previews: a channel of which an earlier job delivered a part. */

type Examples = Record<string, Record<string, { summary: string; value: unknown }>>

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
    formats: ['text', 'srt', 'vtt', 'segments'],
    maxVideos: 500,
    requestedMaxVideos: 500,
    publishedAfter: null,
    publishedBefore: null,
  },
  sources: [source],
  wouldTake: 6,
  costAtMost: '0.048',
  costExpected: '0.040',
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
  knownNegative: 0,
  wouldTake: 0,
}
const begun = { ...ready, state: 'listing', sources: [unread], wouldTake: 0 }
const listing = { ...begun, costAtMost: '4.000', costExpected: '0.000' }
const blocked = {
  ...ready,
  sources: [
    { ...unread, error: 'The platform blocked us while we read the list. Try again later.' },
  ],
  wouldTake: 0,
  costAtMost: '4.000',
  costExpected: '0.000',
}

/** Examples of answers, by operationId and status. */
export const PREVIEW_EXAMPLES: Examples = {
  'createPreview 201': {
    listing: { summary: 'Nothing is found out yet', value: listing },
    ready: { summary: 'Ready at once, or within the wait that was preferred', value: ready },
  },
  'getPreview 200': {
    ready: { summary: 'Six of the 24 videos are new', value: ready },
    blocked: { summary: 'A list that could not be read is not an empty one', value: blocked },
  },
}

/** Examples of bodies, by operationId. */
export const PREVIEW_BODY_EXAMPLES: Examples = {
  createPreview: { channel: { summary: 'A channel', value: { urls: [line] } } },
}
