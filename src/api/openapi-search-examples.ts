/** The example of GET /search in the OpenAPI document. */

/** Returns examples of answers, by operationId and status. */
export function searchExamples(
  jobId: string,
): Record<string, Record<string, { summary: string; value: unknown }>> {
  const hit = {
    jobId,
    index: 1,
    videoId: 'jNQXAC9IVRw',
    title: 'Me at the zoo',
    channelName: 'jawed',
    channelId: null,
    publishedAt: '2005-04-23T20:31:52-07:00',
    languageCode: 'en',
    startMs: 1200,
    snippet: [
      { text: 'All right, so here we are, in front of the ', isMatch: false },
      { text: 'elephants', isMatch: true },
      { text: '.', isMatch: false },
    ],
    url: 'https://www.youtube.com/watch?v=jNQXAC9IVRw&t=1s',
  }
  const value = {
    indexed: 8000,
    owned: 10_000,
    total: 1,
    offset: 0,
    limit: 20,
    nextOffset: null,
    hits: [hit],
    channels: [{ channelName: 'jawed', channelId: null, count: 1 }],
    months: [{ month: '2005-04', count: 1 }],
  }
  return {
    'search 200': { page: { summary: 'While 2,000 of 10,000 transcripts are still added', value } },
  }
}
