/** The real side of the simulation: one database, processes that die, and what must hold after every step. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { readBalance } from '../../src/features/money/balance.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import { takeEvent } from '../../src/features/money/payments.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Db } from '../../src/store/database.ts'
import {
  type Crash,
  type CrashingDatabase,
  crashingDatabase,
} from '../support/crashing-database.ts'
import { testDatabase, type TestScope } from '../support/database.ts'
import { beginClaimed, claimIfOpen } from '../support/claims.ts'
import { beginJob, BUDGET, openAccount, videoLine } from '../support/money-fixtures.ts'
import {
  begin,
  claim,
  held,
  isOpen,
  type Model,
  type ModelEvent,
  type ModelJob,
  newModel,
  PRICE,
} from './money-model.ts'

export type Counters = Map<string, number>

export type MoneyWorld = {
  model: Model
  accounts: string[]
  /** Ids of jobs in the model's order. */
  jobIds: string[]
  /** Number of the run: references and ids must not meet those of another run. */
  run: number
  db: Db
  crashing: CrashingDatabase
  counters: Counters
}

export type MoneyStage = Pick<MoneyWorld, 'db' | 'crashing' | 'counters'> & {
  runs: number
}

export const OWNED = [12 * PRICE + 3, 80 * PRICE, 0]

export async function openMoneyStage(scope: TestScope): Promise<MoneyStage> {
  const { db, url } = await testDatabase(scope)
  const crashing = crashingDatabase(url)
  scope.after(async () => {
    await crashing.close()
  })
  return { db, crashing, counters: new Map(), runs: 0 }
}

/** Opens new accounts for a run; those of earlier runs stay as they are. */
export async function openWorld(stage: MoneyStage): Promise<MoneyWorld> {
  stage.runs += 1
  const accounts: string[] = []
  for (const micros of OWNED) accounts.push(await openAccount(stage.db, BigInt(micros)))
  return { ...stage, model: newModel(OWNED), accounts, jobIds: [], run: stage.runs }
}

export function count({ counters }: Pick<MoneyWorld, 'counters'>, outcome: string): void {
  for (const name of outcome.split(' ')) counters.set(name, (counters.get(name) ?? 0) + 1)
}

/**
 * Does an act for real, perhaps in a process that dies on the way, then in the model where the act had an effect. The
 * two must agree on every balance and job afterwards.
 */
export async function act(
  world: MoneyWorld,
  crash: Crash | null,
  real: (db: Db) => Promise<unknown>,
  model: () => string,
): Promise<void> {
  const { crashing, db } = world
  const before = crash === null ? '' : await fingerprint(world)
  crashing.arm(crash)
  try {
    await real(crash === null ? db : crashing.db)
  } catch (error) {
    if (!(error instanceof Problem) && !crashing.hasCrashed()) throw error
  }
  const hasCrashed = crash !== null && crashing.hasCrashed()
  if (hasCrashed) {
    await untilQuiet(db)
    const isDone = before !== (await fingerprint(world))
    count(world, isDone ? 'crashedAfterCommit' : 'crashedBeforeCommit')
    if (isDone) count(world, model())
  } else {
    count(world, model())
  }
  await checkAgainstModel(world)
}

/** Has a worker claim the job and begin the attempt, in which it may die. */
export async function takes(
  world: MoneyWorld,
  job: ModelJob,
  { owned, crash }: { owned: { jobId: string; accountId: string }; crash: Crash | null },
): Promise<void> {
  const attempt = await claimIfOpen(world.db, owned)
  claim(job)
  await act(
    world,
    crash,
    async (db) => (attempt === null ? null : beginClaimed(db, attempt, BUDGET)),
    () => begin(world.model, job),
  )
}

/** Returns everything that an act can change, in one text. */
async function fingerprint({ db, accounts }: MoneyWorld): Promise<string> {
  const { rows } = await sql<{ all: string }>`
    select concat(
      (select string_agg(b::text, ',' order by account_id) from balance b where account_id = any(${accounts})),
      (select string_agg(j::text, ',' order by id) from job j where account_id = any(${accounts})),
      (select string_agg(e::text, ',' order by id) from payment_event e),
      (select count(*) from video_row)) as all
  `.execute(db)
  return rows[0]?.all ?? ''
}

