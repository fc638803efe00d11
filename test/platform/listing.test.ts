/** Lists of every size, shape and trick come out complete, in order and without a needless request. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import type { Settings } from '../../emulator/settings.ts'
import type { World } from '../../emulator/world.ts'
import type { Channel } from '../../emulator/model.ts'
import type { ListingAnswer } from '../../src/platform/platform.ts'
import { CURSOR_CHARS_MAX } from '../../src/platform/youtube/list-cursor.ts'
import { nearMs } from '../../src/platform/youtube/list-order.ts'
import {
  type Near,
  NEVER,
  idsOf,
  listSource,
  nearPlatform,
  readAll,
  truthIds,
} from './near-platform.ts'

const LAYOUTS: Partial<Settings>[] = [
  {},
  { layout: 'legacy' },
  { layout: 'mixed', strayTokens: true },
  { tokenPlace: 'short', emptyLastPage: true },
  { tokenPlace: 'button' },
  { tokenPlace: 'button', layout: 'legacy' },
  { tokenPlace: 'executor', continuationContents: false, strayTokens: true, emptyLastPage: true },
]

for (const knobs of LAYOUTS) {
  test(`playlists and channels come out whole and in order: ${JSON.stringify(knobs)}`, async (t) => {
    const near = await nearPlatform(t, { knobs })
    const { world } = near.emulator
    for (const key of [
      'seven',
      'mid',
      'hundred',
      'private',
      'rows',
      'shorts',
      'empty',
      'tongues',
      'names',
      'cutgrid',
    ]) {
      const { playlistId } = world.playlist(key)
      const truth = truthIds(world, { playlist: playlistId })
      assert.deepEqual(await idsOf(near, playlistId), truth, key)
    }
    for (const key of [
      'small',
      'noshorts',
      'unicode',
      'streams',
      'shortsonly',
      'cutgrid',
      'empty',
    ]) {
      const { channelId } = world.channel(key)
      assert.deepEqual(await idsOf(near, channelId), truthIds(world, { channel: channelId }), key)
    }
  })
}

test('a playlist of 5,000 takes fifty-one requests at most', async (t) => {
  const near = await nearPlatform(t)
  const { playlistId } = near.emulator.world.playlist('huge')
  const ids = await idsOf(near, playlistId)
  assert.deepEqual(ids, truthIds(near.emulator.world, { playlist: playlistId }))
  assert.ok(near.requests.filter(({ call }) => call === 'browse').length <= 51)
})

test('the same video listed three times stands in the list at each of its places over pages', async (t) => {
  const near = await nearPlatform(t)
  const ids = await idsOf(near, near.emulator.world.playlist('dups').playlistId)
  assert.equal(new Set(ids).size, 20)
})

/** The instant of the platform and of the process that reads its lists. */
const NOW = new Date()

/**
 * Asserts that no two videos are in reverse order by more than twice what counts as near. Returns by how many places a
 * video is off, on average.
 */
function assertNewestFirst(world: World, channel: Channel, ids: string[]): number {
  const list = world.uploads(channel, null)
  const truth = new Map(
    Array.from({ length: list.length }, (_, at) => [list.at(at).videoId, list.at(at).publishedMs]),
  )
  const instants = ids.map((id) => truth.get(id) ?? 0)
  let leastMs = Number.POSITIVE_INFINITY
  for (const [at, atMs] of instants.entries()) {
    assert.ok(
      atMs - leastMs <= 2 * nearMs(leastMs, NOW.getTime()),
      `${ids[at]} stands ${(atMs - leastMs) / 86_400_000} days too late`,
    )
    leastMs = Math.min(leastMs, atMs)
  }
  const right = instants
    .map((atMs, at) => ({ atMs, at }))
    .sort((one, other) => other.atMs - one.atMs)
  return right.reduce((sum, { at }, index) => sum + Math.abs(at - index), 0) / ids.length
}

const callsOf = (near: Near, call: string): number =>
  near.requests.filter((each) => each.call === call).length

