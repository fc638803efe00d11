/** Clocks that are wrong: the database's is set back or forward by an hour, a worker's is hours ahead. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import type { RouteTerms } from '../../src/model/platform/route-budget.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { egressBudget } from '../../src/store/egress-routes.ts'
import { takeAttempt } from '../../src/store/rate-buckets.ts'
import { insertTest } from '../../src/store/webhook-deliveries.ts'
import { insertWebhook } from '../../src/store/webhooks.ts'
import {
  claimDue,
  sweepDeliveries,
  DELIVERY_LEASE_SECONDS,
} from '../../src/features/webhooks/deliver.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { makesWebhook } from '../webhooks/hooked-jobs.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { openFleet } from './fleet.ts'

const HOUR_MS = 3_600_000
const ROUTE: RouteTerms = {
  name: 'slow',
  ratePerMinute: { start: 2, floor: 2, ceiling: 20 },
  restMs: { first: 30_000, longest: 6 * HOUR_MS },
  blocksForgiven: 0,
  healedAfter: 5,
}

/**
 * Moves every instant in the tables the other way, which to code that compares them with now is a change of the clock.
 */
async function setClock(
  { pool }: TestDatabase,
  tables: string[],
  direction: 'back' | 'forward',
): Promise<void> {
  const sign = direction === 'back' ? '+' : '-'
  for (const table of tables) {
    const { rows } = await pool.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
       where table_schema || '.' || table_name = $1 and data_type = 'timestamp with time zone' and is_generated = 'NEVER'`,
      [table],
    )
    assert.ok(rows.length > 0, table)
    const moves = rows.map(({ name }) => `${name} = ${name} ${sign} interval '1 hour'`)
    await pool.query(`update ${table} set ${moves.join(', ')}`)
  }
}

test('an egress route goes on at its pace when the clock was set back, also one that rested', async (t) => {
  const database = await testDatabase(t)
  const budget = egressBudget(database.db, () => 0)
  const first = await budget.take(ROUTE, { answered: 0, hasDelivered: false })
  const second = await budget.take(ROUTE, { answered: 0, hasDelivered: false })
  assert.ok(second.kind === 'leased' && second.startsInMs > 0, 'the pace holds')
  await setClock(database, ['public.egress_route'], 'back')
  const third = await budget.take(ROUTE, { answered: 0, hasDelivered: false })
  assert.ok(third.kind === 'leased' && third.startsInMs < HOUR_MS / 2, JSON.stringify(third))
  const fourth = await budget.take(ROUTE, { answered: 0, hasDelivered: false })
  assert.ok(
    fourth.kind === 'leased' && fourth.startsInMs > third.startsInMs,
    'and goes on from there',
  )

  await budget.reportBlock(ROUTE, {
    epoch: first.identity.epoch,
    retryAfterMs: null,
    suspicion: null,
    hasDelivered: false,
  })
  assert.equal((await budget.take(ROUTE, { answered: 0, hasDelivered: false })).kind, 'resting')
  await setClock(database, ['public.egress_route'], 'back')
  assert.equal((await budget.take(ROUTE, { answered: 0, hasDelivered: false })).kind, 'leased')
})

test('who used up his attempts to sign in waits no hour longer when the clock was set back', async (t) => {
  const database = await testDatabase(t)
  const limit = { bucket: 'one', size: 3, everySeconds: 60 }
  for (let attempt = 0; attempt < limit.size; attempt += 1)
    assert.equal(await takeAttempt(database.pool, limit), 0)
  assert.ok((await takeAttempt(database.pool, limit)) <= 60)
  await setClock(database, ['public.rate_bucket'], 'back')
  const seconds = await takeAttempt(database.pool, limit)
  assert.ok(seconds > 0 && seconds <= 60, String(seconds))
})

test('webhooks are sent although the clock was set back, in turn and after a lost sender', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const { accountId } = await createAccountWithKey(db, { email: 'a@example.org', micros: 1n })
  const webhookId = 'whk_1'
  const events = ['job.finished' as const]
  await transact(db, async (tx) => {
    await insertWebhook(tx, { id: webhookId, accountId, url: 'u', events, secret: 's' })
    for (let n = 0; n < 2; n += 1) await insertTest(tx, webhookId)
  })
  const [taken] = await claimDue(db, 1)
  assert.ok(taken !== undefined)
  await setClock(database, ['public.webhook_delivery'], 'back')
  assert.deepEqual(await claimDue(db, 2), [], 'nothing is due for an hour')
  await sweepDeliveries(db)
  const [other, ...more] = await claimDue(db, 2)
  assert.ok(other !== undefined && other.deliveryId !== taken.deliveryId)
  assert.deepEqual(more, [], 'its sender has time to write it down')
  const left = `select extract(epoch from leased_until - now()) as seconds from webhook_delivery where id = $1`
  const { rows } = await database.pool.query<{ seconds: string }>(left, [taken.deliveryId])
  assert.ok(Number(rows[0]?.seconds) <= DELIVERY_LEASE_SECONDS, JSON.stringify(rows))
})

test('a worker whose clock is seven hours ahead runs its jobs like any other, and signs webhooks of now', async () => {
  const fleet = await openFleet({ after })
  const preload = path.join(import.meta.dirname, 'clock-process.ts')
  const api = await fleet.start({ ROLES: 'api', WEBHOOK_ALLOW_PRIVATE: 'true' })
  await fleet.start(
    {
      ROLES: 'worker',
      CLOCK_AHEAD_MS: String(7 * HOUR_MS),
      JOB_VIDEOS: '2',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    { preload },
  )
  const who = await fleet.customer(api)
  const receiver = await startReceiver({ after })
  await makesWebhook(who, receiver.url)
  const ended = await who.waitsFor(await who.startsJob({ urls: ['@dailynotes'], maxVideos: 5 }))
  assert.equal(ended['state'], 'finished', ended['error'])
  await until('its webhook is sent', () => receiver.received.length > 0)
  const signedAt = Number(receiver.received[0]?.headers['webhook-timestamp']) * 1000
  const createdAt = Date.parse(ended['createdAt']) // by a right clock
  assert.ok(Math.abs(signedAt - createdAt) < HOUR_MS, 'receivers refuse what is hours off')
})
