/** Races for money: more jobs than the balance pays for, one order many times, an end and a cancellation at once. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { issueKey } from '../../../src/features/accounts/keys.ts'
import { transact } from '../../../src/kit/postgres/database.ts'
import { verifyLedger } from '../../../src/features/money/verify-ledger.ts'
import { checkBooks, ofJob } from '../../machines/fleet.ts'
import { until } from '../../support/until.ts'
import { Customer } from '../../../tools/conformance/customer.ts'
import type { Attack, Target } from '../attack.ts'
import { OF_PAYMENTS } from './stripe-stories.ts'

const AT_ONCE = 60
const KEYS = 4
const ROUNDS = 12
const PRICE = 0.008
const VIDEO = '@dailynotes'

export const MONEY_RACES: readonly Attack[] = [
  {
    name: `${AT_ONCE} jobs at once on a balance that pays for one transcript`,
    class: 'money races',
    isInGate: true,
    settings: OF_PAYMENTS,
    async run(target) {
      const owner = await target.customer(String(PRICE))
      const callers = await keysOf(target, owner)
      let lowest = 0n
      let isOver = false
      const watching = (async () => {
        while (!isOver) lowest = await lowestBalance(target, owner, lowest)
      })()
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          callers[index % KEYS]!.asks('POST', '/jobs', {
            body: { urls: [`https://www.youtube.com/${VIDEO}/videos?${index}`], maxVideos: 1 },
          }),
        ),
      )
      const started = answers.filter(({ status }) => status === 201).map(({ body }) => body)
      const refused = answers.filter(
        ({ status, body }) => status === 402 && body['error'].code === 'insufficient_balance',
      )
      const ended = await Promise.all(started.map((job) => owner.waitsFor(job)))
      isOver = true
      await watching
      assert.equal(started.length, 1, `${started.length} jobs started`)
      assert.equal(refused.length, AT_ONCE - 1)
      assert.ok(ended.every(({ progress }) => progress.delivered <= 1))
      assert.equal(lowest, 0n, `the balance was ${lowest} micros`)
      await verify(target)
      return `1 job, ${refused.length} refused, the balance never below 0`
    },
  },
  {
    name: `one Idempotency-Key ${AT_ONCE} times at once`,
    class: 'money races',
    isInGate: true,
    settings: OF_PAYMENTS,
    async run(target) {
      const owner = await target.customer()
      const callers = await keysOf(target, owner)
      const key = randomUUID()
      const ask = { body: { urls: [VIDEO], maxVideos: 1 }, headers: { 'Idempotency-Key': key } }
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          callers[index % KEYS]!.asks('POST', '/jobs', ask),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 201).length, 1)
      assert.equal(answers.filter(({ status }) => status === 200).length, AT_ONCE - 1)
      assert.equal(new Set(answers.map(({ body }) => body['id'])).size, 1)
      await owner.waitsFor(answers[0]!.body)
      const other = await owner.asks('POST', '/jobs', {
        ...ask,
        body: { urls: [VIDEO], maxVideos: 2 },
      })
      assert.deepEqual([other.status, other.body['error'].code], [409, 'idempotency_conflict'])
      await verify(target)
      return 'one job, every repeat named it'
    },
  },
  {
    name: 'cancelling a job in the moment of its end, by many at once',
    class: 'money races',
    isInGate: true,
    settings: { STOP_GRACE: '10' }, // the default; it gives a database of its own, whose books are checked
    async run(target) {
      const owner = await target.customer()
      const callers = await keysOf(target, owner)
      const { database } = target.fleet
      const ends: Record<string, number> = {}
      for (let round = 0; round < ROUNDS; round += 1) {
        const job = await owner.startsJob({
          urls: [`https://www.youtube.com/${VIDEO}/videos?round=${round}`],
          maxVideos: 3,
        })
        await until(
          'some are delivered',
          async () =>
            await ofJob<boolean>(
              database,
              job['id'],
              `success >= ${round % 4} or finished_at is not null`,
            ),
        )
        const cancels = await Promise.all(
          callers.map((caller) => caller.asks('POST', `/jobs/${job['id']}/cancel`)),
        )
        assert.ok(cancels.every(({ status }) => status === 200 || status === 202))
        const { state, billing, progress } = await owner.waitsFor(job)
        assert.equal(billing.chargedTranscripts, progress.delivered)
        assert.equal(billing.charged, (progress.delivered * PRICE).toFixed(3))
        ends[state] = (ends[state] ?? 0) + 1
      }
      await checkBooks(database)
      return `${ROUNDS} rounds (${Object.entries(ends)
        .map(([state, times]) => `${times} ${state}`)
        .join(', ')}), each charged what it delivered`
    },
  },
]

async function keysOf(
  { address, fleet }: Target,
  { accountId, apiKey }: Customer,
): Promise<Customer[]> {
  const more = Array.from({ length: KEYS - 1 }, (_, index) =>
    transact(fleet.database.db, (tx) => issueKey(tx, { accountId, name: `key ${index}` })),
  )
  return [apiKey, ...(await Promise.all(more)).map((issued) => issued.apiKey)].map(
    (key) => new Customer({ address, accountId, apiKey: key }),
  )
}

async function lowestBalance(
  { fleet }: Target,
  { accountId }: Customer,
  before: bigint,
): Promise<bigint> {
  const { rows } = await fleet.database.pool.query<{ available: bigint }>(
    'select posted_micros - held_micros as available from balance where account_id = $1',
    [accountId],
  )
  const available = rows[0]?.available ?? 0n
  return available < before ? available : before
}

async function verify({ fleet }: Target): Promise<void> {
  const { differences, listed } = await verifyLedger(fleet.database.db)
  assert.equal(differences, 0, JSON.stringify(listed.slice(0, 3)))
}
