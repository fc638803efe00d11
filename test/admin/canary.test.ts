/** The canary against the emulator: its verdict, and one mail to the operators whenever that changes. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { judgeCanary } from '../../src/model/operator/canary.ts'
import { openDriftWatch } from '../../src/platform/drift/drift-watch.ts'
import { routeNames } from '../../src/platform/youtube/settings.ts'
import { readCanary } from '../../src/store/canary.ts'
import { runCanary } from '../../src/worker/run-canary.ts'
import { nearPlatform, NEVER, openNear } from '../platform/near-platform.ts'
import { testDatabase } from '../support/database.ts'
import { testService } from '../support/service.ts'
import { testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { openOperatorsBox } from './operators-box.ts'

/** The video of the case with manual captions. */
const MANUAL = 'p7T7RWflVGw'
const HIDDEN = { do: 'hide_captions', on: 'player', video: MANUAL } as const

async function stageOf(t: TestContext) {
  const database = await testDatabase(t)
  const mails = await openOperatorsBox(database)
  const near = await nearPlatform(t)
  const { emulator } = near
  const { db, pool } = database
  const config = testConfig({ CANARY_HOURS: '6', PLATFORM_ORIGIN: emulator.origin })
  const ctx = { db, outbox: mails.outbox, log: pino({ level: 'silent' }), config }
  const runOn = (platform = near.platform, signal = NEVER) =>
    runCanary(ctx, { platform, publicUrl: 'https://s.example', signal })
  return {
    near,
    emulator,
    config,
    db,
    pool,
    mails,
    runOn,
    /** Lets `hours` pass in the database, makes a run, and returns the mails' subjects. */
    async runs({ hours = 6 } = {}): Promise<string[]> {
      await pool.query(
        `update canary set checked_at = checked_at - make_interval(hours => $1),
           leased_until = leased_until - make_interval(hours => $1)`,
        [hours],
      )
      await runOn()
      return (await mails.taken()).map(({ subject }) => subject)
    },
  }
}

test('operators are told when the verdict changes, both ways, and not while it stays', async (t) => {
  const { emulator, db, mails, runs } = await stageOf(t)
  await mails.operator('ada@example.org')
  assert.deepEqual(await runs(), [], 'a first run that is healthy says nothing')
  emulator.apply({ faults: [HIDDEN] })
  assert.deepEqual(await runs({ hours: 5 }), [], 'no run is due')
  assert.equal((await readCanary(db))?.verdict, 'healthy')
  assert.deepEqual(await runs(), ['Scriptorium’s canary: degraded (it was healthy)'])
  const first = await readCanary(db)
  assert.deepEqual(
    first?.failing.map(({ name }) => name),
    ['manual captions'],
  )
  const text = await createMetrics().print(db, { now: new Date(0), watch: openDriftWatch() })
  assert.match(text, /^scriptorium_canary_failing_cases 1$/m)

  assert.deepEqual(await runs(), [], 'it stays degraded')
  assert.deepEqual((await readCanary(db))?.since, first?.since)
  emulator.clear()
  assert.deepEqual(await runs(), ['Scriptorium’s canary: healthy (it was degraded)'])
  assert.deepEqual((await readCanary(db))?.failing, [])
})

test('where no words come, the mail names the cases and what to do', async (t) => {
  const { emulator, db, mails, runOn } = await stageOf(t)
  await mails.operator('ada@example.org')
  emulator.apply({ faults: [{ do: 'empty', on: 'timedtext' }] })
  await runOn()
  const [mail] = await mails.taken()
  assert.equal(mail?.subject, 'Scriptorium’s canary: down (it was healthy)')
  const text = mail?.lines.join('\n') ?? ''
  for (const part of ['manual captions: ', 'withholds', '`admin doctor`', 'CANARY_HOURS'])
    assert.ok(text.includes(part), `${part}: ${text}`)
  assert.equal((await readCanary(db))?.verdict, 'down')
})

