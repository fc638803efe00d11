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
 * A caller that has seen `cancelling` will see `cancelled`, even if the last row came in the same moment.
 * A job is settled exactly when it is final; 0003-jobs.sql repeats that as a constraint.
 */
export const FINAL_STATES = ['finished', 'cancelled', 'failed', 'interrupted'] as const
export const JOB_STATES = ['queued', 'running', 'cancelling', ...FINAL_STATES] as const
export const JOB_EVENTS = ['start', 'cancel', 'stop', 'finish', 'fail', 'interrupt'] as const

export type JobState = (typeof JOB_STATES)[number]
export type FinalState = (typeof FINAL_STATES)[number]
export type JobEvent = (typeof JOB_EVENTS)[number]
export type JobEnding = Exclude<JobEvent, 'start' | 'cancel'>

/** The arrows out of each state. Final states are no keys here: an arrow out of one does not compile. */
const ARROWS: Record<Exclude<JobState, FinalState>, Partial<Record<JobEvent, JobState>>> = {
  queued: { start: 'running', cancel: 'cancelled' },
  running: { cancel: 'cancelling', finish: 'finished', fail: 'failed', interrupt: 'interrupted' },
  cancelling: { stop: 'cancelled', finish: 'cancelled', fail: 'cancelled', interrupt: 'cancelled' },
}

/** Returns the state after `event`; null where the job does not accept it, as when a customer cancels meanwhile. */
export function nextState(state: JobState, event: JobEvent): JobState | null {
  return isFinal(state) ? null : (ARROWS[state][event] ?? null)
}

export function isFinal(state: JobState): state is FinalState {
  return !(state in ARROWS)
}

// Job ids: UUIDs of version 7, which sort by the time they were made and fit every id column.

export const JOB_ID_BYTES = 16

/** Returns a job id: 48 bits of milliseconds, then 74 bits of the JOB_ID_BYTES random bytes (RFC 9562, section 5.7). */
export function newJobId(at: Date, random: Buffer): string {
  const bytes = Buffer.from(random)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns what a row says from the day (in UTC) on which its owner deleted its text. */
export function textDeletedByOwner(day: string): { label: string; sentence: string } {
  return {
    label: `Text deleted on ${day}`,
    sentence: `You deleted this text on ${day}. To get it again, order it with another set of URLs; that is charged again.`,
  }
}

type MayLackText = {
  status: string | null
  textDeletedAt: Date | null
  errorMessage: string | null
}

/**
 * Returns since when a delivered row has no text, by its owner's deletion or its job's age, and the sentence that it
 * shows; an owner's deletion has written its own.
 */
export function shownOf(
  { status, textDeletedAt, errorMessage }: MayLackText,
  job: { textsDeletedAt: Date | null },
): { goneAt: Date | null; errorMessage: string | null } {
  if (status !== 'success') return { goneAt: null, errorMessage }
  const { textsDeletedAt: agedAt } = job
  const isAged = textDeletedAt === null && agedAt !== null
  return {
    goneAt: textDeletedAt ?? agedAt,
    errorMessage: isAged ? textsDeleted(agedAt) : errorMessage,
  }
}

/** Returns what a customer reads of a text that was deleted at `deletedAt`; it names the day in UTC. */
export function textsDeleted(deletedAt: Date): string {
  const day = deletedAt.toISOString().slice(0, 'YYYY-MM-DD'.length)
  return `The text was deleted on ${day}, as this service keeps texts for a limited time. To get it again, order it with another set of URLs; that is charged again.`
}
