/** Two clients for lists and dates: what refuses, breaks or deceives one of them takes nothing from a customer. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { ACTIONS, type ActionKind, type FaultRule } from '../../emulator/faults.ts'
import type { Settings } from '../../emulator/settings.ts'
import { openDriftWatch } from '../../src/platform/drift/drift-watch.ts'
import type { RouteBudget } from '../../src/model/platform/route-budget.ts'
import { CLIENT_PROFILES } from '../../src/platform/youtube/clients.ts'
import {
  idsOf,
  LIST_CLIENTS,
  localBudget,
  type Near,
  nearPlatform,
  NEVER,
  truthIds,
} from './near-platform.ts'

/** Kinds of calls that lists, names and dates take. */
const KINDS = ['browse', 'resolve_url', 'player'] as const
/** Faults that take time, and one that is none. */
const OTHERS: readonly ActionKind[] = ['latency', 'drip', 'hang', 'hold', 'new_upload']
const TROUBLES = ACTIONS.filter((action) => !OTHERS.includes(action))

type Told = { near: Near; blocks: string[] }

/** Starts the platform; `blocks` fills with what is reported against the route. */
async function watched(t: TestContext, limits = {}): Promise<Told> {
  const blocks: string[] = []
  const own = localBudget()
  const budget: RouteBudget = {
    ...own,
    reportBlock: (route, block) => {
      blocks.push(route.name)
      return own.reportBlock(route, block)
    },
  }
  const near = await nearPlatform(
    t,
    {},
    { budget, limits: { retryPauseMs: 1, patienceMs: 300, ...limits } },
  )
  return { near, blocks }
}

/** Asks for a name, a list of several pages and a date; returns what did not come as it should. */
async function shortcomings({ near, blocks }: Told): Promise<string[]> {
  const { world } = near.emulator
  const { channelId, handle } = world.channel('medium')
  const { videoId } = world.special('both')
  const found = await near.platform.findChannel({ path: `/${handle}` }, NEVER)
  const { videos, end } = await near.list(world.playlist('mid').playlistId)
  const dated = await near.platform.fetchPublishedAt({ videoId }, NEVER)
  const truth = truthIds(world, { playlist: world.playlist('mid').playlistId })
  return [
    found.kind === 'found' && found.channelId === channelId ? '' : `name: ${JSON.stringify(found)}`,
    end.kind === 'page' && videos.length === truth.length ? '' : `list: ${JSON.stringify(end)}`,
    dated.kind === 'dated' ? '' : `date: ${JSON.stringify(dated)}`,
    ...blocks.map((route) => `blocked: ${route}`),
  ].filter(Boolean)
}

test('whatever one of the two clients is answered, the other one lists, finds and dates', async (t) => {
  for (const client of LIST_CLIENTS) {
    for (const trouble of TROUBLES) {
      const told = await watched(t)
      told.near.emulator.apply({ faults: [{ do: trouble, on: KINDS, client, bytes: 200 }] })
      assert.deepEqual(await shortcomings(told), [], `${trouble} for ${client}`)
    }
  }
})

test('a client that never answers is left for the other one', async (t) => {
  const told = await watched(t, { requestMs: 60, retriesMax: 0 })
  told.near.emulator.apply({ faults: [{ do: 'hang', on: KINDS, client: 'WEB' }] })
  assert.deepEqual(await shortcomings(told), [])
})

test('where both are refused, it is a block, which counts against the route', async (t) => {
  const told = await watched(t)
  told.near.emulator.apply({ faults: [{ do: 'too_many', on: 'browse', client: LIST_CLIENTS }] })
  const { end } = await told.near.list(told.near.emulator.world.playlist('mid').playlistId)
  assert.ok(end.kind === 'obstructed' && end.obstacle.kind === 'blocked', JSON.stringify(end))
  assert.notEqual(told.blocks.length, 0)
})

test('a refusal by the one says more than a broken answer of the other', async (t) => {
  for (const [refused, broken] of [LIST_CLIENTS, LIST_CLIENTS.toReversed()]) {
    const told = await watched(t)
    told.near.emulator.apply({
      faults: [
        { do: 'forbidden', client: refused ?? '', on: 'browse' },
        { do: 'bad_request', client: broken ?? '', on: 'browse' },
      ],
    })
    const { end } = await told.near.list(told.near.emulator.world.playlist('mid').playlistId)
    assert.ok(end.kind === 'obstructed' && end.obstacle.kind === 'blocked', JSON.stringify(end))
    assert.notEqual(told.blocks.length, 0)
  }
})

