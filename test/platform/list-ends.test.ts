/** Where lists end: by what their tokens say, and told where that is not all of it, or never an end. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { endTold, MADE_UP_LIST, madeUpIds, madeUpList, OWN_TOKEN } from './made-up-list.ts'
import { idsOf, type Near, nearPlatform, truthIds } from './near-platform.ts'

const browses = (near: Near): number => near.requests.filter(({ call }) => call === 'browse').length

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
  assert.equal(endTold(end), null)
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
  assert.equal(endTold(end), null)
})

test('a list that the platform cuts short says so, and what it lists is kept', async (t) => {
  const near = await nearPlatform(t)
  const { playlistId } = near.emulator.world.playlist('lostgrid')
  const { videos, end } = await near.list(playlistId)
  assert.equal(videos.length, 100)
  assert.deepEqual(endTold(end), { kind: 'cut', listed: 100, counted: 350 })
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
    if (refusal !== 'too_many') assert.equal(endTold(end)?.kind, 'cut')
  }
})

test('a list that comes again and again ends after four pages without a new video, and says so', async (t) => {
  const near = await nearPlatform(t)
  const { playlistId } = near.emulator.world.playlist('endless')
  const { videos, end } = await near.list(playlistId)
  const truth = truthIds(near.emulator.world, { playlist: playlistId })
  assert.deepEqual([...new Set(videos.map(({ videoId }) => videoId))], truth)
  assert.deepEqual(endTold(end), { kind: 'repeats', listed: 90, pages: 4 })
  assert.equal(browses(near), 3 + 4)
})

test('a tab that a channel does not have is named as absent, whichever way it was asked for', async (t) => {
  for (const uploadsLists of [true, false]) {
    const near = await nearPlatform(t, { knobs: { uploadsLists } })
    const { handle } = near.emulator.world.channel('noshorts')
    for (const tab of ['shorts', 'streams', 'podcasts'] as const) {
      const { videos, end } = await near.list(`https://www.youtube.com/${handle}/${tab}`)
      assert.deepEqual([videos, endTold(end)], [[], { kind: 'absent', listed: 0, tab }])
    }
    const empty = near.emulator.world.channel('empty').channelId
    assert.equal(endTold((await near.list(empty)).end), null, 'no tab was asked for')
  }
})

test('whichever tab was asked for, a channel that was terminated is missing, and an alert of any kind is not', async (t) => {
  for (const tab of ['shorts', 'podcasts']) {
    const near = await nearPlatform(t, {}, { limits: { patienceMs: 300 } })
    const { channelId } = near.emulator.world.channel('terminated')
    const url = `https://www.youtube.com/channel/${channelId}/${tab}`
    const { end } = await near.list(url)
    assert.ok(end.kind === 'missing' && /has been terminated/.test(end.text), JSON.stringify(end))
    near.emulator.apply({ faults: [{ do: 'unknown_alert', on: 'browse' }] })
    assert.equal((await near.list(url)).end.kind, 'obstructed')
  }
})

test('of a channel that is read from several lists, the end counts what all of them show and count', async (t) => {
  const cases = [
    [['UULF'], 300, 1200],
    [['UUSH', 'UULF'], 250, 1200],
  ] as const
  for (const [lists, listed, counted] of cases) {
    const near = await nearPlatform(t)
    const { channelId } = near.emulator.world.channel('medium')
    const listOf = (prefix: string): string => `VL${prefix}${channelId.slice(2)}`
    const denied = { do: 'not_found', on: 'browse' } as const
    near.emulator.apply({
      faults: [
        { ...denied, list: listOf('UU') },
        ...lists.map((prefix) => ({ ...denied, list: listOf(prefix), after: 1 })),
      ],
    })
    const { videos, end } = await near.list(channelId)
    assert.equal(videos.length, listed)
    assert.deepEqual(endTold(end), { kind: 'cut', listed, counted })
  }
})

test('where the client that gave a token is blocked, another’s 404 for it is no end', async (t) => {
  const near = await nearPlatform(t, {}, { limits: { patienceMs: 300 } })
  near.emulator.apply({
    faults: [
      { do: 'bot_check', on: 'browse', client: 'WEB', after: 1 },
      { do: 'not_found', on: 'browse', client: 'MWEB' },
    ],
  })
  const { end } = await near.list(near.emulator.world.playlist('mid').playlistId)
  assert.ok(end.kind === 'obstructed' && end.obstacle.kind === 'blocked', JSON.stringify(end))
})

test('a page of the tab that is denied is told, though a tab counts nothing', async (t) => {
  const near = await nearPlatform(t, { knobs: { uploadsLists: false } })
  const { channelId } = near.emulator.world.channel('nolists')
  near.emulator.apply({ faults: [{ do: 'not_found', on: 'browse', list: channelId, after: 1 }] })
  const { videos, end } = await near.list(`https://www.youtube.com/channel/${channelId}/videos`)
  assert.deepEqual(endTold(end), { kind: 'cut', listed: videos.length, counted: null })
  assert.equal(videos.length, 30)
})

test('a page that stands in the list again is part of it, and one that comes for ever ends a whole list', async (t) => {
  const again = await madeUpList(t, 300, (number) => ({
    ids: madeUpIds(number === 2 ? 100 : 0, 100),
    next: number < 2 ? number + 1 : null,
  }))
  assert.equal(endTold((await again.list(MADE_UP_LIST)).end), null)
  const last = await madeUpList(t, 100, () => ({ ids: madeUpIds(0, 100), next: 1 }))
  const { videos, end } = await last.list(MADE_UP_LIST)
  assert.equal(videos.length, 100)
  assert.equal(endTold(end), null)
})

test('a last page that names itself as the next one keeps its videos', async (t) => {
  const near = await madeUpList(t, 200, (number) => ({
    ids: madeUpIds(number * 100, 100),
    next: 1,
  }))
  const { videos, end } = await near.list(MADE_UP_LIST)
  assert.equal(videos.length, 200)
  assert.equal(endTold(end), null)
})

test('a full grid of Shorts without a count is asked for in another way, and is whole where that has no more', async (t) => {
  for (const more of [250, 0]) {
    const near = await madeUpList(t, null, (number) => ({
      ids:
        number === OWN_TOKEN
          ? madeUpIds(0, 100).slice(0, more)
          : madeUpIds(number * 100, number === 0 ? 100 : more - 100),
      next: number === OWN_TOKEN && more > 0 ? 1 : null,
      areShorts: number === 0,
    }))
    const { videos, end } = await near.list(MADE_UP_LIST)
    assert.equal(videos.length, Math.max(100, more))
    assert.equal(endTold(end), null)
  }
})

test('tokens in a circle end a list, which is told where the header counts far more', async (t) => {
  for (const counted of [200, 900]) {
    const near = await madeUpList(t, counted, (number) => ({
      ids: madeUpIds(number * 100, 100),
      next: number === 0 ? 1 : 0,
    }))
    const { end } = await near.list(MADE_UP_LIST)
    const listed = end.kind === 'page' ? end.end : undefined
    assert.equal(listed?.kind, counted === 200 ? undefined : 'cut')
    assert.ok(browses(near) <= 4)
  }
})

test('empty pages under ever new tokens end a list, and one new video a page carries it on', async (t) => {
  const empty = await madeUpList(t, 100, (number) => ({
    ids: number === 0 ? madeUpIds(0, 100) : [],
    next: number + 1,
  }))
  const left = await empty.list(MADE_UP_LIST)
  assert.equal(left.videos.length, 100)
  assert.equal(endTold(left.end), null)
  assert.equal(browses(empty), 1 + 4 * 2, 'the empty pages by both clients')

  const slow = await madeUpList(t, null, (number) => ({
    ids: [...madeUpIds(0, 99), ...madeUpIds(1000 + number, 1)],
    next: number < 40 ? number + 1 : null,
  }))
  const { videos, end } = await slow.list(MADE_UP_LIST)
  assert.equal(new Set(videos.map(({ videoId }) => videoId)).size, 99 + 41)
  assert.equal(endTold(end), null)
})

test('videos that a playlist holds again and again are no end, as long as new ones come between', async (t) => {
  const again = madeUpIds(0, 100)
  const near = await madeUpList(t, null, (number) => ({
    ids: number % 4 === 0 ? madeUpIds(number * 100, 100) : again,
    next: number < 12 ? number + 1 : null,
  }))
  const { videos, end } = await near.list(MADE_UP_LIST)
  assert.equal(new Set(videos.map(({ videoId }) => videoId)).size, 400)
  assert.equal(endTold(end), null)
})
