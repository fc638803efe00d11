/** The order of waiting jobs: fair by account, each claimed by one worker, however many wait. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { releaseJob } from '../../src/store/jobs.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type { Attempt } from '../../src/model/jobs/attempt.ts'
import { openDatabase } from '../../src/store/database.ts'
import { claimJob, readLine } from '../../src/store/job-queue.ts'
import { testDatabase } from '../support/database.ts'
import {
  beginJob,
  endJob,
  openAccount,
  orderJob,
  videoLine,
  wholeJob,
} from '../support/money-fixtures.ts'

const { db, pool, url } = await testDatabase({ after })
let lines = 0

/** Opens accounts by their names. */
async function accountsOf<Name extends string>(...names: Name[]): Promise<Record<Name, string>> {
  const opened = await Promise.all(
    names.map(async (name) => [name, await openAccount(db, 80_000_000n)] as const),
  )
  return Object.fromEntries(opened) as Record<Name, string>
}

async function orders(accountId: string, count = 1): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await orderJob(db, { accountId, line: videoLine((lines += 1)), maxVideos: 1 })
}

async function claims(exceptAccounts: string[] = []): Promise<Attempt> {
  const attempt = await claimJob(db, exceptAccounts)
  assert.ok(attempt !== null)
  return attempt
}

/** Claims the next jobs; returns the names of their accounts. */
async function next<Name extends string>(
  accounts: Record<Name, string>,
  count: number,
): Promise<(Name | undefined)[]> {
  const named: (Name | undefined)[] = []
  for (let n = 0; n < count; n += 1) {
    const { accountId } = await claims()
    named.push((Object.keys(accounts) as Name[]).find((name) => accounts[name] === accountId))
  }
  return named
}

afterEach(async () => {
  const { rows } = await pool.query<{ jobId: string; accountId: string }>(
    `select id as "jobId", account_id as "accountId" from job where charged_micros is null`,
  )
  for (const job of rows) {
    const begun = await beginJob(db, job)
    if (begun !== null) await endJob(db, begun.attempt, 'finish')
  }
})

test('a claim waits for the disk: no crash of the server gives the number of an attempt twice', async () => {
  const { one } = await accountsOf('one')
  await orders(one)
  const commit = await transact(db, async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx)
    assert.equal((await claimJob(tx, []))?.accountId, one)
    const asked = sql<{ is: string }>`select current_setting('synchronous_commit') as is`
    return (await asked.execute(tx)).rows[0]?.is
  })
  assert.equal(commit, 'on')
})

test('a newcomer overtakes the waiting jobs of others, and places go round', async () => {
  const accounts = await accountsOf('many', 'few')
  await orders(accounts.many, 30)
  assert.equal((await claims()).accountId, accounts.many)
  await orders(accounts.few, 2)
  assert.deepEqual(await next(accounts, 3), ['few', 'many', 'few'])
  assert.equal(await claimJob(db, [accounts.many]), null)
  assert.deepEqual(await readLine(db), {
    accountId: accounts.many,
    places: { [accounts.many]: 2, [accounts.few]: 2 },
  })
})

test('a job that is handed back waits behind the others of its account, and its older attempt hands nothing back', async () => {
  const { x } = await accountsOf('x')
  await orders(x, 3)
  const first = await claims()
  await releaseJob(db, first)
  const rest = [await claims(), await claims()]
  assert.ok(rest.every(({ jobId }) => jobId !== first.jobId))
  const again = await claims()
  assert.deepEqual([again.jobId, again.number], [first.jobId, first.number + 1])
  await releaseJob(db, first)
  assert.equal(await claimJob(db, []), null)
})

test('an account that had a place waits behind those that wait for longer, and a newcomer goes before both', async () => {
  const accounts = await accountsOf('a', 'b', 'c', 'new')
  for (const name of ['a', 'b', 'c'] as const) await orders(accounts[name], 3)
  for (const attempt of [await claims(), await claims()]) await releaseJob(db, attempt)
  await orders(accounts.new)
  assert.deepEqual(await next(accounts, 4), ['c', 'new', 'a', 'b'])
})

test('an account whose job has just ended waits behind a newcomer, however many jobs it has', async () => {
  const accounts = await accountsOf('many', 'new')
  await orders(accounts.many, 3)
  const { jobId } = await claims()
  const begun = await beginJob(db, { jobId, accountId: accounts.many })
  assert.ok(begun !== null)
  await endJob(db, begun.attempt, 'finish')
  await orders(accounts.new, 2)
  assert.deepEqual(await next(accounts, 2), ['new', 'many'])
})

test('an account whose last job delivered something waits as a newcomer, before those that only had places', async () => {
  const accounts = await accountsOf('pays', 'lists', 'waits')
  const order = { accountId: accounts.pays, line: videoLine((lines += 1)), maxVideos: 1 }
  await orders(accounts.lists, 2)
  await orders(accounts.waits)
  for (const attempt of [await claims(), await claims()]) await releaseJob(db, attempt)
  await wholeJob(db, { ...order, delivered: 1 })
  await orders(accounts.pays)
  assert.deepEqual(await next(accounts, 1), ['pays'])
})

test('forty workers at once claim each job once', async (t) => {
  const workers = Array.from({ length: 4 }, (_, at) =>
    openDatabase({ url, connectionsMax: 10, name: `worker ${at}` }),
  )
  t.after(() => Promise.all(workers.map((worker) => worker.close())))
  for (let account = 0; account < 6; account += 1)
    await orders(await openAccount(db, 80_000_000n), 20)
  const claimed: Attempt[] = []
  await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      while ((await readLine(db)).accountId !== null) {
        const attempt = await claimJob(workers[at % 4]?.db ?? db, [])
        if (attempt !== null) claimed.push(attempt)
      }
    }),
  )
  assert.equal(claimed.length, 120)
  assert.equal(new Set(claimed.map(({ jobId }) => jobId)).size, 120)
})