test('a channel without uploads lists is read from its tabs: newest first over all of them, none twice', async (t) => {
  const near = await nearPlatform(
    t,
    { knobs: { strayTokens: true }, now: () => NOW.getTime() },
    { now: () => NOW },
  )
  const { world } = near.emulator
  const channel = world.channel('nolists')
  const truth = truthIds(world, { channel: channel.channelId })
  const ids = await idsOf(near, `https://www.youtube.com/${channel.handle}`)
  assert.deepEqual([...ids].sort(), [...truth].sort())
  assert.equal(new Set(ids).size, ids.length)
  assertNewestFirst(world, channel, ids)
  const list = world.uploads(channel, null)
  const kindOf = new Map(
    Array.from({ length: list.length }, (_, at) => [list.at(at).videoId, list.at(at).kind]),
  )
  const kinds = ids.slice(0, 20).map((id) => kindOf.get(id))
  assert.deepEqual(
    new Set(kinds),
    new Set(['video', 'live', 'short']),
    'the newest are of all kinds',
  )
  assert.ok(
    callsOf(near, 'date') <= ids.length,
    `${callsOf(near, 'date')} dates for ${ids.length} videos`,
  )
})

test('a channel of 1,200 whose list of all uploads is missing comes from those of each kind, by few requests', async (t) => {
  const near = await nearPlatform(t, { now: () => NOW.getTime() }, { now: () => NOW })
  const { world } = near.emulator
  const channel = world.channel('medium')
  near.emulator.apply({
    faults: [{ do: 'not_found', on: 'browse', list: `VLUU${channel.channelId.slice(2)}` }],
  })
  const ids = await idsOf(near, channel.channelId)
  assert.deepEqual([...ids].sort(), [...truthIds(world, { channel: channel.channelId })].sort())
  const offBy = assertNewestFirst(world, channel, ids)
  assert.ok(offBy < 20, `${offBy} places`)
  t.diagnostic(
    `${callsOf(near, 'browse')} pages, ${callsOf(near, 'date')} dates, ${offBy.toFixed(1)} places off on average`,
  )
  assert.ok(callsOf(near, 'browse') <= 1 + 12 + 3)
  assert.ok(callsOf(near, 'date') <= 150, `${callsOf(near, 'date')} dates`)
  // Another process goes on from a cursor in the middle.
  const source = listSource(channel.channelId)
  let [cursor, count]: [string | null, number] = [null, 0]
  for (let pages = 0; pages < 4; pages += 1) {
    const answer: ListingAnswer = await near.platform.listPage({ source, cursor }, NEVER)
    assert.ok(answer.kind === 'page' && answer.isEstimated && answer.next !== null)
    assert.ok(answer.next.length <= CURSOR_CHARS_MAX)
    ;[cursor, count] = [answer.next, count + answer.videos.length]
  }
  const other = await nearPlatform(t, {}, { origin: near.emulator.origin, now: () => NOW })
  const { videos } = await readAll(other.platform, source, cursor)
  assert.deepEqual(
    videos.map(({ videoId }) => videoId),
    ids.slice(count),
  )
})

test('a tab lists its own kind only, and a tab that the channel does not have lists nothing', async (t) => {
  for (const knobs of [{}, { uploadsLists: false }]) {
    const near = await nearPlatform(t, { knobs })
    const { world } = near.emulator
    const small = world.channel('small')
    for (const [tab, kind] of [
      ['videos', 'video'],
      ['shorts', 'short'],
      ['streams', 'live'],
    ] as const) {
      const list = world.uploads(small, kind)
      const expected = Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
      assert.deepEqual(await idsOf(near, `youtube.com/${small.handle}/${tab}`), expected, tab)
    }
    const { handle } = world.channel('noshorts')
    assert.deepEqual(await idsOf(near, `youtube.com/${handle}/shorts`), [])
    assert.deepEqual(await idsOf(near, `youtube.com/${handle}/streams`), [])
  }
})

