/** The limit of open jobs, raced: starts, cancels, ends and crashes at once, over several connections. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type { Tx } from '../../src/store/database.ts'
import { lockAccount, setSuspended } from '../../src/store/accounts.ts'
import { lockBalance } from '../../src/store/ledger.ts'
import { until } from '../support/until.ts'
import { Problem } from '../../src/kit/problem.ts'
import { crashingDatabase } from '../support/crashing-database.ts'
import { testDatabase } from '../support/database.ts'
import {
  beginJob,
  endJob,
  openAccount,
  orderJob,
  videoLine,
  wholeJob,
} from '../support/money-fixtures.ts'
import { whims } from '../simulation/selection-world.ts'

const { db, pool, url } = await testDatabase({ after })
/** Number of transactions at once, that is of starts that do not see each other. */
const CONNECTIONS = pool.options.max

let lines = 0
const accountsOf = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => openAccount(db, 8_000_000n)))

type Owned = { jobId: string; accountId: string }

/** Returns null where the service was busy. */
async function starts(
  accountId: string,
  maxActiveJobs: number,
  on: { db?: typeof db } = {},
): Promise<Owned | null> {
  const line = videoLine((lines += 1))
  try {
    const order = { accountId, line, maxVideos: 1, maxActiveJobs }
    const { job } = await orderJob(on.db ?? db, order)
    return { jobId: job.id, accountId }
  } catch (error) {
    if (error instanceof Problem && error.code === 'server_busy') return null
    // A slow machine may not give every start a connection in time: a start then asks again, as callers do.
    if (/timeout exceeded when trying to connect/.test(String(error)))
      return starts(accountId, maxActiveJobs, on)
    throw error
  }
}

/** Begins the job and ends it; does nothing where it is final already. */
async function ends({ jobId, accountId }: Owned): Promise<void> {
  const begun = await beginJob(db, { jobId, accountId })
  if (begun !== null) await endJob(db, begun.attempt, 'finish')
}

async function openByAccount(): Promise<number[]> {
  const { rows } = await pool.query<{ jobs: number }>(
    `select count(*)::int as jobs from job where charged_micros is null group by account_id`,
  )
  return rows.map(({ jobs }) => jobs)
}

async function endAll(): Promise<void> {
  const { rows } = await pool.query<Owned>(
    `select id as "jobId", account_id as "accountId" from job where charged_micros is null`,
  )
  for (const owned of rows) await ends(owned)
}

test('a start that is held up holds up no other account', async () => {
  const [slow, quick] = (await accountsOf(2)) as [string, string]
  // The lock is that of making a key; the start waits for it in the middle of its statement.
  const letGo = await holds((tx) => lockAccount(tx, slow))
  const held = starts(slow, 1_000)
  await until('the start waits', async () => (await waiting()) === 1)
  assert.ok((await starts(quick, 1_000)) !== null)
  assert.equal(await waiting(), 1)
  await letGo()
  assert.ok((await held) !== null)
  await endAll()
})

/** Holds a lock until the returned function is called; `last` runs right before the commit. */
async function holds(
  lock: (tx: Tx) => Promise<unknown>,
  last?: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const goesOn = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const holding = transact(db, async (tx) => {
    await lock(tx)
    isLocked.resolve()
    await goesOn.promise
    await last?.(tx)
  })
  await isLocked.promise
  return () => {
    goesOn.resolve()
    return holding
  }
}

/** Returns the number of sessions that wait for another one's lock. */
async function waiting(): Promise<number> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  )
  return rowCount ?? 0
}

test('an account that is suspended while a start waits for its balance starts nothing', async () => {
  const [one] = await accountsOf(1)
  const suspend = await holds(
    (tx) => lockBalance(tx, one!),
    (tx) => setSuspended(tx, one!, true),
  )
  const started = starts(one!, 1_000).catch((error: unknown) => (error as Problem).code)
  await until('the start waits', async () => (await waiting()) === 1)
  await suspend()
  assert.equal(await started, 'unauthorized')
  assert.deepEqual(await openByAccount(), [])
  await endAll()
})

test('who waited for the balance meets the job that was started meanwhile', async () => {
  const [one] = await accountsOf(1)
  const order = { accountId: one!, line: videoLine((lines += 1)), maxVideos: 1 }
  const letGo = await holds((tx) => lockBalance(tx, one!))
  const both = [orderJob(db, order), orderJob(db, order)]
  await until('both wait', async () => (await waiting()) === 2)
  await letGo()
  const ends = await Promise.allSettled(both)
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Problem] : []))
  assert.deepEqual(
    refusals.map(({ code }) => code),
    ['job_in_progress'],
  )
  await endAll()
})

test('of accounts that come one after another, as many are let in as there is room for', async () => {
  const all: (Owned | null)[] = []
  for (const one of await accountsOf(6)) all.push(await starts(one, 3))
  assert.deepEqual(
    all.map((job) => job !== null),
    [true, true, true, false, false, false],
  )
  await endAll()
})

/** Opens accounts that brought this much, in micros, and returns which of their starts are let in. */
async function letIn(max: number, ...brought: bigint[]): Promise<boolean[]> {
  const all: boolean[] = []
  for (const micros of brought)
    all.push((await starts(await openAccount(db, micros), max)) !== null)
  return all
}

