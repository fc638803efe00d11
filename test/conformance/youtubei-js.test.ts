/** youtubei.js, unmodified, lists and reads the emulator as it does the real place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Innertube, Log, type YT } from 'youtubei.js'
import {
  listedIds,
  type PeerStage,
  stage,
  truthAbout,
  truthOfTrack,
  wordsOf,
} from './peer-support.ts'

Log.setLevel(Log.Level.NONE)

const platform = await stage()
const clientOf = (staged: PeerStage): Promise<Innertube> =>
  Innertube.create({ fetch: staged.fetch, retrieve_player: false })
const client = await clientOf(platform)

test('it starts a session from the platform’s own session data', () => {
  assert.match(client.session.context.client.visitorData ?? '', /^Cg[st]/)
  assert.match(client.session.context.client.clientVersion, /^2\.2026/)
})

test('it reads the facts of a video', async () => {
  const truth = truthAbout(platform, platform.world.special('title-emoji').videoId)
  const { basic_info, playability_status } = await client.getBasicInfo(truth.videoId, {
    client: 'IOS',
  })
  assert.equal(playability_status?.status, 'OK')
  assert.equal(basic_info.title, truth.title)
  assert.equal(basic_info.author, truth.channelName)
  assert.equal(basic_info.duration, truth.durationMs / 1000)
})

test('it finds the caption address, and the words behind it are the truth', async () => {
  const { videoId, segments } = truthOfTrack(platform, 'both', 'manual')
  const info = await client.getBasicInfo(videoId, { client: 'IOS' })
  const tracks = info.captions?.caption_tracks ?? []
  assert.deepEqual(
    tracks.map((track) => track.kind ?? 'manual'),
    ['manual', 'asr'],
  )
  const answer = await platform.fetch(`${tracks[0]?.base_url}&fmt=json3`)
  const { events } = (await answer.json()) as { events: { segs: { utf8: string }[] }[] }
  assert.equal(
    wordsOf(events.map(({ segs }) => ({ text: segs[0]?.utf8 ?? '' }))),
    wordsOf(segments),
  )
})

test('the web client is shown captions, and fetches nothing from their guarded addresses', async () => {
  const { videoId } = platform.world.special('asr')
  const info = await client.getBasicInfo(videoId)
  const address = info.captions?.caption_tracks?.[0]?.base_url ?? ''
  assert.match(address, /exp=xpe/)
  const answer = await platform.fetch(`${address}&fmt=json3`)
  assert.equal(answer.status, 200)
  assert.equal(await answer.text(), '')
})

test('it follows handles, in any case and in Japanese', async () => {
  const resolve = async (handle: string): Promise<string | undefined> =>
    (await client.resolveURL(`https://www.youtube.com/${handle}`)).payload.browseId
  assert.equal(await resolve('@SmallWorkshop'), platform.world.channel('small').channelId)
  const { handle, channelId } = platform.world.channel('unicode')
  assert.equal(await resolve(encodeURI(handle ?? '')), channelId)
  await assert.rejects(resolve('@nobodyhasthishandle'))
})

for (const layout of ['lockup', 'legacy'] as const) {
  test(`it lists a playlist of 250 to its end (${layout})`, async () => {
    const staged = await stage({ layout })
    const { playlistId } = staged.world.playlist('mid')
    const ids = await allOf(await (await clientOf(staged)).getPlaylist(playlistId))
    assert.deepEqual(ids, visible(staged, listedIds(staged, { playlist: playlistId })))
  })

  test(`it lists each tab of a channel to its end (${layout})`, async () => {
    const staged = await stage({ layout })
    const channel = staged.world.channel('medium')
    const page = await (await clientOf(staged)).getChannel(channel.channelId)
    const of = (kind: 'video' | 'short' | 'live'): string[] => {
      const list = staged.world.uploads(channel, kind)
      return Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
    }
    assert.deepEqual(await allOf(await page.getVideos()), of('video'))
    assert.deepEqual(await allOf(await page.getShorts()), of('short'))
    assert.deepEqual(await allOf(await page.getLiveStreams()), of('live'))
  })
}

test('it sees which tabs a channel has', async () => {
  const page = await client.getChannel(platform.world.channel('noshorts').channelId)
  assert.equal(page.has_videos, true)
  assert.equal(page.has_shorts, false)
  assert.equal(page.has_live_streams, false)
})

test('it refuses terminated channels and missing playlists', async () => {
  await assert.rejects(client.getChannel(platform.world.channel('terminated').channelId))
  await assert.rejects(client.getPlaylist(platform.world.playlist('missing').playlistId))
})

/** Returns the ids that a list shows: private and removed videos are left out unless asked for. */
function visible(staged: PeerStage, ids: string[]): string[] {
  return ids.filter((id) => {
    const { state } = staged.world.video(id) ?? { state: 'not_found' }
    return state !== 'private' && state !== 'not_found'
  })
}

type Pages = YT.Playlist | YT.Channel

/** Returns every video of every page, in order; the shapes differ by layout, the ids do not. */
async function allOf(first: Pages): Promise<string[]> {
  const ids: string[] = []
  let page = first as unknown as {
    videos: {
      content_id?: string
      id?: string
      video_id?: string
      on_tap_endpoint?: { payload?: { videoId?: string } }
    }[]
    items?: unknown[]
    has_continuation: boolean
    getContinuation(): Promise<unknown>
  }
  for (;;) {
    const things = (page.items ?? page.videos) as typeof page.videos
    ids.push(
      ...things.map(
        (item) =>
          item.content_id ??
          item.on_tap_endpoint?.payload?.videoId ??
          item.id ??
          item.video_id ??
          '',
      ),
    )
    if (!page.has_continuation) return ids
    page = (await page.getContinuation()) as typeof page
  }
}