test('a home page shown instead of a missing tab is never taken for the tab', async (t) => {
  const richItemRenderer = {
    content: {
      lockupViewModel: { contentId: 'dQw4w9WgXcQ', contentType: 'LOCKUP_CONTENT_TYPE_VIDEO' },
    },
  }
  const endpoint = { commandMetadata: { webCommandMetadata: { url: '/@x/featured' } } }
  const tabRenderer = {
    selected: true,
    title: 'Home',
    endpoint,
    content: { richGridRenderer: { contents: [{ richItemRenderer }] } },
  }
  const home = { contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer }] } } }
  const gone = {
    alerts: [
      { alertRenderer: { type: 'ERROR', text: { simpleText: 'The playlist does not exist.' } } },
    ],
  }
  const server = http.createServer(async (request, response) => {
    const asked = Buffer.concat((await request.toArray()) as Buffer[])
    const isHome = asked.includes('"browseId":"UC')
    response.end(
      JSON.stringify({ responseContext: { visitorData: 'identity' }, ...(isHome ? home : gone) }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const near = await nearPlatform(
    t,
    {},
    { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  )
  assert.deepEqual(
    await idsOf(near, 'https://www.youtube.com/channel/UCTwECeGqMZee77BjdoYtI2Q/shorts'),
    [],
  )
})

test('channels are found by handle, old name, hop, percent-encoding and after they moved', async (t) => {
  const near = await nearPlatform(t)
  const { world } = near.emulator
  const renamed = truthIds(world, { channel: world.channel('renamed').channelId })
  const names = [
    '@oldname',
    '@NewName',
    'youtube.com/oldcustomname',
    'youtube.com/user/oldusername',
    'm.youtube.com/c/oldcustomname',
  ]
  for (const line of names) assert.deepEqual(await idsOf(near, line), renamed, line)

  const unicode = truthIds(world, { channel: world.channel('unicode').channelId })
  const handle = world.channel('unicode').handle ?? ''
  assert.deepEqual(await idsOf(near, handle), unicode)
  assert.deepEqual(
    await idsOf(near, `https://www.youtube.com/${encodeURIComponent(handle)}`),
    unicode,
  )

  const small = truthIds(world, { channel: world.channel('small').channelId })
  assert.deepEqual(await idsOf(near, world.channel('moved').channelId), small)
})

test('what does not exist is missing, in the platform’s words', async (t) => {
  const near = await nearPlatform(t)
  const { world } = near.emulator
  const cases: [string, RegExp][] = [
    [world.channel('terminated').channelId, /terminated/],
    [world.channel('removed').channelId, /Community Guidelines/],
    [world.playlist('missing').playlistId, /does not exist/],
    [world.playlist('unviewable').playlistId, /unviewable/],
    ['@nobodyhasthishandle', /no channel/],
    ['UCaaaaaaaaaaaaaaaaaaaaaa', /does not exist/],
  ]
  for (const [line, text] of cases) {
    const { end } = await near.list(line)
    assert.equal(end.kind, 'missing', line)
    if (end.kind === 'missing') assert.match(end.text, text)
  }
})

test('a listing goes on from its cursor in another process', async (t) => {
  const near = await nearPlatform(t)
  const { playlistId } = near.emulator.world.playlist('mid')
  const source = listSource(playlistId)
  const first = await near.platform.listPage({ source, cursor: null }, NEVER)
  assert.ok(first.kind === 'page' && first.next !== null)
  const other = await nearPlatform(t, {}, { origin: near.emulator.origin })
  const second = await other.platform.listPage({ source, cursor: first.next }, NEVER)
  assert.ok(second.kind === 'page')
  const truth = truthIds(near.emulator.world, { playlist: playlistId })
  assert.deepEqual(
    [...first.videos, ...second.videos].map((video) => video.videoId),
    truth.slice(0, 200),
  )
})

test('members-only videos are marked by their list', async (t) => {
  const near = await nearPlatform(t)
  const { videos } = await near.list(near.emulator.world.playlist('rows').playlistId)
  const members = near.emulator.world.special('members').videoId
  const marked = videos.filter((video) => video.isMembersOnly).map((video) => video.videoId)
  assert.ok(marked.includes(members))
  assert.ok(!marked.includes(near.emulator.world.special('asr').videoId))
})
