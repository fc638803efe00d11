/** The holds of a worker: the tasks it works on, each with its attempt and the way to stop it. */
import type { Attempt } from '../jobs/attempt.ts'
import { isFinal } from '../jobs/job.ts'
import type { Db } from '../postgres/database.ts'
import { readHolds } from '../store/jobs.ts'
import type { Crowd, Task } from '../postgres/queue.ts'
import { StopReason } from './job-run.ts'
import { startTurn, type Turn } from './turn.ts'
import { chooseYields } from './yields.ts'

export type Hold = {
  task: Task
  stop: AbortController
  turn: Turn
  /** Null until the attempt has begun. */
  attempt: Attempt | null
  done: Promise<void>
}

export class Holds {
  readonly #holds = new Map<string, Hold>()
  readonly #clock: () => number

  /** `clock` counts milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  get size(): number {
    return this.#holds.size
  }

  /** Whose place was given up, but is not free yet. */
  get leaving(): number {
    return this.all.filter(({ turn }) => turn.isWanted).length
  }

  get all(): Hold[] {
    return [...this.#holds.values()]
  }

  /** Holds a task until `work` has ended. Calls `onChange` then, and when the job has had enough. */
  add(task: Task, work: (hold: Hold) => Promise<void>, onChange: () => void): void {
    const turn = startTurn(this.#clock, onChange)
    const hold: Hold = {
      task,
      stop: new AbortController(),
      turn,
      attempt: null,
      done: Promise.resolve(),
    }
    // A task that comes again went silent here (a stalled process): what holds it is outdated.
    this.#holds.get(task.id)?.stop.abort(new StopReason('fenced_off'))
    this.#holds.set(task.id, hold)
    hold.done = work(hold).finally(() => {
      if (this.#holds.get(task.id) === hold) this.#holds.delete(task.id)
      onChange()
    })
  }

  /** Accounts that hold half of the places already leave the rest to others. */
  fullAccounts(places: number): string[] {
    const counts = new Map<string, number>()
    for (const { task, turn } of this.all) {
      if (!turn.isWanted) counts.set(task.accountId, (counts.get(task.accountId) ?? 0) + 1)
    }
    return [...counts]
      .filter(([, count]) => count >= Math.ceil(places / 2))
      .map(([accountId]) => accountId)
  }

  /** Asks the jobs that others have a better claim than to give up their places; returns them. */
  makeRoom(crowd: Crowd, places: number): Hold[] {
    const holders = this.all.map((hold) => ({
      hold,
      accountId: hold.task.accountId,
      isYielding: hold.turn.isWanted,
      hasHadEnough: hold.turn.hasHadEnough(),
      hasHadPage: hold.turn.hasHadPage(),
      undeliveredMs: hold.turn.undeliveredMs(),
    }))
    const chosen = chooseYields({ ...crowd, holders, full: this.fullAccounts(places) }).map(
      ({ hold }) => hold,
    )
    for (const { turn } of chosen) turn.giveUp()
    return chosen
  }

  /** Stops jobs (or that one) that were cancelled, ended by an operator or taken by another attempt; one statement. */
  async watch(db: Db, onlyJobId: string | null = null): Promise<void> {
    const watched = this.all.filter(
      ({ attempt }) => attempt !== null && (onlyJobId ?? attempt.jobId) === attempt.jobId,
    )
    if (watched.length === 0) return
    const rows = await readHolds(
      db,
      watched.map(({ task }) => task.jobId),
    )
    const states = new Map(rows.map((row) => [row.id, row]))
    for (const { task, attempt, stop } of watched) {
      const row = states.get(task.jobId)
      if (row === undefined || row.attempt !== attempt?.number)
        stop.abort(new StopReason('fenced_off'))
      else if (isFinal(row.state)) stop.abort(new StopReason('ended'))
      else if (row.state === 'cancelling') stop.abort(new StopReason('cancelled'))
    }
  }
}
