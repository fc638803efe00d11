/** What people would use instead of the service: loops over two public clients that get the same videos. */
import { Innertube, Log } from 'youtubei.js'
import * as plus from 'youtube-transcript-plus'
import { redirected } from '../test/support/redirected.ts'

/** Resolves with the number of videos that came with at least one line. */
export type PeerLoop = (ask: { channelId: string; videos: number }) => Promise<number>

type Item = {
  content_id?: string
  id?: string
  video_id?: string
  on_tap_endpoint?: { payload?: { videoId?: string } }
}
type Pages = {
  items?: Item[]
  videos: Item[]
  has_continuation: boolean
  getContinuation(): Promise<Pages>
}

const BATCH = 8

/** Returns the loop that the client's documentation shows: list, then one video after the other. */
export async function youtubeiLoop(origin: string): Promise<PeerLoop> {
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
export async function readOne(
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

/**
 * Returns a loop that is given the ids, since this client lists nothing, and works in batches of eight, as its users
 * write it.
 */
export function plusLoop(origin: string, videoIds: readonly string[]): PeerLoop {
  const config = plusConfig(redirected(origin))
  return async ({ videos }) => {
    let delivered = 0
    for (let at = 0; at < videos; at += BATCH) {
      const batch = videoIds.slice(at, Math.min(at + BATCH, videos))
      const read = await Promise.all(
        batch.map((id) =>
          plus.fetchTranscript(id, config).then(
            (lines: readonly unknown[]) => lines.length,
            () => 0,
          ),
        ),
      )
      delivered += read.filter((lines) => lines > 0).length
    }
    return delivered
  }
}

export function plusConfig(fetchInstead: typeof fetch): plus.TranscriptConfig {
  const through = ({
    url,
    method,
    body,
    headers,
    userAgent,
  }: plus.FetchParams): Promise<Response> => {
    const named = { ...headers, ...(userAgent === undefined ? {} : { 'user-agent': userAgent }) }
    return fetchInstead(url, {
      headers: named,
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
    })
  }
  return { videoFetch: through, playerFetch: through, transcriptFetch: through }
}
