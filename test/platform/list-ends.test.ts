/** Where lists end: by what their tokens say, and told where that is not all of it, or never an end. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import type { Settings } from '../../emulator/settings.ts'
import type { ListEnd, ListingAnswer } from '../../src/platform/platform.ts'
import { idsOf, listSource, type Near, nearPlatform, NEVER, truthIds } from './near-platform.ts'

const LIST = 'PL0123456789abcdefghijklmnopqrstuv'

const browses = (near: Near): number => near.requests.filter(({ call }) => call === 'browse').length

function endOf(answer: ListingAnswer): ListEnd | null {
  assert.ok(answer.kind === 'page', JSON.stringify(answer))
  assert.equal(answer.next, null)
  return answer.end ?? null
}

test('a channel of 350 Shorts whose list is a grid of 100 without a token is listed whole', async (t) => {
  const near = await nearPlatform(t)
  const { world } = near.emulator
  const channel = world.channel('cutgrid')
  const truth = truthIds(world, { channel: channel.channelId })
  const { videos, end } = await near.list(`https://www.youtube.com/${channel.handle}`)
  assert.deepEqual(
    videos.map(({ videoId }) => videoId),
    truth,
  )
  assert.equal(endOf(end), null)
  assert.equal(browses(near), 1 + 4)
  for (const prefix of ['UU', 'UUSH'])
    assert.deepEqual(await idsOf(near, `${prefix}${channel.channelId.slice(2)}`), truth, prefix)
})

test('without the list of its Shorts, such a channel is read from the tab, or by a token of our own', async (t) => {
  for (const missing of ['UUSH', 'UU']) {
    const near = await nearPlatform(t)
    const { world } = near.emulator
    const { channelId } = world.channel('cutgrid')
    near.emulator.apply({
      faults: [{ do: 'not_found', on: 'browse', list: `VL${missing}${channelId.slice(2)}` }],
    })
    assert.deepEqual(await idsOf(near, channelId), truthIds(world, { channel: channelId }), missing)
  }
})

test('a playlist of 350 Shorts whose grid has no token is listed whole by a token of our own', async (t) => {
  const near = await nearPlatform(t)
  const { playlistId } = near.emulator.world.playlist('cutgrid')
  const { videos, end } = await near.list(playlistId)
  const truth = truthIds(near.emulator.world, { playlist: playlistId })
  assert.deepEqual(
    videos.map(({ videoId }) => videoId),
    truth,
  )
  assert.equal(endOf(end), null)
})

test('a list that the platform cuts short says so, and what it lists is kept', async (t) => {
  const near = await nearPlatform(t)
  const { playlistId } = near.emulator.world.playlist('lostgrid')
  const { videos, end } = await near.list(playlistId)
  assert.equal(videos.length, 100)
  assert.deepEqual(endOf(end), { kind: 'cut', listed: 100, counted: 350 })
  assert.ok(browses(near) <= 2)
})

test('where the other way of asking is refused, what was listed stays; where it is blocked, the list is', async (t) => {
  for (const refusal of [
    'bad_request',
    'not_found',
    'server_error',
    'missing_keys',
    'too_many',
  ] as const) {
    const near = await nearPlatform(t, {}, { limits: { patienceMs: 300 } })
    near.emulator.apply({ faults: [{ do: refusal, on: 'browse', after: 1 }] })
    const { videos, end } = await near.list(near.emulator.world.playlist('lostgrid').playlistId)
    assert.equal(end.kind === 'obstructed', refusal === 'too_many', refusal)
    assert.equal(videos.length, refusal === 'too_many' ? 0 : 100)
    if (refusal !== 'too_many') assert.equal(endOf(end)?.kind, 'cut')
  }
})

test('a list that comes again and again ends after four pages without a new video, and says so', async (t) => {
  const near = await nearPlatform(t)
  const { playlistId } = near.emulator.world.playlist('endless')
  const { videos, end } = await near.list(playlistId)
  const truth = truthIds(near.emulator.world, { playlist: playlistId })
  assert.deepEqual([...new Set(videos.map(({ videoId }) => videoId))], truth)
  assert.deepEqual(endOf(end), { kind: 'repeats', listed: 90, pages: 4 })
  assert.equal(browses(near), 3 + 4)
})

/** The page that a token made by the client asks for. */
const OWN_TOKEN = -1

