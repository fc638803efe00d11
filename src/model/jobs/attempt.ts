/**
 * An attempt: one worker's numbered turn at a job. Every write of a worker names its number, and a newer attempt
 * makes an older one harmless: a worker that was declared dead and wakes up changes nothing.
 */
export type Attempt = { jobId: string; accountId: string; number: number }

export type AttemptBudget = {
  /**
   * Number of attempts without progress that may be lost in a row (crashed workers) before the job is interrupted, and
   * of videos that it may leave out since attempts were lost over them.
   */
  lostMax: number
  /** Time from the first start to the interruption, in milliseconds. */
  timeLimitMs: number
}

/**
 * A row whose video was being read when the attempt before was lost. `since` is the first attempt that ended so: a
 * reading that ends, and an attempt that is handed back or lost before it reads the video, clear a row of suspicion.
 */
export type Suspect = { index: number; since: number }

export type JobClock = {
  /** The number of the attempt that begins. */
  attempt: number
  startedAt: Date | null
  isLost: boolean
  hasProgress: boolean
  lostAttempts: number
  suspects: readonly Suspect[]
  /** Videos that were left out before, since attempts were lost over them. */
  leftOut: number
}

/** Lost attempts in a row, all without progress and in the middle of one video, that convict this video. */
const CONVICTING = 2

/**
 * Returns what a new attempt finds. `culprit` is the index of the row that it leaves out, or null; `interruption` is
 * the sentence with which the job ends, or null.
 */
export function judgeAttempt(
  job: JobClock,
  budget: AttemptBudget,
  now: Date,
): { lostAttempts: number; leftMs: number; culprit: number | null; interruption: string | null } {
  // Progress sets the count of lost attempts to 0: machines are taken away now and then. A job that crashes every
  // worker makes no progress, since the first thing that an attempt reads is what the lost one was reading.
  const lostAttempts = job.hasProgress ? 0 : job.lostAttempts + (job.isLost ? 1 : 0)
  const age = job.startedAt === null ? 0 : now.getTime() - job.startedAt.getTime()
  // A clock that was set back gives a job no more than its whole time.
  const leftMs = Math.min(budget.timeLimitMs, budget.timeLimitMs - age)
  const lastAttempt = job.attempt - 1
  const convicted =
    lostAttempts < CONVICTING ? undefined : job.suspects.find(({ since }) => since < lastAttempt)
  const culprit = convicted?.index ?? null
  // A culprit explains the lost attempts, and a job may leave out a few. A suspect is delivered or convicted next.
  const isUsedUp =
    culprit === null
      ? job.suspects.length === 0 && lostAttempts >= budget.lostMax
      : job.leftOut >= budget.lostMax
  if (isUsedUp)
    return { lostAttempts, leftMs, culprit: null, interruption: attemptsUsedUp(lostAttempts) }
  const interruption = leftMs < 0 ? timeUsedUp(budget.timeLimitMs) : null
  return { lostAttempts, leftMs, culprit, interruption }
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

// Which workers are gone: those of jobs whose heartbeat stood still over so many looks in a row. Looks are
// counted, not seconds: while the database was away, a clock was set or this process stood still, there was no
// look, and so no worker is given up for it.

/** A job that a worker holds. */
export type Held = { jobId: string; attempt: number; heartbeat: number }

/** Returns a function that takes all jobs that are held now, once a second, and returns those whose worker is gone. */
export function silenceWatch(looksMax: number): (held: readonly Held[]) => Held[] {
  let seen = new Map<string, Held & { looks: number }>()
  return (held) => {
    const now = held.map((one) => {
      const before = seen.get(one.jobId)
      const isSame = before?.attempt === one.attempt && before.heartbeat === one.heartbeat
      return { ...one, looks: isSame ? before.looks + 1 : 0 }
    })
    seen = new Map(now.map((one) => [one.jobId, one]))
    return now.filter(({ looks }) => looks >= looksMax)
  }
}
