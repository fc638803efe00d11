/** Odd answers: an answer about one video stops no other, and an unknown one makes the client go another way. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { startEmulator } from '../../emulator/server.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import { openPlatform } from '../../src/platform/youtube/open-platform.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import { canonicalVideoId } from '../../src/model/platform/source-link.ts'
import type { RequestReport } from '../../src/platform/youtube/session.ts'
import { respelled } from '../support/respelled.ts'
import { localBudget, NEVER } from './near-platform.ts'

const FIRST_EXIT = '127.0.0.2'
/** Rests longer than the patience of any question. */
const RESTS = { first: 30_000, longest: 60_000 }

/** Opens a platform with so many ways to it, and accounts that ask for one video each. */
async function open(t: TestContext, exits: number) {
  const emulator = await startEmulator({ exits })
  const asked: RequestReport[] = []
  const settings = 'ratePerMinute=60000&concurrency=4'
  const text = emulator.exits.map((exit, at) => `${exit}#name=exit${at}&${settings}`).join(' ')
  const platform = openPlatform({
    origin: emulator.origin,
    routes: readRoutes(text).map((route) => ({ ...route, restMs: RESTS })),
    budget: localBudget(),
    clients: null,
    now: () => new Date(),
    limits: { patienceMs: 1000, retryPauseMs: 1 },
    onRequest: (report) => asked.push(report),
  })
  t.after(async () => {
    await platform.close()
    await emulator.close()
  })
  const { world } = emulator
  const list = world.uploads(world.channel('spanish'), null)
  const ids = Array.from({ length: 40 }, (_, at) => list.at(at))
    .filter((video) => video.state === 'ok' && video.tracks.length > 0)
    .map(({ videoId }) => videoId)
  const fetch = (videoId: string, accountId = 'a'): Promise<VideoAnswer> =>
    platform
      .onBehalfOf({ accountId, jobId: `${accountId}-1` })
      .fetchVideo({ videoId, language: 'original', wantsDate: false }, NEVER)
  const apply = (...faults: FaultRule[]): void => emulator.apply({ faults })
  /** Returns the routes by which the account's next videos come. */
  const routesOf = async (accountId: string): Promise<string[]> => {
    asked.length = 0
    const videos = ids.slice(-emulator.exits.length * 2)
    const answers = await Promise.all(videos.map((id) => fetch(id, accountId)))
    assert.deepEqual(new Set(answers.map(outcome)), new Set(['fetched']))
    return [...new Set(asked.map(({ route }) => route))].sort()
  }
  return { emulator, ids, fetch, apply, routesOf, asked }
}

function outcome(answer: VideoAnswer): string {
  if (answer.kind === 'obstructed') return answer.obstacle.kind
  return answer.kind === 'refused' ? answer.refusal.reason : answer.kind
}

const ALL_EXITS = ['exit0', 'exit1', 'exit2']

test('an id in a spelling that is not the platform’s own is followed and told under its own', async (t) => {
  const { ids, fetch, routesOf } = await open(t, 3)
  const own = ids[0] ?? ''
  const other = respelled(own)
  assert.equal(canonicalVideoId(other), own)
  const answer = await fetch(other)
  assert.equal(outcome(answer), 'fetched')
  assert.equal(answer.facts.canonicalId, own)
  assert.equal((await fetch(own)).facts.canonicalId, null)
  assert.deepEqual(await routesOf('b'), ALL_EXITS)
})

test('a video that is answered with another one is its own fault where others are named rightly', async (t) => {
  const { emulator, ids, fetch, apply, routesOf } = await open(t, 3)
  await fetch(ids[0] ?? '')
  apply({ do: 'decoy', on: 'player', video: ids[1] ?? '' })
  for (let again = 0; again < 6; again += 1) {
    const answer = await fetch(ids[1] ?? '', `account ${again}`)
    assert.ok(answer.kind === 'refused' && answer.refusal.reason === 'replaced')
    assert.ok(answer.refusal.text?.endsWith(emulator.world.special('both').videoId))
  }
  assert.deepEqual(await routesOf('a'), ALL_EXITS)
})

test('a route that answers with other videos is found out, and the others deliver', async (t) => {
  const { ids, fetch, apply, routesOf, asked } = await open(t, 3)
  apply({ do: 'decoy', on: 'player', identity: FIRST_EXIT })
  for (const [n, id] of ids.slice(0, 12).entries())
    assert.equal(outcome(await fetch(id, n % 2 === 0 ? 'a' : 'b')), 'fetched', id)
  const fed = asked.filter(({ route, call }) => route === 'exit0' && call === 'player')
  assert.ok(fed.length <= 6, `${fed.length} questions to a route that is fed other videos`)
  apply()
  assert.deepEqual(await routesOf('c'), ['exit1', 'exit2'], 'it rests for everybody')
})

