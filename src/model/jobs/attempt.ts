/**
 * An attempt: one worker's numbered turn at a job. Every write of a worker names its number, and a
 * newer attempt makes an older one harmless: a worker that was declared dead and wakes up changes
 * nothing.
 */
export type Attempt = { jobId: string; accountId: string; number: number }

export type AttemptBudget = {
  /** Attempts without progress that may be lost (crashed workers) before the job is interrupted. */
  lostMax: number
  /** From the first start to the interruption, in milliseconds. */
  timeLimitMs: number
}

export type JobClock = {
  startedAt: Date | null
  isLost: boolean
  hasProgress: boolean
  lostAttempts: number
  /** Videos that were left out since attempts were lost over them: they use up the budget as well. */
  blamedVideos: number
}

/** What a new attempt finds: go on, or the sentence with which the job is interrupted. */
export function judgeAttempt(
  job: JobClock,
  budget: AttemptBudget,
  now: Date,
): { lostAttempts: number; leftMs: number; interruption: string | null } {
  // Where an attempt got on before its worker was lost, that is the
  // way of machines that are taken away; a job that crashes whoever works on it gets nowhere, or blames videos.
  const lostAttempts = job.hasProgress ? 0 : job.lostAttempts + (job.isLost ? 1 : 0)
  const age = job.startedAt === null ? 0 : now.getTime() - job.startedAt.getTime()
  // A clock that was set back gives a job no more than its whole time.
  const leftMs = Math.min(budget.timeLimitMs, budget.timeLimitMs - age)
  const used = lostAttempts + job.blamedVideos
  if (used >= budget.lostMax) {
    return { lostAttempts, leftMs, interruption: attemptsUsedUp(used) }
  }
  return {
    lostAttempts,
    leftMs,
    interruption: leftMs < 0 ? timeUsedUp(budget.timeLimitMs) : null,
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
