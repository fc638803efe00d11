/** Takes a job for a worker: the next attempt, or its end where the budget is used up. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { beginFirst, type PlanStart } from '../../store/first-attempt.ts'
import { type JobRecord, setAttempt } from '../../store/jobs.ts'
import { lockJobWithBalance } from '../../store/locked-job.ts'
import { countBlamed } from '../../store/video-rows.ts'
import { type Attempt, type AttemptBudget, judgeAttempt } from '../../model/jobs/attempt.ts'
import { endJob } from './end-job.ts'
import { isFinal, nextState } from '../../model/jobs/job.ts'

/** `isAfterLoss`: the attempt before this one did not hand the job back. `leftMs`: of the job's time, by the database's clock. */
export type BegunAttempt = {
  attempt: Attempt
  job: JobRecord
  isAfterLoss: boolean
  leftMs: number
}

/** `start`: what was read with a first attempt; null for later ones, whose planning reads it. */
export type TakenUp = BegunAttempt & { start: PlanStart | null }

/** The same for a job that a task was taken of: most were never begun before, which takes one statement and no balance. */
export async function takeUpJob(
  db: Db,
  { jobId, accountId, budget }: { jobId: string; accountId: string; budget: AttemptBudget },
): Promise<TakenUp | null> {
  const begun = await beginFirst(db, jobId)
  if (begun === null) {
    const later = await transact(db, (tx) => beginAttempt(tx, { jobId, accountId, budget }))
    return later === null ? null : { ...later, start: null }
  }
  const { job, start } = begun
  const attempt = { jobId, accountId, number: job.attempt }
  return { attempt, job, start, isAfterLoss: false, leftMs: budget.timeLimitMs }
}

/** Null where there is nothing to do: the job is final, or became it here. Safe to repeat. */
export async function beginAttempt(
  tx: Tx,
  { jobId, accountId, budget }: { jobId: string; accountId: string; budget: AttemptBudget },
): Promise<BegunAttempt | null> {
  const locked = await lockJobWithBalance(tx, { accountId, jobId })
  const { balance, job } = locked
  if (isFinal(job.state)) return null

  const { lostAttempts, leftMs, interruption } = judgeAttempt(
    { ...job, blamedVideos: job.isHeld ? await countBlamed(tx, jobId) : 0 },
    budget,
    balance.now,
  )
  const stop = job.state === 'cancelling' ? 'stop' : interruption === null ? null : 'interrupt'
  if (stop !== null) {
    const running = nextState(job.state, 'start') ?? job.state // a queued job has its time used up too
    const state = nextState(running, stop)
    if (state === null || !isFinal(state)) return null
    await endJob(tx, locked, { state, error: stop === 'stop' ? null : interruption })
    return null
  }
  const state = nextState(job.state, 'start') ?? job.state
  const number = job.attempt + 1
  await setAttempt(tx, jobId, { attempt: number, lostAttempts, state })
  return {
    attempt: { jobId, accountId, number },
    isAfterLoss: job.isHeld,
    leftMs,
    job: {
      ...job,
      attempt: number,
      state,
      lostAttempts,
      isHeld: true,
      hasProgress: false,
      startedAt: job.startedAt ?? balance.now,
    },
  }
}
