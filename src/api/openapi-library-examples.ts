/** Examples of the OpenAPI document about the library: a channel of which a part was bought. */

type Examples = Record<string, Record<string, { summary: string; value: unknown }>>

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

/** Returns examples of answers, by operationId and status; `jobId` is a final job's. */
export function libraryExamples(jobId: string): Examples {
  const video = {
    jobId,
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
  const page = { total: 1, offset: 0, limit: 50, nextOffset: null }
  const goesOn = {
    urls: ['https://www.youtube.com/@dailynotes'],
    language: 'original',
    formats: ['text', 'srt', 'vtt', 'segments'],
    videos: 700,
    costAtMost: '5.600',
  }
  const detail = { ...collection, counts: { success: 453, no_captions: 42, private: 5 }, goesOn }
  const one = (summary: string, value: unknown) => ({ example: { summary, value } })
  return {
    'listCollections 200': one('One channel', { ...page, collections: [collection] }),
    'getCollection 200': one('With the rest still to fetch', detail),
    'listLibraryVideos 200': one('One video', { ...page, videos: [video] }),
    'getJobVideo 200': one('A delivered video', { ...video, text: { jobId, index: 1 } }),
  }
}