test('where every route answers with other videos, that is a block and no video’s fault', async (t) => {
  const { ids, fetch, apply } = await open(t, 3)
  for (const id of ids.slice(0, 3)) await fetch(id)
  apply({ do: 'decoy', on: 'player' })
  for (const id of ids.slice(3, 9)) assert.equal(outcome(await fetch(id)), 'blocked')
})

test('a route on which every app denies every video is found out, and the others deliver', async (t) => {
  for (const trick of ['unavailable', 'hide_captions'] as const) {
    const { ids, fetch, apply, routesOf, asked } = await open(t, 3)
    apply({ do: trick, on: 'player', identity: FIRST_EXIT })
    for (const [n, id] of ids.slice(0, 12).entries())
      assert.equal(outcome(await fetch(id, n % 2 === 0 ? 'a' : 'b')), 'fetched', `${trick} ${id}`)
    const denied = asked.filter(({ route, call }) => route === 'exit0' && call === 'player')
    assert.ok(denied.length <= 15, `${denied.length} questions to a route that denies all`)
    apply()
    assert.deepEqual(await routesOf('c'), ['exit1', 'exit2'], 'it rests for everybody')
  }
})

test('a new wording of the bot check ends in deliveries by other routes, and in a block where there is none', async (t) => {
  for (const trick of ['new_bot_check', 'please_sign_in', 'unknown_status'] as const) {
    const { ids, fetch, apply, asked } = await open(t, 3)
    apply({ do: trick, on: 'player', identity: FIRST_EXIT })
    for (const [n, id] of ids.slice(0, 12).entries())
      assert.equal(outcome(await fetch(id, n % 2 === 0 ? 'a' : 'b')), 'fetched', trick)
    const met = asked.filter(({ route, call }) => route === 'exit0' && call === 'player')
    assert.ok(met.length <= 9, `${met.length} requests that met ${trick}`)
  }
  const alone = await open(t, 1)
  alone.apply({ do: 'new_bot_check', on: 'player' })
  for (const id of alone.ids.slice(0, 4)) {
    const answer = await alone.fetch(id)
    assert.equal(outcome(answer), 'blocked')
  }
})

test('what nobody has seen before is one video’s until it comes for one video after another', async (t) => {
  const { ids, fetch, apply } = await open(t, 1)
  apply({ do: 'unknown_status', on: 'player', video: ids.slice(0, 8) })
  const outcomes: string[] = []
  for (const id of ids.slice(0, 5)) outcomes.push(outcome(await fetch(id)))
  assert.deepEqual(outcomes, ['failed', 'failed', 'blocked', 'blocked', 'blocked'])
})

test('a client with unknown answers for half of its videos is asked last, and the videos come', async (t) => {
  const { ids, fetch, apply, asked } = await open(t, 1)
  apply({ do: 'unknown_status', on: 'player', client: 'VISIONOS', every: 2, per: 'all' })
  for (const id of ids.slice(0, 20)) assert.equal(outcome(await fetch(id)), 'fetched')
  asked.length = 0
  for (const id of ids.slice(20, 24)) assert.equal(outcome(await fetch(id)), 'fetched')
  const players = asked.filter(({ call }) => call === 'player').map(({ client }) => client)
  assert.deepEqual(players, ['ANDROID', 'ANDROID', 'ANDROID', 'ANDROID'])
})

test('one video that is told to sign in, or checked, or forbidden, stops nobody', async (t) => {
  for (const trick of ['please_sign_in', 'bot_check', 'captcha', 'forbidden', 'try_again_later']) {
    const { ids, fetch, apply, routesOf } = await open(t, 3)
    apply({ do: trick as 'captcha', on: 'player', video: ids[0] ?? '' })
    for (const account of ['a', 'b', 'c'])
      assert.equal(outcome(await fetch(ids[0] ?? '', account)), 'blocked', trick)
    assert.deepEqual(await routesOf('a'), ALL_EXITS, trick)
  }
})

test('a cause that one app names where the others are refused is asked about on another route', async (t) => {
  const { ids, fetch, apply, routesOf } = await open(t, 2)
  const rule = { on: 'player', identity: FIRST_EXIT } as const
  apply(
    { ...rule, do: 'cause', cause: 'private', client: 'VISIONOS' },
    { ...rule, do: 'too_many', client: ['ANDROID', 'IOS'], retryAfterS: 60 },
  )
  for (const id of ids.slice(0, 4)) assert.equal(outcome(await fetch(id)), 'fetched')
  apply()
  assert.deepEqual(await routesOf('b'), ['exit1'], 'the one that refused two apps rests')
})

test('a cause that two apps named on one route is asked about once on each of the others', async (t) => {
  const { emulator, fetch, asked } = await open(t, 3)
  assert.equal(outcome(await fetch(emulator.world.special('region').videoId)), 'region_blocked')
  const players = asked.filter(({ call }) => call === 'player')
  assert.equal(players.length, 3 + 1)
})
