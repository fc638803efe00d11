/** What people would use instead of the service: loops over two public clients that get the same videos. */
import { Innertube, Log } from 'youtubei.js'
import * as plus from 'youtube-transcript-plus'
import { redirected } from '../../test/support/redirected.ts'

/** Resolves with the number of videos that came with at least one line. */
export type ChannelLoop = (ask: { channelId: string; videos: number }) => Promise<number>

type Item = {
  content_id?: string
  id?: string
  video_id?: string
}
type Pages = {
  items?: Item[]
  videos: Item[]
  has_continuation: boolean
  getContinuation(): Promise<Pages>
}

const BATCH = 8

/** Returns the loop that the client's documentation shows: list, then one video after the other. */
export async function youtubeiLoop(origin: string): Promise<ChannelLoop> {
  Log.setLevel(Log.Level.NONE)
  const fetchInstead = redirected(origin)
  const client = await Innertube.create({ fetch: fetchInstead, retrieve_player: false })
  return async ({ channelId, videos }) => {
    const ids: string[] = []
    let page = (await client.getPlaylist(`UU${channelId.slice(2)}`)) as unknown as Pages
    for (;;) {
      ids.push(
        ...(page.items ?? page.videos).flatMap(
          (item) => item.content_id ?? item.id ?? item.video_id ?? [],
        ),
      )
      if (!page.has_continuation || ids.length >= videos) break
      page = await page.getContinuation()
    }
    let delivered = 0
    for (const videoId of ids.slice(0, videos)) {
      const lines = await readOne(client, fetchInstead, videoId).catch(() => 0)
      if (lines > 0) delivered += 1
    }
    return delivered
  }
}

/**
 * Returns the number of lines of one video. The client cannot read captions; the shortest reader is added in its
 * favour.
 */
async function readOne(
  client: Innertube,
  fetchInstead: typeof fetch,
  videoId: string,
): Promise<number> {
  const info = await client.getBasicInfo(videoId, { client: 'IOS' })
  const track = info.captions?.caption_tracks?.[0]
  if (track === undefined) return 0
  const address = new URL(track.base_url)
  address.searchParams.set('fmt', 'json3')
  const { events } = (await (await fetchInstead(address)).json()) as {
    events: { segs?: { utf8: string }[] }[]
  }
  return events
    .map((event) => event.segs?.map((piece) => piece.utf8).join('') ?? '')
    .filter(Boolean).length
}

/** Returns a loop that is given the ids, since this client lists nothing; its users write it in batches of eight. */
export function plusLoop(origin: string, videoIds: readonly string[]): ChannelLoop {
  const fetchInstead = redirected(origin)
  const through = (asked: plus.FetchParams): Promise<Response> => {
    const { url, method, body, headers, userAgent } = asked
    return fetchInstead(url, {
      headers: { ...headers, ...(userAgent === undefined ? {} : { 'user-agent': userAgent }) },
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
    })
  }
  const config = { videoFetch: through, playerFetch: through, transcriptFetch: through }
  const linesOf = (id: string): Promise<number> =>
    plus.fetchTranscript(id, config).then(
      (lines: readonly unknown[]) => lines.length,
      () => 0,
    )
  return async ({ videos }) => {
    let delivered = 0
    for (let at = 0; at < videos; at += BATCH) {
      const batch = videoIds.slice(at, Math.min(at + BATCH, videos))
      const read = await Promise.all(batch.map(linesOf))
      delivered += read.filter((lines) => lines > 0).length
    }
    return delivered
  }
}
