/**
 * Days when the platform blocks us, played against the emulator in simulated time: what /metrics says is
 * scraped, and the rules of docs/operating/alerts.yaml must fire within five minutes, and not before.
 */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { type Emulator, startEmulator } from '../../emulator/server.ts'
import type { FaultRule } from '../../emulator/faults.ts'
import { countRequests } from '../../src/metrics/count-requests.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import { openDriftWatch } from '../../src/platform/drift/drift-watch.ts'
import { openPlatform } from '../../src/platform/youtube/open-platform.ts'
import { egressBudget } from '../../src/store/egress-routes.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { needs } from '../support/needs.ts'
import { agreesWithPromtool } from '../support/prometheus/promtool.ts'
import {
  firstFirings,
  openScrapes,
  readAlertRules,
  SCRAPE_MS,
} from '../support/prometheus/rules.ts'
import { NEVER } from './near-platform.ts'

const RULES = readAlertRules()
const QUIET_SCRAPES = 12
/** Scrapes in three and a half minutes, which is stricter than promised. */
const FAULTY_SCRAPES = 14

type Stage = { emulator: Emulator; database: TestDatabase }

/** Three routes with real rests; their pace is too high to matter. */
const routesOf = (exits: readonly string[]) =>
  readRoutes(exits.map((exit, at) => `${exit}#name=exit${at}&ratePerMinute=60000`).join(' '))

/** Ends all rests that much sooner: time passes in the database as it does in the process. */
async function letTimePass({ pool }: TestDatabase, ms: number): Promise<void> {
  await pool.query(
    `update egress_route set free_at = free_at - $1 * interval '1 millisecond',
       rest_until = rest_until - $1 * interval '1 millisecond',
       rested_at = rested_at - $1 * interval '1 millisecond'`,
    [ms],
  )
}

/** Plays quiet minutes, then the fault; returns when each alert first fired, in seconds from the fault's beginning. */
async function play(
  t: TestContext,
  { emulator, database }: Stage,
  faults: FaultRule[],
): Promise<Record<string, number>> {
  let passedMs = 0
  const [metrics, watch] = [createMetrics(), openDriftWatch()]
  const routes = routesOf(emulator.exits)
  const platform = openPlatform({
    origin: emulator.origin,
    routes,
    budget: egressBudget(database.db, () => 0),
    clients: null,
    watch,
    now: () => new Date(Date.UTC(2026, 10, 20) + passedMs),
    clock: () => performance.now() + passedMs,
    limits: { patienceMs: 0, retryPauseMs: 0 },
    onRequest: countRequests(
      metrics,
      routes.map(({ name }) => name),
    ),
  })
  t.after(() => platform.close())
  emulator.clear()
  const list = emulator.world.uploads(emulator.world.channel('spanish'), null)
  const scrapes = openScrapes()
  const times: number[] = []
  for (let scrape = 0; scrape < QUIET_SCRAPES + FAULTY_SCRAPES; scrape += 1) {
    if (scrape === QUIET_SCRAPES) emulator.apply({ faults })
    const { videoId } = list.at(scrape)
    const share = { accountId: `account ${scrape % 2}`, jobId: 'job' } // neither account's failures alone rest a route
    await platform
      .onBehalfOf(share)
      .fetchVideo({ videoId, language: 'original', wantsDate: false }, NEVER)
    times.push(scrape * SCRAPE_MS)
    scrapes.scrape(await metrics.print(database.db, { now: new Date(), watch }), scrape * SCRAPE_MS)
    passedMs += SCRAPE_MS
    await letTimePass(database, SCRAPE_MS)
  }
  const firings = firstFirings(RULES, scrapes.series(), times)
  await t.test('promtool agrees', needs('promtool'), (one) =>
    agreesWithPromtool(one, { series: scrapes.series(), times, firings }),
  )
  const beganMs = QUIET_SCRAPES * SCRAPE_MS
  return Object.fromEntries([...firings].map(([name, atMs]) => [name, (atMs - beganMs) / 1000]))
}

function assertFiredInTime(seconds: number | undefined, what: string): void {
  assert.ok(seconds !== undefined, `${what}: never fired`)
  assert.ok(seconds > 0 && seconds <= 300, `${what}: fired after ${seconds} s`)
}

test('a block fires its alert within five minutes, and nothing fires before', async (t) => {
  const stage = { emulator: await startEmulator({ exits: 3 }), database: await testDatabase(t) }
  t.after(() => stage.emulator.close())

  await t.test('captions that come empty for everybody open a ticket', async (t) => {
    const fired = await play(t, stage, [{ do: 'empty', on: 'timedtext' }])
    assertFiredInTime(fired.ScriptoriumPlatformRefuses, 'the platform refuses')
    assertFiredInTime(fired.ScriptoriumPlatformDrifts, 'the platform drifts')
    assert.equal(fired.ScriptoriumAllRoutesRest, undefined, 'no route is to blame')
  })

  await t.test('a bot check on every route pages', async (t) => {
    const fired = await play(t, stage, [{ do: 'bot_check', on: 'player' }])
    assertFiredInTime(fired.ScriptoriumAllRoutesRest, 'all routes rest')
    assertFiredInTime(fired.ScriptoriumPlatformRefuses, 'the platform refuses')
  })
})
