/**
 * A job: one order for the transcripts of the videos behind some sources.
 *
 *     queued ──start──▶ running ──┬── finish ────▶ finished      every video taken up has its row
 *       │                 │       ├── fail ──────▶ failed        a fault of ours
 *       │               cancel    └── interrupt ─▶ interrupted   restarts or time used up
 *       │                 ▼
 *       │             cancelling ─── any ending ─▶ cancelled     the customer asked
 *       └────────────── cancel ──────────────────▶ cancelled     before any attempt
 *
 * An operator's stop goes all the way to `cancelled` in one commit, without waiting for a worker.
 * A lost attempt changes no state: the next one resumes a running job and stops a cancelling one.
 * Who has seen `cancelling` will see `cancelled`, even if the last row came in the same moment.
 * A job is settled exactly when it is final; 0003-jobs.sql repeats that as a constraint.
 */
export const FINAL_STATES = ['finished', 'cancelled', 'failed', 'interrupted'] as const
export const JOB_STATES = ['queued', 'running', 'cancelling', ...FINAL_STATES] as const
export const JOB_EVENTS = ['start', 'cancel', 'stop', 'finish', 'fail', 'interrupt'] as const

export type JobState = (typeof JOB_STATES)[number]
export type FinalState = (typeof FINAL_STATES)[number]
export type JobEvent = (typeof JOB_EVENTS)[number]
export type JobEnding = Exclude<JobEvent, 'start' | 'cancel'>

/** Final states are no keys here: an arrow out of one does not compile. */
const ARROWS: Record<Exclude<JobState, FinalState>, Partial<Record<JobEvent, JobState>>> = {
  queued: { start: 'running', cancel: 'cancelled' },
  running: { cancel: 'cancelling', finish: 'finished', fail: 'failed', interrupt: 'interrupted' },
  cancelling: { stop: 'cancelled', finish: 'cancelled', fail: 'cancelled', interrupt: 'cancelled' },
}

/**
 * The state after `event`, or null where the job does not accept it. Null is ordinary, not a
 * fault: tasks are delivered at least once, and customers cancel while we work.
 */
export function nextState(state: JobState, event: JobEvent): JobState | null {
  return isFinal(state) ? null : (ARROWS[state][event] ?? null)
}

export function isFinal(state: JobState): state is FinalState {
  return !(state in ARROWS)
}