/** What a made-up list answers for a page: the ids of its videos, and the number of the next page or null. */
type MadeUpPage = { ids: string[]; next: number | null; areShorts?: boolean }

/** Starts a platform with one list, whose header counts `counted` videos, or in those words. */
async function madeUp(
  t: TestContext,
  counted: number | string | null,
  page: (number: number) => MadeUpPage,
): Promise<Near> {
  const server = http.createServer(async (request, response) => {
    const asked = Buffer.concat((await request.toArray()) as Buffer[]).toString()
    const [, token] = /"continuation":"page(\d+)"/.exec(asked) ?? []
    const isOwn = token === undefined && asked.includes('"continuation"')
    const made = page(isOwn ? OWN_TOKEN : Number(token ?? 0))
    const body =
      made.ids.length === 0 && isOwn
        ? {}
        : listReply(counted, made, !asked.includes('"continuation"'))
    response.end(JSON.stringify({ responseContext: { visitorData: 'identity' }, ...body }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return nearPlatform(t, {}, { origin: `http://127.0.0.1:${port}` })
}

function listReply(counted: number | string | null, page: MadeUpPage, isFirst: boolean): object {
  const { ids, next, areShorts = false } = page
  const name = areShorts ? 'reelItemRenderer' : 'playlistVideoRenderer'
  const items: object[] = ids.map((videoId) => ({ [name]: { videoId } }))
  const continuationCommand = { token: `page${next}` }
  if (next !== null)
    items.push({ continuationItemRenderer: { continuationEndpoint: { continuationCommand } } })
  const count = typeof counted === 'number' ? `${counted.toLocaleString('en')} videos` : counted
  const stats = count === null ? [] : [{ simpleText: count }]
  const sidebar = {
    playlistSidebarRenderer: { items: [{ playlistSidebarPrimaryInfoRenderer: { stats } }] },
  }
  if (!isFirst)
    return {
      onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems: items } }],
    }
  const contents = [{ itemSectionRenderer: { contents: items } }]
  const tabRenderer = { selected: true, content: { sectionListRenderer: { contents } } }
  return { sidebar, contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer }] } } }
}

const videoIds = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `video${String(from + at).padStart(6, '0')}`)

test('a list with some hidden videos is whole, whatever its header counts; one far short of it is cut', async (t) => {
  const cases: [counted: number | null, sizes: number[], isCut: boolean][] = [
    [null, [100], false],
    [0, [], false],
    [103, [100], false],
    [110, [100], false],
    [260, [100, 100, 50], false],
    [220, [100, 99, 99], false],
    [330, [100, 100, 100], false],
    [90, [60], false],
    [150, [60], false],
    [5000, [...Array<number>(45).fill(100), 40], false],
    [350, [100], true],
    [350, [98], true],
    [130, [100], true],
    [400, [100, 40], true],
    [1000, [100, 100, 100], true],
  ]
  for (const [counted, sizes, isCut] of cases) {
    const near = await madeUp(t, counted, (number) => ({
      ids: videoIds(number * 1000, sizes[number] ?? 0),
      next: number + 1 < sizes.length ? number + 1 : null,
    }))
    const { videos, end } = await near.list(LIST)
    const listed = sizes.reduce((sum, size) => sum + size, 0)
    assert.equal(videos.length, listed)
    assert.deepEqual(
      endOf(end),
      isCut ? { kind: 'cut', listed, counted } : null,
      `${counted} ${sizes}`,
    )
  }
})

