/** Races about money: many requests at once, over HTTP and two services as in two processes. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { truthOf } from '../../emulator/truth.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { readBalance } from '../../src/features/money/balance.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import { takeEvent } from '../../src/features/money/payments.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { testDatabase } from '../support/database.ts'
import { testService } from '../support/service.ts'
import {
  beginJob,
  endJob,
  openAccount,
  orderJob,
  planVideos,
  recordVideo,
  videoLine,
} from '../support/money-fixtures.ts'

const JOBS = 200
const PAID_FOR = 50
const KEYS = 10

const { platform, database, customer, service, another } = await testService(
  { after },
  { env: { MAX_ACTIVE_JOBS: '1000' } },
)
const { db } = database
const second = await another()
const video = truthOf(platform.world, { limit: 200 }).videos.find(
  ({ status }) => status === 'success',
)
assert.ok(video !== undefined)

test('200 jobs at once on an account that can pay for 50: 50 run, and not a cent is wrong at any moment', async () => {
  const owner = await customer(String(PAID_FOR * 0.008))
  const { accountId } = owner
  // One key may ask 60 times in a row, so that several keys of the account ask.
  const callers = await Promise.all(
    Array.from({ length: KEYS }, async (_, index) => {
      const { apiKey } = await transact(db, (tx) =>
        issueKey(tx, { accountId, name: `key ${index}` }),
      )
      const address = (index % 2 === 0 ? service : second).address ?? ''
      return new Customer({ address, accountId, apiKey })
    }),
  )

  const seen: { availableMicros: bigint; heldMicros: bigint }[] = []
  let isPosted = false
  const reader = (async () => {
    while (!isPosted || seen.at(-1)?.heldMicros !== 0n) seen.push(await readBalance(db, accountId))
  })()
  const answers = await Promise.all(
    Array.from({ length: JOBS }, async (_, index) => {
      const ask = {
        body: { urls: `https://www.youtube.com/watch?v=${video.videoId}&t=${index}`, maxVideos: 1 },
      }
      // A slow machine refuses some of the requests that wait for this one balance, which costs tokens: they ask again.
      for (;;) {
        const answer = await callers[index % KEYS]!.asks('POST', '/jobs', ask)
        if (answer.status !== 503 && answer.status !== 429) return answer
      }
    }),
  )
  const started = answers.filter(({ status }) => status === 201).map(({ body }) => body)
  const refused = answers.filter(
    ({ status, body }) => status === 402 && body.error.code === 'insufficient_balance',
  )
  assert.deepEqual([started.length, refused.length], [PAID_FOR, JOBS - PAID_FOR])

  isPosted = true
  await reader
  const ended = await Promise.all(
    started.map((job, index) => callers[index % KEYS]!.gets(`/jobs/${job.id}`)),
  )

  for (const job of ended) assert.deepEqual([job.state, job.billing.charged], ['finished', '0.008'])
  assert.deepEqual(await entriesOf(accountId), {
    charge: PAID_FOR,
    reserve: PAID_FOR,
    top_up: 1,
  })
  assert.ok(
    seen.every(({ availableMicros, heldMicros }) => availableMicros >= 0n && heldMicros >= 0n),
  )
  assert.equal(await owner.balance(), '0.000')
  assert.deepEqual(await readBalance(db, accountId), {
    availableMicros: 0n,
    heldMicros: 0n,
    affordableTranscripts: 0,
  })
  assert.equal((await verifyLedger(db)).differences, 0)
})

async function entriesOf(accountId: string): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ kind: string; entries: number }>(
    'select kind, count(*)::int as entries from ledger_entry where account_id = $1 group by kind',
    [accountId],
  )
  return Object.fromEntries(rows.map(({ kind, entries }) => [kind, entries]))
}

test('a job that is ended, cancelled and taken by others at the same moment is settled once', async () => {
  const { db } = await testDatabase({ after }) // the test itself is the only worker
  for (let round = 0; round < 8; round += 1) {
    const accountId = await openAccount(db, 80_000n)
    const { job } = await orderJob(db, { accountId, line: videoLine(round), maxVideos: 5 })
    const owned = { accountId, jobId: job.id }
    const begun = await beginJob(db, owned)
    assert.ok(begun !== null)
    await planVideos(db, begun.attempt, { before: 0, count: 5 })
    const acts = await Promise.allSettled([
      ...[1, 2, 3].map((index) => recordVideo(db, begun.attempt, { index, isDelivered: true })),
      ...Array.from({ length: 3 }, () => endJob(db, begun.attempt, 'finish')),
      ...Array.from({ length: 3 }, () => cancelJob(db, owned)),
      beginJob(db, owned),
    ])
    assert.deepEqual(
      acts.filter(({ status }) => status === 'rejected'),
      [],
    )
    for (
      let still: Awaited<ReturnType<typeof beginJob>> = await beginJob(db, owned);
      still !== null;
      still = await beginJob(db, owned)
    ) {
      await endJob(db, still.attempt, 'finish')
    }
    const { listed } = await verifyLedger(db)
    assert.deepEqual(listed, [])
    const { availableMicros, heldMicros } = await readBalance(db, accountId)
    assert.equal(heldMicros, 0n)
    assert.ok(
      [80_000n, 72_000n, 64_000n, 56_000n].includes(availableMicros),
      String(availableMicros),
    )
  }
})

test('a payment, its refund and its dispute told at the same moment, each five times, end the same', async () => {
  for (let round = 0; round < 8; round += 1) {
    const accountId = await openAccount(db, 1n)
    const paymentId = `pi_${round}`
    const at = new Date(0)
    const told = [
      {
        kind: 'paid' as const,
        paymentId,
        checkoutId: `cs_${round}`,
        accountId,
        micros: 1_000_000n,
      },
      {
        kind: 'claimed' as const,
        paymentId,
        claimId: `re_${round}`,
        claim: 'refund' as const,
        status: 'succeeded',
        micros: 300_000n,
        at,
      },
      {
        kind: 'claimed' as const,
        paymentId,
        claimId: `dp_${round}`,
        claim: 'dispute' as const,
        status: 'lost',
        micros: 500_000n,
        at,
      },
    ]
    const events = told.flatMap((effect, index) =>
      Array.from({ length: 5 }, () => ({
        id: `e_${round}_${index}`,
        type: 'x',
        createdAt: at,
        effect,
      })),
    )
    const taken = await Promise.all(events.map((event) => takeEvent(db, event)))
    assert.equal(taken.filter(({ outcome }) => outcome === 'repeated').length, 12)
    assert.equal((await readBalance(db, accountId)).availableMicros, 200_001n)
  }
  assert.equal((await verifyLedger(db)).differences, 0)
})