/** Lists say how long ago, so that they are compared at one instant. */
const NOW = new Date('2026-11-28T12:00:00Z')

test('the mobile website lists what the other one does, in every layout', async (t) => {
  for (const layout of ['lockup', 'legacy', 'mixed'] as const) {
    for (const uploadsLists of [true, false]) {
      const lists: string[][] = []
      for (const faults of [[], [{ do: 'bad_request', on: 'browse', client: 'WEB' }] as const]) {
        const emulated = { knobs: { layout, uploadsLists }, now: () => NOW.getTime() }
        const near = await nearPlatform(t, emulated, { now: () => NOW })
        near.emulator.apply({ faults })
        const { world } = near.emulator
        const [small, medium] = [world.channel('small').handle, world.channel('medium').handle]
        const lines = [
          world.playlist('mid').playlistId,
          ...['', '/videos', '/shorts', '/streams'].map((tab) => `/${medium}${tab}`),
          ...['podcasts', 'releases'].map((tab) => `/${small}/${tab}`),
        ].map((line) => (line.startsWith('/') ? `https://www.youtube.com${line}` : line))
        const read: string[] = []
        for (const line of lines) {
          const { videos, end } = await near.list(line)
          assert.equal(end.kind, 'page', `${line}: ${JSON.stringify(end)}`)
          read.push(...videos.map((video) => JSON.stringify({ ...video, line })))
        }
        lists.push(read)
      }
      const [web = [], mobile = []] = lists
      const named = (each: string): string => each.replace(/"channelName":(null|"[^"]*")/, '')
      assert.deepEqual(mobile.map(named), web.map(named), `${layout} ${uploadsLists}`)
    }
  }
})

test('an older version bears out no denial of the newer one', async (t) => {
  const clients = CLIENT_PROFILES.filter(({ name }) => name !== 'MWEB').flatMap((each) =>
    each.name === 'WEB' ? [each, { ...each, name: 'WEB_OLD' }] : [each],
  )
  const near = await nearPlatform(t, {}, { clients })
  const line = near.emulator.world.playlist('mid').playlistId
  near.emulator.apply({ faults: [{ do: 'not_found', on: 'browse', client: 'WEB' }] })
  await near.list(line)
  assert.ok(near.requests.every(({ client }) => client !== 'WEB_OLD'))
  near.emulator.apply({ faults: [{ do: 'retired', on: 'browse', client: 'WEB' }] })
  await near.list(line)
  assert.ok(near.requests.some(({ client }) => client === 'WEB_OLD'))
})

test('a list that one client alone calls missing or empty is read', async (t) => {
  const denials: FaultRule[] = [
    { do: 'not_found', on: 'browse', client: 'WEB' },
    { do: 'empty_page', on: 'browse', client: 'WEB' },
    madeUp({ alerts: [{ alertRenderer: { type: 'ERROR', text: { simpleText: NO_CHANNEL } } }] }),
    madeUp({ alerts: [{ alertRenderer: { type: 'ERROR', text: { simpleText: 'Odd words' } } }] }),
    madeUp({ contents: { twoColumnBrowseResultsRenderer: { tabs: [] } } }),
    madeUp({ contents: { twoColumnBrowseResultsRenderer: { tabs: [NEW_SHAPE] } } }),
  ]
  for (const denial of denials) {
    const near = await nearPlatform(t)
    near.emulator.apply({ faults: [denial] })
    const { world } = near.emulator
    const { channelId } = world.channel('medium')
    const ids = new Set(await idsOf(near, channelId))
    const truth = truthIds(world, { channel: channelId })
    assert.deepEqual(
      truth.filter((id) => !ids.has(id)),
      [],
      JSON.stringify(denial),
    )
    const { playlistId } = world.playlist('seven')
    assert.deepEqual(await idsOf(near, playlistId), truthIds(world, { playlist: playlistId }))
  }
})

const NO_CHANNEL = 'This channel does not exist.'

/** A page of items that nobody has seen before. */
const NEW_SHAPE = {
  tabRenderer: {
    selected: true,
    content: {
      richGridRenderer: {
        contents: [
          { richItemRenderer: { content: { newItem: { id: 'dQw4w9WgXcQ' } } } },
          { continuationItemViewModel: { continuationCommand: { token: 'more' } } },
        ],
      },
    },
  },
}

/** Returns a rule by which WEB is answered every list with that page. */
function madeUp(page: object): FaultRule {
  const head = JSON.stringify({ responseContext: {}, ...page })
  return { do: 'made_up', on: 'browse', client: 'WEB', head, pump: ' ', bytes: head.length }
}

test('what is missing is asked for once more, by the other client; what is there is not', async (t) => {
  const near = await nearPlatform(t)
  const { world, log } = near.emulator
  const asked = async (line: string): Promise<[kind: string, calls: Record<string, number>]> => {
    log.reset()
    const { end } = await near.list(line)
    const { 'visitor_id MWEB': _, ...calls } = log.counts().byKindAndClient
    return [end.kind, calls]
  }
  await asked(world.playlist('seven').playlistId) // makes the identity
  const { handle } = world.channel('small')
  const { playlistId } = world.playlist('mid')
  assert.deepEqual(await asked(`https://www.youtube.com/${handle}`), [
    'page',
    { 'resolve_url WEB': 1, 'browse WEB': 1 },
  ])
  assert.deepEqual(await asked(playlistId), ['page', { 'browse WEB': 3 }])
  assert.deepEqual(await asked('https://www.youtube.com/@nobodyatall'), [
    'missing',
    { 'resolve_url WEB': 1, 'resolve_url MWEB': 1 },
  ])
  assert.deepEqual(await asked('PLnonexistentnonexistent'), [
    'missing',
    { 'browse WEB': 1, 'browse MWEB': 1 },
  ])
  const [kind, { 'browse MWEB': again }] = await asked('UCaaaaaaaaaaaaaaaaaaaaaa')
  assert.deepEqual([kind, again], ['missing', 1])
})

test('a missing list stays missing where the second client is refused', async (t) => {
  const near = await nearPlatform(t)
  near.emulator.apply({ faults: [{ do: 'forbidden', client: 'MWEB' }] })
  const lines = ['PLnonexistentnonexistent', 'https://www.youtube.com/@nobodyatall']
  for (const line of lines) assert.equal((await near.list(line)).end.kind, 'missing', line)
})

test('a client that fails list after list is asked last', async (t) => {
  const near = await nearPlatform(t, {}, { limits: { retryPauseMs: 1 } })
  const { world, log } = near.emulator
  near.emulator.apply({ faults: [{ do: 'forbidden', on: 'browse', client: 'WEB' }] })
  const { handle } = world.channel('small')
  for (let lists = 0; lists < 10; lists += 1) await idsOf(near, `https://www.youtube.com/${handle}`)
  const { 'browse WEB': failed, 'browse MWEB': listed } = log.counts().byKindAndClient
  assert.deepEqual([failed, listed], [5, 10])
})

test('the drift watch learns which client failed and which one answered', async (t) => {
  const watch = openDriftWatch()
  const near = await nearPlatform(t, {}, { watch })
  near.emulator.apply({ faults: [{ do: 'bad_request', on: 'browse', client: 'WEB' }] })
  await idsOf(near, near.emulator.world.playlist('seven').playlistId)
  assert.deepEqual(
    watch.freshCounts().filter(({ part }) => part.includes('client')),
    [
      { part: 'list client WEB', verdict: '', answers: 1 },
      { part: 'list client WEB', verdict: 'bad_request', answers: 1 },
      { part: 'list client MWEB', verdict: '', answers: 1 },
    ],
  )
})

test('an empty page before a list has shown all that it counts is no end on one client’s word', async (t) => {
  const cases: [action: ActionKind, knobs: Partial<Settings>][] = [
    ['empty_page', {}],
    ['missing_keys', {}],
    ['empty_page', { roundedCounts: true }],
  ]
  for (const [action, knobs] of cases) {
    const near = await nearPlatform(t, { knobs }, { limits: { retryPauseMs: 1 } })
    const { playlistId } = near.emulator.world.playlist('huge')
    near.emulator.apply({ faults: [{ do: action, on: 'browse', client: 'WEB', after: 46 }] })
    const truth = truthIds(near.emulator.world, { playlist: playlistId })
    assert.deepEqual(await idsOf(near, playlistId), truth, action)
  }
})

test('the empty page behind a list that has shown what it counts is its end, on one client’s word', async (t) => {
  for (const knobs of [{ emptyLastPage: true }, { strayTokens: true }]) {
    const near = await nearPlatform(t, { knobs })
    for (const key of ['seven', 'mid']) {
      const { playlistId } = near.emulator.world.playlist(key)
      near.emulator.log.reset()
      const { end } = await near.list(playlistId)
      assert.equal(end.kind, 'page')
      assert.equal(near.emulator.log.counts().byKindAndClient['browse MWEB'], undefined, key)
    }
  }
})