test('a rounded count cuts no list by its rounding, and is told as the least that it means', async (t) => {
  const cases: [count: string, listed: number, least: number | null][] = [
    ['1.2K videos', 1249, null],
    ['1.2K videos', 1150, null],
    ['2K videos', 1500, null],
    ['12K lessons', 11_500, null],
    ['1.2K videos', 100, 1150],
    ['1.2K views', 100, null],
    ['2 seasons', 1, null],
    ['350 episodes', 350, null],
    ['350 episodes', 100, 350],
  ]
  for (const [count, listed, least] of cases) {
    const near = await madeUp(t, count, (number) => ({
      ids: number < 0 ? [] : videoIds(number * 100, Math.min(100, listed - number * 100)),
      next: number >= 0 && (number + 1) * 100 < listed ? number + 1 : null,
    }))
    const { videos, end } = await near.list(LIST)
    assert.equal(videos.length, listed)
    const rounded = count.includes('K') ? { isAtLeast: true } : {}
    const cut = { kind: 'cut', listed, counted: least, ...rounded }
    assert.deepEqual(endOf(end), least === null ? null : cut, `${listed} of ${count}`)
  }
})

test('a header counts in any unit, to each client, and exactly only where it does not round', async (t) => {
  const about = async (knobs: Partial<Settings>, faults: FaultRule[] = []) => {
    const near = await nearPlatform(t, { knobs, faults })
    const counts = []
    for (const key of ['lostgrid', 'huge']) {
      const source = listSource(near.emulator.world.playlist(key).playlistId)
      const page = await near.platform.listPage({ source, cursor: null }, NEVER)
      assert.ok(page.kind === 'page')
      counts.push(page.about?.videoCount, page.end?.kind)
    }
    return counts
  }
  for (const faults of [[], [{ do: 'retired', client: 'WEB' } as const]]) {
    assert.deepEqual(await about({ countUnit: 'lessons' }, faults), [350, 'cut', 5000, undefined])
    assert.deepEqual(await about({ roundedCounts: true }, faults), [350, 'cut', null, undefined])
  }
})

test('a full grid of Shorts without a count is asked for in another way, and is whole where that has no more', async (t) => {
  for (const more of [250, 0]) {
    const near = await madeUp(t, null, (number) => ({
      ids:
        number === OWN_TOKEN
          ? videoIds(0, 100).slice(0, more)
          : videoIds(number * 100, number === 0 ? 100 : more - 100),
      next: number === OWN_TOKEN && more > 0 ? 1 : null,
      areShorts: number === 0,
    }))
    const { videos, end } = await near.list(LIST)
    assert.equal(videos.length, Math.max(100, more))
    assert.equal(endOf(end), null)
  }
})

test('tokens in a circle end a list, which is told where the header counts far more', async (t) => {
  for (const counted of [200, 900]) {
    const near = await madeUp(t, counted, (number) => ({
      ids: videoIds(number * 100, 100),
      next: number === 0 ? 1 : 0,
    }))
    const { end } = await near.list(LIST)
    const listed = end.kind === 'page' ? end.end : undefined
    assert.equal(listed?.kind, counted === 200 ? undefined : 'cut')
    assert.ok(browses(near) <= 4)
  }
})

test('empty pages under ever new tokens end a list, and one new video a page carries it on', async (t) => {
  const empty = await madeUp(t, 100, (number) => ({
    ids: number === 0 ? videoIds(0, 100) : [],
    next: number + 1,
  }))
  const left = await empty.list(LIST)
  assert.equal(left.videos.length, 100)
  assert.equal(endOf(left.end), null)
  assert.equal(browses(empty), 1 + 4 * 2, 'the empty pages by both clients')

  const slow = await madeUp(t, null, (number) => ({
    ids: [...videoIds(0, 99), ...videoIds(1000 + number, 1)],
    next: number < 40 ? number + 1 : null,
  }))
  const { videos, end } = await slow.list(LIST)
  assert.equal(new Set(videos.map(({ videoId }) => videoId)).size, 99 + 41)
  assert.equal(endOf(end), null)
})

test('videos that a playlist holds again and again are no end, as long as new ones come between', async (t) => {
  const again = videoIds(0, 100)
  const near = await madeUp(t, null, (number) => ({
    ids: number % 4 === 0 ? videoIds(number * 100, 100) : again,
    next: number < 12 ? number + 1 : null,
  }))
  const { videos, end } = await near.list(LIST)
  assert.equal(new Set(videos.map(({ videoId }) => videoId)).size, 400)
  assert.equal(endOf(end), null)
})
