/** A channel's pages that are no plain tab: live videos, and its tabs of playlists. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { idsOf, nearPlatform, truthIds } from './near-platform.ts'

test('the live address of a channel is what is on air, one video, or nothing', async (t) => {
  const near = await nearPlatform(t)
  const { world } = near.emulator
  const rows = world.channel('lab')
  const onAir = [world.special('live-now').videoId]
  assert.deepEqual(await idsOf(near, `https://www.youtube.com/${rows.handle}/live`), onAir)
  const embedded = `https://www.youtube.com/embed/live_stream?channel=${rows.channelId}`
  assert.deepEqual(await idsOf(near, embedded), onAir)
  const calls = near.requests.map(({ call }) => call).filter((call) => call !== 'visitor_id')
  assert.deepEqual(
    calls,
    ['resolve_url', 'resolve_url', 'resolve_url'],
    'the name once, and no list',
  )

  const offAir = `https://www.youtube.com/${world.channel('streams').handle}/live`
  assert.deepEqual(await idsOf(near, offAir), [])
  const { end } = await near.list('https://www.youtube.com/@nobodyatall/live')
  assert.equal(end.kind, 'missing')
  near.emulator.apply({ faults: [{ do: 'missing_keys', on: 'resolve_url' }] })
  const obstructed = await near.list(embedded)
  assert.equal(obstructed.end.kind, 'obstructed')
})

test('tabs of playlists are their videos, list after list; missing lists are passed over', async (t) => {
  const near = await nearPlatform(t)
  const { world } = near.emulator
  const { handle, channelId } = world.channel('small')
  const keys = ['seven', 'mid', 'hundred', 'tongues', 'lostgrid']
  const [seven, mid, hundred, tongues, lost] = keys.map((key) =>
    truthIds(world, { playlist: world.playlist(key).playlistId }),
  )
  const podcasts = await idsOf(near, `https://www.youtube.com/${handle}/podcasts`)
  assert.deepEqual(podcasts, [...seven!, ...mid!])
  const releases = await idsOf(near, `https://www.youtube.com/channel/${channelId}/releases`)
  assert.deepEqual(releases, [...hundred!, ...seven!])
  const shows = await idsOf(near, `https://www.youtube.com/${handle}/shows`)
  assert.deepEqual(shows, [...tongues!, ...lost!.slice(0, 100), ...seven!])
  const show = `https://www.youtube.com/show/VL${world.playlist('seven').playlistId}?sbp=QAE%253D`
  assert.deepEqual(await idsOf(near, show), seven)
  assert.deepEqual(await idsOf(near, `https://www.youtube.com/${handle}/courses`), [])
  const other = `https://www.youtube.com/${world.channel('medium').handle}/podcasts`
  assert.deepEqual(await idsOf(near, other), [], 'a channel without the tab shows its home page')
})

test('a tab that names its playlists again under ever new tokens has ended', async (t) => {
  const lists = ['PLaaaaaaaaaaaaaaaa', 'PLbbbbbbbbbbbbbbbb']
  const tab = { title: 'Podcasts', endpoint: tabAddress('podcasts'), selected: true }
  let pages = 0
  const server = http.createServer(async (request, response) => {
    const asked = Buffer.concat((await request.toArray()) as Buffer[]).toString()
    const [, list] = /"browseId":"VL(\w+)"/.exec(asked) ?? []
    const items = lists.map((contentId) => ({
      lockupViewModel: { contentId, contentType: 'LOCKUP_CONTENT_TYPE_PODCAST' },
    }))
    pages += 1
    const continuationCommand = { token: `page${pages}` }
    const more = { continuationItemRenderer: { continuationEndpoint: { continuationCommand } } }
    const video = { playlistVideoRenderer: { videoId: `video-${list?.slice(2, 7)}` } }
    const contents = list === undefined ? [...items, more] : [video]
    const content =
      list === undefined
        ? { richGridRenderer: { contents } }
        : { sectionListRenderer: { contents: [{ itemSectionRenderer: { contents } }] } }
    const tabs = [{ tabRenderer: { ...(list === undefined ? tab : { selected: true }), content } }]
    const body = asked.includes('"continuation"')
      ? {
          onResponseReceivedActions: [
            { appendContinuationItemsAction: { continuationItems: contents } },
          ],
        }
      : { contents: { twoColumnBrowseResultsRenderer: { tabs } } }
    const endpoint = { browseEndpoint: { browseId: CHANNEL, params: 'podcasts' } }
    const isName = request.url?.includes('resolve_url') === true
    response.end(
      JSON.stringify({
        responseContext: { visitorData: 'identity' },
        ...(isName ? { endpoint } : body),
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const near = await nearPlatform(t, {}, { origin })
  const ids = await idsOf(near, `https://www.youtube.com/channel/${CHANNEL}/podcasts`)
  assert.deepEqual(ids, ['video-aaaaa', 'video-bbbbb'])
})

const CHANNEL = 'UCTwECeGqMZee77BjdoYtI2Q'

function tabAddress(page: string): object {
  return { commandMetadata: { webCommandMetadata: { url: `/@x/${page}` } } }
}