test('one worker of all makes the run, and another one where it is lost', async (t) => {
  const { near, emulator, db, pool, mails, runOn } = await stageOf(t)
  await mails.operator('ada@example.org')
  emulator.apply({ faults: [HIDDEN] })
  const other = openNear(emulator)
  t.after(() => other.platform.close())
  await Promise.all([runOn(), runOn(other.platform)])
  assert.equal([near, other].filter(({ requests }) => requests.length > 0).length, 1)
  assert.equal((await mails.taken()).length, 1)

  // A worker that is gone without a word: its claim ends, and what it brings later changes nothing.
  await pool.query(
    `update canary set run = run + 1, checked_at = null, leased_until = now() + interval '1 minute'`,
  )
  const asked = near.requests.length
  await runOn()
  assert.equal(near.requests.length, asked, 'the run is another worker’s')
  await pool.query(`update canary set leased_until = now()`)
  emulator.clear()
  await runOn()
  assert.equal((await readCanary(db))?.verdict, 'healthy')
})

test('a run that a stop cuts off is the next worker’s, and a run without operators is no fault', async (t) => {
  const { emulator, db, mails, runOn } = await stageOf(t)
  emulator.apply({ faults: [{ do: 'hold', on: 'player' }] })
  const stop = new AbortController()
  const running = runOn(undefined, stop.signal)
  stop.abort(new Error('the worker is to stop'))
  await running
  assert.equal(await readCanary(db), null)
  emulator.apply({ faults: [HIDDEN] })
  await runOn()
  assert.equal((await readCanary(db))?.verdict, 'degraded')
  assert.deepEqual(await mails.taken(), [])
})

test('where every route rests nothing is asked, and that is what is told', async (t) => {
  const { near, config, pool, mails, runs } = await stageOf(t)
  await mails.operator('ada@example.org')
  await pool.query(
    `insert into egress_route (name, rate_per_minute, free_at, lease_starts_at, lease_permits, rest_until)
      values ($1, 60, now(), now(), 0, now() + interval '1 hour')`,
    routeNames(config),
  )
  assert.deepEqual(await runs(), ['Scriptorium’s canary: not asked (it was healthy)'])
  assert.equal(near.requests.length, 0)
  await pool.query(`update egress_route set rest_until = now()`)
  assert.deepEqual(await runs(), ['Scriptorium’s canary: healthy (it was not asked)'])
})

test('the verdict is of the cases that were asked', () => {
  const of = (name: string, outcome: string, isAllowed: boolean) => ({
    name,
    outcome,
    isAllowed,
    sentence: '',
  })
  const [words, gone, blocked] = [
    of('words', 'success', true),
    of('gone', 'private', true),
    of('blocked', 'obstructed', false),
  ]
  const verdictOf = (findings: Parameters<typeof judgeCanary>[0]) => {
    const { verdict, detail } = judgeCanary(findings, { casesMax: 3, whyNot: 'Busy.' })
    return [verdict, detail]
  }
  const left = of('left', 'not_asked', true)
  assert.deepEqual(verdictOf([words, gone, words]), ['healthy', null])
  assert.deepEqual(verdictOf([words, gone, blocked]), ['degraded', null])
  assert.deepEqual(verdictOf([gone, blocked, blocked]), ['down', null])
  assert.deepEqual(verdictOf([left, left, left]), ['not_asked', 'Busy.'])
  assert.deepEqual(verdictOf([words]), ['healthy', '1 of 3 cases were asked: Busy.'])
  assert.deepEqual(verdictOf([blocked, left, left]), ['down', '1 of 3 cases were asked: Busy.'])
})

test('a service with CANARY_HOURS asks by itself, and says on which verdict it is', async (t) => {
  const running = await testService(t, { env: { CANARY_HOURS: '8760' } })
  const { db } = running.database
  await until('the canary has asked', async () => (await readCanary(db)) !== null)
  const answer = await fetch(`${running.address}/readyz?verbose`)
  const { canary } = (await answer.json()) as { canary: string }
  assert.match(canary, /^canary: healthy since \S+, checked at \S+$/)

  // Another process, which looks once there is somebody to be told: ALERT_MAILS is on by default.
  const mails = await openOperatorsBox(running.database)
  await mails.operator('ada@example.org')
  await sql`insert into payment_event (id, type, created_at, outcome, note)
    values ('e1', 'a type', now(), 'refused', '')`.execute(db)
  const told = sql<{ cause: string }>`select cause from operator_mail`
  await running.another()
  await until('a mail is posted', async () => (await told.execute(db)).rows.length > 0)
  assert.deepEqual((await told.execute(db)).rows, [{ cause: 'ScriptoriumPaymentRefused' }])
})
