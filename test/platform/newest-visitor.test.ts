/** Lists of a platform that gives new visitorData with each page, and shows the next one to its bearer only. */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Emulator } from '../../emulator/server.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import type { ListingAnswer } from '../../src/platform/platform.ts'
import type { CarriedVisitors } from '../../src/platform/youtube/newest-visitor.ts'
import {
  idsOf,
  listSource,
  localBudget,
  type Near,
  nearPlatform,
  NEVER,
  openNear,
  truthIds,
} from './near-platform.ts'

const FRESH = { knobs: { freshVisitors: true } }

const browses = ({ requests }: Near): number =>
  requests.filter(({ call }) => call === 'browse').length

async function pageAt(near: Near, playlistId: string, cursor: string | null) {
  const source = listSource(playlistId)
  const answer: ListingAnswer = await near.platform.listPage({ source, cursor }, NEVER)
  assert.ok(answer.kind === 'page', JSON.stringify(answer))
  return { ids: answer.videos.map(({ videoId }) => videoId), next: answer.next }
}

/** Returns what a cursor carries, and fails where that is nothing. */
function carriedIn(cursor: string | null): CarriedVisitors {
  const { visitors } = JSON.parse(cursor ?? '{}') as { visitors?: CarriedVisitors }
  assert.ok(visitors !== undefined)
  return visitors
}

/** Returns the visitor ids of the lists' pages that came from an exit. */
function visitorsFrom({ log }: Emulator, exit: string): Set<string> {
  const calls = log
    .recent(1000)
    .filter(({ kind, identity }) => kind === 'browse' && identity === exit)
  return new Set(calls.map(({ visitor }) => visitor))
}

test('playlists, tabs and channels of several lists come whole, by one request a page', async (t) => {
  const near = await nearPlatform(t, FRESH)
  const { world } = near.emulator
  const { playlistId } = world.playlist('mid')
  assert.deepEqual(await idsOf(near, playlistId), truthIds(world, { playlist: playlistId }))
  assert.equal(browses(near), 3)
  const { channelId } = world.channel('medium')
  const truth = truthIds(world, { channel: channelId }).toSorted()
  near.emulator.apply({
    faults: [{ do: 'not_found', on: 'browse', list: `VLUU${channelId.slice(2)}` }],
  })
  assert.deepEqual((await idsOf(near, channelId)).toSorted(), truth)
  near.emulator.apply({ faults: [], knobs: { uploadsLists: false } })
  assert.deepEqual((await idsOf(near, channelId)).toSorted(), truth)
})

test('the playlists of a tab come whole, one after the other', async (t) => {
  const near = await nearPlatform(t, FRESH)
  const { world } = near.emulator
  const truth = ['seven', 'mid'].flatMap((key) =>
    truthIds(world, { playlist: world.playlist(key).playlistId }),
  )
  const { handle } = world.channel('small')
  assert.deepEqual(await idsOf(near, `https://www.youtube.com/${handle}/podcasts`), truth)
})

test('a list whose pages come over two routes is whole, and neither sees what the other was given', async (t) => {
  const near = await nearPlatform(t, { ...FRESH, exits: 2 })
  const { emulator } = near
  const budget = localBudget()
  const both = emulator.exits.map((exit, at) =>
    openNear(emulator, { budget, routes: readRoutes(`${exit}#name=exit${at}&ratePerMinute=6000`) }),
  )
  t.after(() => Promise.all(both.map(({ platform }) => platform.close())))
  const { channelId } = emulator.world.channel('medium')
  const ids = []
  let cursor: string | null = null
  for (const at of [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1]) {
    const page = await pageAt(both[at] ?? near, `UU${channelId.slice(2)}`, cursor)
    ids.push(...page.ids)
    cursor = page.next
  }
  assert.deepEqual([cursor, ids], [null, truthIds(emulator.world, { channel: channelId })])
  const [one, other] = ['127.0.0.2', '127.0.0.3'].map((exit) => visitorsFrom(emulator, exit))
  // Each exit's own, and the one that came with the first of two pages.
  assert.deepEqual([one?.size, other?.size], [1 + 3, 1 + 3])
  assert.deepEqual(
    [...(one ?? [])].filter((visitor) => other?.has(visitor)),
    [],
  )
})

test('an exit that changes carries nothing, and the platform that gives nothing new leaves nothing to carry', async (t) => {
  const near = await nearPlatform(t, { ...FRESH, exits: 1 })
  const { playlistId } = near.emulator.world.playlist('mid')
  const routes = readRoutes(`${near.emulator.rotatingExit}#rotating=true&ratePerMinute=6000`)
  const rotating = openNear(near.emulator, { routes })
  t.after(() => rotating.platform.close())
  for (const [each, freshVisitors] of [
    [rotating, true],
    [near, false],
  ] as const) {
    near.emulator.apply({ knobs: { freshVisitors } })
    const { next } = await pageAt(each, playlistId, null)
    assert.ok(next !== null && !next.includes('visitors'), next ?? '')
  }
})

test('a list does not end with the empty page that the route’s own identity gets in place of a refused one', async (t) => {
  for (const refusal of ['bad_request', 'bot_check'] as const) {
    const near = await nearPlatform(t, FRESH, { limits: { retryPauseMs: 1, patienceMs: 100 } })
    const { playlistId } = near.emulator.world.playlist('mid')
    await near.list('PLnonexistentnonexistent') // gives both clients an identity, older than the list's
    const { next: cursor } = await pageAt(near, playlistId, null)
    const visitor = Object.values(carriedIn(cursor).ids)
    near.emulator.apply({ faults: [{ do: refusal, on: 'browse', visitor }] })
    const source = listSource(playlistId)
    const second = await near.platform.listPage({ source, cursor }, NEVER)
    assert.equal(second.kind, 'obstructed', refusal)
    near.emulator.apply({ faults: [] })
    assert.equal((await pageAt(near, playlistId, cursor)).ids.length, 100, 'and it goes on')
  }
})

test('where what was carried is refused, the page comes to the route’s own identity', async (t) => {
  for (const refusal of ['bad_request', 'bot_check', 'forbidden'] as const) {
    const near = await nearPlatform(t, FRESH)
    const { playlistId } = near.emulator.world.playlist('mid')
    const first = await pageAt(near, playlistId, null)
    const visitor = Object.values(carriedIn(first.next).ids)
    near.emulator.apply({
      knobs: { freshVisitors: false },
      faults: [{ do: refusal, on: 'browse', visitor }],
    })
    const second = await pageAt(near, playlistId, first.next)
    assert.equal(second.ids.length, 100, refusal)
    assert.equal(second.next?.includes(visitor[0] ?? ''), false, 'and it is carried no further')
  }
})
