/**
 * The life of an attempt at a job, in order: begun, finished or stopped, and taken back where its worker is lost. Its
 * rows are recorded in `record-rows.ts`.
 */
import assert from 'node:assert/strict'
import { transact } from '../../kit/postgres/database.ts'
import {
  type Attempt,
  type AttemptBudget,
  type Held,
  judgeAttempt,
  type Suspect,
} from '../../model/jobs/attempt.ts'
import { isCapUsed, monthOf } from '../../model/follow/subscription.ts'
import { type FinalState, isFinal, type JobEnding, nextState } from '../../model/jobs/job.ts'
import { jobWeight } from '../../model/jobs/allowance.ts'
import { STATUSES_OF_REFUSALS } from '../../model/jobs/video-row.ts'
import { settle } from '../../model/money/ledger.ts'
import { hastenBatch } from '../../store/batches.ts'
import { settleListed } from '../../store/collections.ts'
import type { Db, Tx } from '../../store/database.ts'
import { setFinal } from '../../store/final-state.ts'
import { beginFirst, type PlanStart, takeBack } from '../../store/job-queue.ts'
import { addFreeCalls } from '../../store/free-calls.ts'
import { type JobRecord, lockJob, setBegun } from '../../store/jobs.ts'
import { lockBalance, type LockedBalance } from '../../store/ledger.ts'
import { lockJobWithBalance } from '../../store/locked-job.ts'
import { insertAct } from '../../store/operators.ts'
import { signal } from '../../store/signals.ts'
import { sumSpent } from '../../store/subscription-jobs.ts'
import { hastenLook, lockCap } from '../../store/subscriptions.ts'
import { countDelivered, countLeftOut, setSuspect, takeSuspects } from '../../store/video-rows.ts'

/**
 * An attempt that begins. `isAfterLoss` is true where the attempt before it was lost with its worker; `suspects` are
 * the rows that this one was reading then, and `culprit` is the index of that which is to be left out, or null.
 * `leftMs` is what is left of the job's time, by the database's clock; `start` is what was read with a first attempt,
 * null for later ones, whose planning reads it.
 */
export type BegunAttempt = {
  job: JobRecord
  isAfterLoss: boolean
  suspects: readonly Suspect[]
  culprit: number | null
  leftMs: number
  start: PlanStart | null
}

/**
 * Begins the attempt that a worker has claimed. Most jobs are begun once, which takes one statement and no lock on the
 * balance. Returns null where there is nothing to do.
 */
export async function takeUpJob(
  db: Db,
  attempt: Attempt,
  budget: AttemptBudget,
): Promise<BegunAttempt | null> {
  const first = attempt.number === 1 ? await beginFirst(db, attempt.jobId) : null
  const untroubled = { isAfterLoss: false, suspects: [], culprit: null }
  if (first !== null) return { ...first, ...untroubled, leftMs: budget.timeLimitMs }
  return transact(db, (tx) => beginAttempt(tx, attempt, budget))
}

/**
 * Begins an attempt under the job's lock. Returns null where there is nothing to do: another attempt claimed the job,
 * it is final already, or it became final here. Safe to repeat.
 */
export async function beginAttempt(
  tx: Tx,
  attempt: Attempt,
  budget: AttemptBudget,
): Promise<BegunAttempt | null> {
  const locked = await lockJobWithBalance(tx, attempt)
  const { balance, job } = locked
  if (isFinal(job.state) || job.attempt !== attempt.number) return null

  const suspects = job.isLost ? await takeSuspects(tx, job.id) : []
  const leftOut = suspects.length > 0 ? await countLeftOut(tx, job.id) : 0
  const judged = judgeAttempt({ ...job, suspects, leftOut }, budget, balance.now)
  const { lostAttempts, leftMs, culprit, interruption } = judged
  const stop = job.state === 'cancelling' ? 'stop' : interruption === null ? null : 'interrupt'
  if (stop !== null) {
    const running = nextState(job.state, 'start') ?? job.state // the time of a queued job may be used up, too
    const state = nextState(running, stop)
    if (state === null || !isFinal(state)) return null
    await endJob(tx, locked, { state, error: stop === 'stop' ? null : interruption })
    return null
  }
  const state = nextState(job.state, 'start') ?? job.state
  await setBegun(tx, job.id, { lostAttempts, state })
  return {
    isAfterLoss: job.isLost,
    suspects,
    culprit,
    leftMs,
    start: null,
    job: {
      ...job,
      state,
      lostAttempts,
      isLost: false,
      hasProgress: false,
      startedAt: job.startedAt ?? balance.now,
    },
  }
}

/**
 * Marks the row while the attempt reads what the platform said of its video, or removes the mark (`since` null): if the
 * attempt is lost in the middle, the next one knows over which video, and since which attempt (decision 0010). Returns
 * false where the job is no longer this attempt's, or the row is recorded: then it must not be read.
 */
export function markSuspect(
  db: Db,
  { jobId, number }: Attempt,
  row: { index: number; since: number | null },
): Promise<boolean> {
  return setSuspect(db, { jobId, attempt: number, ...row })
}

