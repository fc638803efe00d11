/** The pace of an egress route, by the clock. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { startEmulator } from '../../emulator/server.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import { openPlatform } from '../../src/platform/youtube/open-platform.ts'
import { egressBudget } from '../../src/store/egress-routes.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { NEVER } from './near-platform.ts'

function open(t: TestContext, database: TestDatabase, origin: string, exit: string) {
  const platform = openPlatform({
    origin,
    routes: readRoutes(`${exit}#name=slow&ratePerMinute=1800&concurrency=8`),
    budget: egressBudget(database.db),
    clients: null,
    now: () => new Date(),
    limits: { retryPauseMs: 1 },
    onRequest: () => undefined,
  })
  t.after(() => platform.close())
  return platform
}

test('two processes together keep a route’s rate', async (t) => {
  const emulator = await startEmulator({ exits: 1 })
  t.after(() => emulator.close())
  const { origin, world, exits } = emulator
  const list = world.uploads(world.channel('spanish'), null)
  const ids = Array.from({ length: 24 }, (_, at) => list.at(at))
    .filter(({ state, tracks }) => state === 'ok' && tracks.length > 0)
    .map(({ videoId }) => videoId)
  const database = await testDatabase(t)
  await Promise.all(
    [true, false].flatMap((wantsDate) => {
      const platform = open(t, database, origin, exits[0] ?? '')
      return ids
        .slice(0, 10)
        .map((videoId) => platform.fetchVideo({ videoId, language: 'original', wantsDate }, NEVER))
    }),
  )
  const times = emulator.log.recent(1000).map(({ atMs }) => atMs)
  const seconds = (times.at(-1)! - times[0]!) / 1000
  const perSecond = (times.length - 1) / seconds
  assert.ok(times.length >= 50, `${times.length} requests`)
  assert.ok(
    perSecond <= 30 * 1.15,
    `${perSecond.toFixed(1)} requests a second over ${seconds.toFixed(1)} s`,
  )
  assert.ok(perSecond >= 30 * 0.6, `${perSecond.toFixed(1)} requests a second`)
})
