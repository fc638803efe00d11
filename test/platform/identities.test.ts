/** Session identities: each client has its own, and calls with another one's or with none where that is refused. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { startEmulator } from '../../emulator/server.ts'
import { minterOf } from '../../emulator/wire/context.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import type { PlatformOptions } from '../../src/platform/youtube/open-platform.ts'
import { type Near, nearPlatform, openNear } from './near-platform.ts'

const REFUSALS = ['bad_request', 'forbidden', 'server_error', 'empty', 'html', 'too_many'] as const

async function under(
  t: TestContext,
  faults: FaultRule[],
  options: Partial<PlatformOptions> = {},
): Promise<Near> {
  const near = await nearPlatform(t, {}, { limits: { retryPauseMs: 1 }, ...options })
  near.emulator.apply({ faults })
  return near
}

const kindOf = async (near: Near, key: string, wantsDate = false): Promise<string> =>
  (await near.fetch(near.emulator.world.special(key).videoId, 'original', wantsDate)).kind

const makers = ({ requests }: Near): string[] =>
  requests.filter(({ call }) => call === 'visitor_id').map(({ client }) => client)

/** Returns whose identity each client called with, as the platform saw it; '' is none. */
function visitorsAsSeen({ emulator }: Near): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>()
  for (const { kind, client, visitor } of emulator.log.recent(1000)) {
    if (kind !== 'player' && kind !== 'browse') continue
    seen.set(client, (seen.get(client) ?? new Set()).add(visitor))
  }
  return seen
}

test('each client asks for an identity of its own, once, and no two share one', async (t) => {
  const near = await under(t, [{ do: 'page_reload', on: 'player', client: 'VISIONOS' }])
  for (const key of ['both', 'asr', 'manual'])
    assert.equal(await kindOf(near, key, true), 'fetched')
  assert.deepEqual(makers(near).toSorted(), ['ANDROID', 'VISIONOS', 'WEB'])
  const seen = [...visitorsAsSeen(near).values()].map((visitors) => [...visitors])
  assert.deepEqual(
    seen.map((visitors) => visitors.length),
    [1, 1, 1],
  )
  assert.equal(new Set(seen.flat()).size, 3)
})

test('where WEB is refused an identity, whatever the form, everything is delivered', async (t) => {
  for (const refusal of REFUSALS) {
    const near = await under(t, [{ do: refusal, on: 'visitor_id', client: 'WEB' }])
    assert.equal(await kindOf(near, 'both', true), 'fetched', refusal)
    const { videos, end } = await near.list('https://www.youtube.com/@tallerpequeno')
    assert.deepEqual([end.kind, videos.length > 0], ['page', true], refusal)
  }
})

test('where an app is refused one, it calls with another app’s, and asks no more for a while', async (t) => {
  const near = await under(t, [{ do: 'forbidden', on: 'visitor_id', client: 'VISIONOS' }])
  for (const key of ['both', 'asr', 'manual']) assert.equal(await kindOf(near, key), 'fetched')
  assert.deepEqual(makers(near), ['VISIONOS', 'ANDROID'])
  assert.deepEqual([...visitorsAsSeen(near).keys()], ['VISIONOS'], 'and needs no other app')
})

test('where nobody is given one, the apps that do without deliver', async (t) => {
  for (const refusal of REFUSALS) {
    const near = await under(t, [{ do: refusal, on: 'visitor_id' }])
    assert.equal(await kindOf(near, 'both', true), 'fetched', refusal)
    assert.equal(await kindOf(near, 'asr', true), 'fetched', refusal)
    assert.equal(makers(near).length, new Set(makers(near)).size, `${refusal}: each is asked once`)
  }
})

test('a proxy that lets no call through is left at once, not tried as every client', async (t) => {
  const routes = readRoutes(
    'http://127.0.0.1:1#name=broken&concurrency=9&ratePerMinute=60000 direct#ratePerMinute=60000',
  )
  const near = await under(t, [], { routes })
  assert.equal(await kindOf(near, 'both'), 'fetched')
  const broken = near.requests.filter(({ route }) => route === 'broken')
  assert.deepEqual(
    broken.map(({ call, client }) => `${call} ${client}`),
    ['visitor_id VISIONOS', 'visitor_id ANDROID', 'player VISIONOS'],
  )
})

test('identities that never arrive stop nothing, through a proxy neither, and are soon asked for no more', async (t) => {
  for (const trouble of ['reset', 'truncated', 'server_error'] as const) {
    for (const exits of [0, 1]) {
      const emulator = await startEmulator({ exits })
      const way = emulator.exits[0] ?? 'direct'
      const routes = readRoutes(`${way}#name=only&ratePerMinute=60000`)
      const near = openNear(emulator, { routes, limits: { retryPauseMs: 1, patienceMs: 1 } })
      t.after(async () => {
        await near.platform.close()
        await emulator.close()
      })
      emulator.apply({ faults: [{ do: trouble, on: 'visitor_id', bytes: 20 }] })
      const name = `${trouble} with ${exits} exits`
      for (const key of ['both', 'asr', 'manual', 'regions'])
        assert.equal(await kindOf(near, key, true), 'fetched', name)
      assert.equal(makers(near).length, new Set(makers(near)).size, `${name}: each is asked once`)
    }
  }
})

test('blocked exits of a rotating route take no identity away at the others', async (t) => {
  const emulator = await startEmulator({ exits: 1 })
  const routes = readRoutes(`${emulator.rotatingExit}#name=gate&rotating=true&ratePerMinute=60000`)
  const near = openNear(emulator, { routes, limits: { retryPauseMs: 1 } })
  t.after(async () => {
    await near.platform.close()
    await emulator.close()
  })
  // Every third exit is refused all it asks for.
  const bad = Array.from({ length: 20 }, (_, at) => `127.0.0.${3 + 3 * at}`)
  emulator.apply({ faults: [{ do: 'forbidden', identity: bad }] })
  for (const key of ['both', 'asr', 'manual', 'regions', 'dubs'])
    assert.equal(await kindOf(near, key), 'fetched')
  const own = emulator.log
    .recent(1000)
    .filter(({ kind, identity }) => kind === 'player' && !bad.includes(identity))
  assert.ok(own.length >= 5)
  assert.deepEqual(
    own.filter(({ visitor, client }) => minterOf(visitor) !== client),
    [],
  )
})

test('a line that was cut takes no identity away once it is back', async (t) => {
  const near = await under(t, [{ do: 'reset' }], { limits: { retryPauseMs: 1, patienceMs: 1 } })
  assert.equal(await kindOf(near, 'both'), 'obstructed')
  near.emulator.clear()
  near.requests.length = 0
  assert.equal(await kindOf(near, 'both'), 'fetched')
  assert.deepEqual(makers(near), ['VISIONOS'])
})