test('accounts stand in the way of those alone that brought less than ten times as much', async () => {
  const [max, cent, dollar, tens] = [3, 10_000n, 1_000_000n, 20_000_000n]
  assert.deepEqual(await letIn(max, cent, cent, cent, cent), [true, true, true, false])
  assert.deepEqual(await letIn(max, dollar, dollar, cent), [true, true, false])
  assert.deepEqual(await letIn(max, 9n * dollar, dollar), [true, false])
  assert.deepEqual(await letIn(max, tens, tens, tens, tens), [true, true, true, false])
  assert.deepEqual(await letIn(max, 9n * dollar, cent), [false, false])
  await endAll()
})

test('what was spent on transcripts counts ten times as much as what was brought', async () => {
  const [max, dime] = [3, 100_000n]
  const customer = await openAccount(db, 2n * dime)
  assert.deepEqual(await letIn(max, dime, dime, dime, dime), [true, true, true, false])
  assert.equal(await starts(customer, max), null)
  await wholeJob(db, {
    accountId: customer,
    line: videoLine((lines += 1)),
    maxVideos: 12,
    delivered: 12,
  })
  assert.ok((await starts(customer, max)) !== null)
  await endAll()
})

test('Retry-After tells in what time as many ended as stand in the way', async () => {
  const [max, dollar] = [2, 1_000_000n]
  const line = (): string => videoLine((lines += 1))
  for (const ended of ['2 minutes', '20 minutes', '50 minutes']) {
    const accountId = await openAccount(db, dollar)
    const { jobId } = await wholeJob(db, { accountId, line: line(), maxVideos: 1, delivered: 1 })
    await pool.query(`update job set finished_at = now() - $2::interval where id = $1`, [
      jobId,
      ended,
    ])
  }
  await pool.query(
    `update job set finished_at = now() - interval '1 day' where finished_at > now() - interval '1 minute'`,
  )
  const waitOf = async (maxActiveJobs: number): Promise<number> => {
    const accountId = await openAccount(db, dollar)
    const refusal = await orderJob(db, {
      accountId,
      line: line(),
      maxVideos: 1,
      maxActiveJobs,
    }).catch((error: unknown) => error as Problem)
    assert.ok(refusal instanceof Problem && refusal.code === 'server_busy')
    return Math.floor(Number(refusal.headers['Retry-After']) / 60)
  }
  assert.deepEqual(await letIn(max, dollar, dollar), [true, true])
  assert.deepEqual([await waitOf(2), await waitOf(1)], [2, 20])
  await endAll()
})

test('accounts that come at the same moment may be too many by those moments, and no further account is let in', async () => {
  const [max, accounts] = [3, 3 * CONNECTIONS]
  const all = await Promise.all((await accountsOf(accounts)).map((one) => starts(one, max)))
  const letIn = all.filter((job) => job !== null).length
  assert.ok(letIn >= max && letIn <= max - 1 + CONNECTIONS, `${letIn} are let in`)
  const [late] = await accountsOf(1)
  assert.equal(await starts(late!, max), null)
  await endAll()
})

test('one account that starts many jobs at once gets half of all, and no more', async () => {
  const [one] = await accountsOf(1)
  const all = await Promise.all(Array.from({ length: 12 }, () => starts(one!, 9)))
  assert.equal(all.filter((job) => job !== null).length, 5)
  await endAll()
})

test('starts, cancels, ends and crashes in any order: the limit of an account holds at every moment', async () => {
  const max = 6
  const accounts = await accountsOf(9)
  const whim = whims(7)
  const open: Owned[] = []
  const seen = { started: 0, refused: 0, cancelled: 0, ended: 0, crashed: 0 }
  const crashing = crashingDatabase(url)
  after(() => crashing.close())

  const start = async (): Promise<void> => {
    const job = await starts(accounts[whim(accounts.length)]!, max)
    seen[job === null ? 'refused' : 'started'] += 1
    if (job !== null) open.push(job)
  }
  const crash = async (): Promise<void> => {
    crashing.arm({ at: 1 + whim(12), when: whim(2) === 0 ? 'before' : 'after' })
    await starts(accounts[whim(accounts.length)]!, max, { db: crashing.db }).catch(
      (error: unknown) => {
        if (!crashing.hasCrashed()) throw error
      },
    )
    if (crashing.hasCrashed()) seen.crashed += 1
  }
  const cancel = async (job: Owned): Promise<void> => {
    if ((await cancelJob(db, job))?.isAccepted === true) seen.cancelled += 1
  }
  const end = async (job: Owned): Promise<void> => {
    await ends(job)
    seen.ended += 1
  }
  for (let round = 0; round < 25; round += 1) {
    const leaving = open.splice(0, whim(4))
    await Promise.all([
      crash(),
      ...Array.from({ length: 5 }, start),
      ...leaving.flatMap((job) => (whim(2) === 0 ? [cancel(job), end(job)] : [end(job)])),
    ])
    const counts = await openByAccount()
    assert.ok(Math.max(0, ...counts) <= max / 2, `${counts} open jobs`)
  }
  for (const [event, times] of Object.entries(seen)) assert.ok(times > 0, `it saw ${event}`)
  assert.deepEqual((await verifyLedger(db)).listed, [])
  await endAll()
})