/**
 * Ends a job: final state, charge and release in one commit, none visible without the others. Returns the job as it
 * ended, or null where this attempt has nothing to end: it was replaced, or the job is final already. Safe to repeat.
 * `error` is a sentence for the customer, or null.
 */
export function finishJob(
  db: Db,
  attempt: Attempt,
  { event, error }: { event: JobEnding; error: string | null },
): Promise<(JobRecord & { state: FinalState }) | null> {
  return transact(db, async (tx) => {
    const locked = await lockJobWithBalance(tx, attempt)
    const { job } = locked
    const state = nextState(job.state, event)
    if (state === null || job.attempt !== attempt.number) return null

    assert(isFinal(state), 'every ending leads to a final state')
    const { job: ended } = await endJob(tx, locked, { state, error })
    return { ...ended, state }
  })
}

/**
 * Settles a job that is not final yet: final state, charge and release. The caller, which is every verb that ends a
 * job, has locked balance and job, in this order. `delivered` is the number of its rows with a transcript, as they are
 * under the lock; without it they are counted. Returns the balance and the job as the settlement left them.
 */
export async function endJob(
  tx: Tx,
  { balance, job, ...known }: { balance: LockedBalance; job: JobRecord; delivered?: number | null },
  end: { state: FinalState; error: string | null },
): Promise<{ after: LockedBalance; job: JobRecord }> {
  const delivered = known.delivered ?? (await countDelivered(tx, job.id))
  const { chargedMicros, entries } = settle(job.reservedMicros, delivered)

  const { id: jobId } = job
  if (job.urls.length > 1) await settleListed(tx, jobId) // lines of a single one share no video
  // A video or a job without a transcript is unpaid work: it counts towards the account's daily allowance. The day is
  // locked after the library, as where rows are recorded.
  const refused = STATUSES_OF_REFUSALS.reduce((sum, status) => sum + job.counts[status], 0)
  const jobs = delivered === 0 ? jobWeight(job) : 0
  if (refused > 0 || jobs > 0) await addFreeCalls(tx, job.accountId, { refused, jobs })
  const finishedAt = balance.now
  const { after, due, starter } = await setFinal(
    tx,
    jobId,
    { ...end, chargedMicros, finishedAt },
    {
      before: balance,
      entries: entries.map((entry) => ({
        entry,
        posting: { reference: `${entry.kind}:${jobId}`, jobId, reason: null },
      })),
    },
  )
  const ended = { ...job, ...end, chargedMicros, finishedAt, isHeld: false }
  signal(tx, 'scriptorium_job', job.id)
  if (due > 0) signal(tx, 'scriptorium_delivery', '')
  if (starter?.kind === 'batch') await goOn(tx, starter.id)
  else if (starter !== null && chargedMicros > 0n) await lookAtCap(tx, starter.id, finishedAt)
  return { after, job: ended }
}

/** Has a subscription looked at now where its job used up the month's cap: its owner is told at once. */
async function lookAtCap(tx: Tx, subscriptionId: string, now: Date): Promise<void> {
  const cap = await lockCap(tx, subscriptionId)
  if (cap?.state !== 'active') return
  const spent = await sumSpent(tx, { subscriptionId, month: monthOf(now) })
  if (!isCapUsed({ ...cap, ...spent })) return
  await hastenLook(tx, subscriptionId)
  signal(tx, 'scriptorium_look', '')
}

/** Has a batch order what is next, now that its job is final. */
async function goOn(tx: Tx, batchId: string): Promise<void> {
  await hastenBatch(tx, batchId)
  signal(tx, 'scriptorium_batch', '')
}

const STOPPED =
  'The operator of this service cancelled the job; what it delivered is kept and charged.'

/**
 * Stops a job for an operator: cancelled and settled at once, even while a worker has it. Returns false where it is
 * final already, and then does nothing.
 */
export function stopJob(
  db: Db,
  {
    accountId,
    jobId,
    ...word
  }: { accountId: string; jobId: string; actor: string; reason: string },
): Promise<boolean> {
  return transact(db, async (tx) => {
    const balance = await lockBalance(tx, accountId)
    if ((await stopLocked(tx, balance, jobId)) === null) return false
    await insertAct(tx, { act: 'cancel_job', accountId, jobId, ...word })
    return true
  })
}

/**
 * Stops the job within a transaction that has locked the balance. Returns the balance after it, or null where the job
 * is final already. A worker that has the job is not waited for: it records nothing more, since rows are recorded in
 * state `running` only, and is told to stop.
 */
export async function stopLocked(
  tx: Tx,
  balance: LockedBalance,
  jobId: string,
): Promise<LockedBalance | null> {
  const job = await lockJob(tx, jobId)
  if (isFinal(job.state)) return null
  const { after } = await endJob(tx, { balance, job }, { state: 'cancelled', error: STOPPED })
  signal(tx, 'scriptorium_cancel', jobId)
  return after
}

/**
 * Takes jobs back from workers that are gone, so that others claim them: those whose heartbeat did not go on since it
 * was looked at. Returns how many.
 */
export async function takeBackSilent(db: Db, silent: readonly Held[]): Promise<number> {
  let taken = 0
  for (const held of silent) if (await takeBack(db, held)) taken += 1
  return taken
}
