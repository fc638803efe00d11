/**
 * An attempt: one worker's numbered hold on a job. Every write of a worker names its number, and a
 * newer attempt makes an older one harmless: a worker that was declared dead and wakes up changes
 * nothing.
 */
export type Attempt = { jobId: string; accountId: string; number: number }

export type AttemptBudget = {
  /** Attempts that may be lost (crashed workers) before the job is interrupted. */
  lostMax: number
  /** From the first start to the interruption, in milliseconds. */
  timeLimitMs: number
}

export type JobClock = { startedAt: Date | null; isHeld: boolean; lostAttempts: number }

/** What a new attempt finds: go on, or the sentence with which the job is interrupted. */
export function judgeAttempt(
  job: JobClock,
  budget: AttemptBudget,
  now: Date,
): { lostAttempts: number; interruption: string | null } {
  // A job still held was not handed back: the worker that held it is gone.
  const lostAttempts = job.lostAttempts + (job.isHeld ? 1 : 0)
  if (lostAttempts >= budget.lostMax) {
    return { lostAttempts, interruption: attemptsUsedUp(lostAttempts) }
  }
  const age = job.startedAt === null ? 0 : now.getTime() - job.startedAt.getTime()
  return {
    lostAttempts,
    interruption: age > budget.timeLimitMs ? timeUsedUp(budget.timeLimitMs) : null,
  }
}

export function timeUsedUp(timeLimitMs: number): string {
  const minutes = Math.max(1, Math.round(timeLimitMs / 60_000))
  return (
    `The job was stopped after ${minutes} minutes, the longest a job may take; what it delivered is kept and charged. ` +
    'Send the same URLs again to continue.'
  )
}

function attemptsUsedUp(lost: number): string {
  const times = lost === 1 ? 'once' : `${lost} times`
  return (
    `The job was lost ${times} by the server and stopped; what it delivered is kept and charged. ` +
    'Send the same URLs again to continue.'
  )
}