/** Waits until the server has noticed a broken connection and undone its transaction. */
async function untilQuiet(db: Db): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and application_name = 'crashing' and xact_start is not null
    `.execute(db)
    if (rows[0]?.open === 0) return
  }
  throw new Error('a broken transaction stays open')
}

async function checkAgainstModel(world: MoneyWorld): Promise<void> {
  const { db, model, accounts } = world
  const { rows: balances } = await sql<{
    account: string
    posted: bigint
    held: bigint
    entries: bigint
    sums: [string, string, string]
  }>`
    select b.account_id as account, b.posted_micros as posted, b.held_micros as held, b.entries,
      (select array[coalesce(sum(posted_micros), 0)::text, coalesce(sum(held_micros), 0)::text, count(*)::text]
        from ledger_entry e where e.account_id = b.account_id) as sums
    from balance b where b.account_id = any(${accounts})
  `.execute(db)
  for (const [index, accountId] of accounts.entries()) {
    const is = balances.find(({ account }) => account === accountId)
    assert.ok(is !== undefined)
    assert.deepEqual(
      [Number(is.posted), Number(is.held)],
      [model.owned[index], held(model, index)],
      `account ${index}`,
    )
    assert.ok(is.posted >= is.held && is.held >= 0n, 'nothing is below zero')
    assert.deepEqual(
      is.sums,
      [is.posted, is.held, is.entries].map(String),
      'a balance is the sum of its entries',
    )
  }
  const { rows: jobs } = await sql<JobLine>`
    select j.id, j.account_id as account, j.urls[1] as line, j.state, j.attempt, j.is_held as "isHeld",
      j.max_videos as max, j.charged_micros as charged, j.success, j.processed,
      (select count(*)::int from transcript t where t.job_id = j.id) as transcripts
    from job j where j.account_id = any(${accounts}) order by j.created_at, j.id
  `.execute(db)
  adopt(world, jobs)
  const byId = new Map(jobs.map((job) => [job.id, job]))
  for (const [index, job] of model.jobs.entries()) {
    const is = byId.get(world.jobIds[index] ?? '')
    const processed = job.rows.filter((row) => row === 'done').length
    const charged = isOpen(job) ? null : BigInt(job.delivered * PRICE)
    assert.deepEqual(is, {
      id: world.jobIds[index],
      account: accounts[job.account],
      line: videoLine(job.line),
      state: job.state,
      attempt: job.attempt,
      isHeld: job.isHeld,
      max: job.max,
      charged,
      success: job.delivered,
      processed,
      transcripts: job.delivered,
    })
  }
  assert.equal(jobs.length, model.jobs.length, 'a job that should not be there')
}

type JobLine = {
  id: string
  account: string
  line: string
  state: string
  attempt: number
  isHeld: boolean
  max: number
  charged: bigint | null
  success: number
  processed: number
  transcripts: number
}

/** Matches the model's new jobs with the database's: same account and reserve, same line if known. */
function adopt({ model, accounts, jobIds }: MoneyWorld, jobs: JobLine[]): void {
  const known = new Set(jobIds)
  for (let index = jobIds.length; index < model.jobs.length; index += 1) {
    const job = model.jobs[index]
    assert.ok(job !== undefined)
    const found = jobs.find(
      (one) =>
        !known.has(one.id) &&
        one.account === accounts[job.account] &&
        one.max === job.max &&
        [Number(one.line.slice(1)), -1].includes(job.line),
    )
    assert.ok(found !== undefined, 'the job that the model started exists')
    job.line = Number(found.line.slice(1))
    known.add(found.id)
    jobIds.push(found.id)
  }
}

/** Takes an event as the webhook does; names and references are this run's own. */
export function takeModelEvent(world: MoneyWorld, db: Db, event: ModelEvent): Promise<unknown> {
  const name = (text: string | number): string => `r${world.run}_${text}`
  const paymentId = name(`pi${event.payment}`)
  const effect =
    event.kind === 'paid'
      ? {
          kind: 'paid' as const,
          paymentId,
          checkoutId: name(`cs${event.payment}`),
          accountId: world.accounts[event.account] ?? '',
          micros: BigInt(event.micros),
        }
      : {
          kind: 'claimed' as const,
          paymentId,
          claimId: name(event.claim),
          claim: 'refund' as const,
          status: 'succeeded',
          micros: BigInt(event.asked),
          at: new Date(event.at * 1000),
        }
  return takeEvent(db, { id: name(event.id), type: event.kind, createdAt: new Date(0), effect })
}

/** Ends a run: every job can be claimed, whatever died; then all end, and no money stays reserved. */
export async function closeWorld({ db, model, accounts, jobIds }: MoneyWorld): Promise<void> {
  for (const [index, job] of model.jobs.entries()) {
    if (!isOpen(job)) continue
    const owned = { accountId: accounts[job.account] ?? '', jobId: jobIds[index] ?? '' }
    await cancelJob(db, owned)
    await beginJob(db, owned)
  }
  for (const accountId of accounts) assert.equal((await readBalance(db, accountId)).heldMicros, 0n)
  const { differences, listed } = await verifyLedger(db)
  assert.deepEqual([differences, listed], [0, []])
}
