/** The captions that a route bears in a day: learned from its block, told to everybody, and waited for by jobs. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { startEmulator } from '../../emulator/server.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import { openPlatform } from '../../src/platform/youtube/open-platform.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import { claimJob } from '../../src/store/job-queue.ts'
import { egressBudget } from '../../src/store/egress-routes.ts'
import { listRouteStates } from '../../src/store/platform-state.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { NEVER } from './near-platform.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'
const ROUTE = 'direct#ratePerMinute=1200&concurrency=2'
/** A bound, and what a process may fetch beyond it before it learns of it: the permits of half a second. */
const [BOUND, BEYOND] = [8, 8]
const SPENT =
  /has fetched as many captions as the platform lets it fetch in a day\. There is room again at \d{4}-/
const WEEK_S = '604800'

test('a route that is blocked once stays below what came in the day before, and other questions go on', async (t) => {
  const emulator = await startEmulator()
  t.after(() => emulator.close())
  const database = await testDatabase(t)
  const list = emulator.world.uploads(emulator.world.channel('talks'), null)
  const ids = Array.from({ length: 140 }, (_, at) => list.at(at).videoId)
  const platform = openPlatform({
    origin: emulator.origin,
    routes: readRoutes('direct#ratePerMinute=600000&concurrency=8').map((route) => ({
      ...route,
      restMs: { first: 50, longest: 50 },
    })),
    budget: egressBudget(database.db),
    clients: null,
    now: () => new Date(),
  })
  t.after(() => platform.close())
  const ask = (videoId: string) =>
    platform.fetchVideo({ videoId, language: 'original', wantsDate: false }, NEVER)
  const before = await Promise.all(ids.slice(0, 120).map(ask))
  assert.ok(before.every(({ kind }) => kind === 'fetched'))
  assert.equal((await listRouteStates(database.db))[0]?.captionsPerDay, null)

  emulator.apply({ faults: [{ do: 'too_many', on: 'timedtext' }] })
  const refused = await ask(ids[120] ?? '')
  const isSpent = refused.kind === 'obstructed' && refused.obstacle.isSpent === true
  assert.ok(isSpent, `the video that met the block waits for room: ${JSON.stringify(refused)}`)
  emulator.clear()
  const [state] = await listRouteStates(database.db)
  assert.deepEqual([state?.captionsCame, state?.captionsPerDay], [120, 96])
  assert.ok(state?.roomAt)
  const spent = await ask(ids[121] ?? '')
  assert.ok(spent.kind === 'obstructed' && spent.obstacle.isSpent === true, JSON.stringify(spent))
  const source = { kind: 'channel', name: '/@smallworkshop', tab: null } as const
  assert.equal((await platform.listPage({ source, cursor: null }, NEVER)).kind, 'page')
})

/** Orders the channel and returns the job when it has laid itself aside: it holds no place, and its rows wait. */
async function aside(customer: Customer, pool: TestDatabase['pool']) {
  const job = await customer.startsJob({ urls: CHANNEL })
  const asked = 'select from job where waits_until > now() and not is_held'
  await until('the job waits without a place', async () => {
    const { rowCount } = await pool.query(asked)
    return rowCount === 1
  })
  return job
}

test('a reached bound is told to orders, operators and in rows, which are free', async (t) => {
  const { customer, address } = await testService(t, {
    env: { EGRESS_ROUTES: `${ROUTE}&captionsPerDay=${BOUND}` },
  })
  const buyer = await customer('1')
  const { job, rows } = await buyer.orders({ urls: CHANNEL })
  const delivered = rows.filter(({ status }) => status === 'success').length
  assert.ok(delivered >= BOUND && delivered <= BOUND + BEYOND, `${delivered}`)
  const waiting = rows.filter(({ status }) => status === 'blocked_suspect')
  assert.ok(waiting.length > 0)
  for (const { errorMessage } of waiting) assert.match(errorMessage, SPENT)
  assert.equal(job['billing']['chargedTranscripts'], delivered)

  const again = await buyer.startsJob({ urls: CHANNEL })
  assert.match(again['notices'].join(' '), /no more captions today.*There is room again at/)
  const reply = await fetch(`${address}/readyz?verbose`)
  const ready = (await reply.json()) as { captions: string[] }
  assert.match(
    ready.captions.join(),
    new RegExp(`^route direct: \\d+ of ${BOUND} captions within a day; room`),
  )
  await buyer.waitsFor(again)
})

test('a job whose time lasts until there is room waits without a place, goes on then, and charges once', async (t) => {
  const { customer, database, another } = await testService(t, {
    env: {
      ROLES: 'api',
      JOB_TIME_LIMIT: WEEK_S,
      EGRESS_ROUTES: `${ROUTE}&captionsPerDay=${BOUND}`,
    },
  })
  const worker = await another({ ROLES: 'worker' })
  const buyer = await customer('1')
  const job = await aside(buyer, database.pool)
  assert.equal((await buyer.gets(`/jobs/${job['id']}`))['state'], 'running')
  await worker.close()

  // A day passes, of which a process that starts then knows.
  await database.pool.query(`update egress_captions set hour = hour - interval '1 day'`)
  await database.pool.query('update job set waits_until = now()')
  await another({ ROLES: 'worker', EGRESS_ROUTES: ROUTE })
  const ended = await buyer.waitsFor(job)
  assert.equal(ended['state'], 'finished')
  const rows = await buyer.readsRows(job)
  assert.equal(rows.filter(({ status }) => status === 'blocked_suspect').length, 0)
})

test('a job that waits for room is cancelled at once, with what it delivered charged', async (t) => {
  const { customer, database } = await testService(t, {
    env: { JOB_TIME_LIMIT: WEEK_S, EGRESS_ROUTES: `${ROUTE}&captionsPerDay=${BOUND}` },
  })
  const buyer = await customer('1')
  const job = await aside(buyer, database.pool)
  assert.equal((await buyer.asks('POST', `/jobs/${job['id']}/cancel`)).status, 202)
  assert.equal((await buyer.waitsFor(job))['state'], 'cancelled')
})

test('a job that waits for room is taken up at the latest after a quarter of an hour, or when the clock was set back', async (t) => {
  const { customer, database, another } = await testService(t, {
    leavesOpenJobs: true,
    env: {
      ROLES: 'api',
      JOB_TIME_LIMIT: WEEK_S,
      EGRESS_ROUTES: `${ROUTE}&captionsPerDay=${BOUND}`,
    },
  })
  const worker = await another({ ROLES: 'worker' })
  await aside(await customer('1'), database.pool)
  await worker.close()
  const { rows } = await database.pool.query<{ minutes: number }>(
    'select ceil(extract(epoch from waits_until - now()) / 60)::int as minutes from job',
  )
  assert.ok(rows[0] !== undefined && rows[0].minutes <= 15, JSON.stringify(rows))
  assert.equal(await claimJob(database.db, []), null, 'nobody takes it up before')
  const setBack = ['waits_until', 'waits_since'].map(
    (name) => `${name} = ${name} + interval '9 hours'`,
  )
  await database.pool.query(`update job set ${setBack.join()}`)
  assert.notEqual(await claimJob(database.db, []), null)
})
