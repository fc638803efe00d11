/** The active tasks of a worker: what it works on, each with its attempt and the way to stop it. */
import type { Attempt } from '../model/jobs/attempt.ts'
import { isFinal, type JobState } from '../model/jobs/job.ts'
import type { Crowd, Task } from '../store/queue.ts'
import { openStop, type Stop, type StopKind } from '../kit/stop.ts'
import { startTurn, type Turn } from './turn.ts'
import { chooseYields } from './yields.ts'

export type ActiveTask = {
  task: Task
  stop: Stop
  turn: Turn
  /** Null until the attempt has begun. */
  attempt: Attempt | null
  done: Promise<void>
}

/** What the database says of a job. */
export type WatchedJob = { id: string; state: JobState; attempt: number }

export type ActiveTasks = {
  readonly size: number
  /** Whose slot was given up, but is not free yet. */
  readonly leaving: number
  readonly all: ActiveTask[]
  /** Keeps a task until `work` has ended. Calls `onChange` then, and when the job has had enough. */
  add(task: Task, work: (active: ActiveTask) => Promise<void>, onChange: () => void): void
  /** Accounts that hold half of the slots already leave the rest to others. */
  fullAccounts(slots: number): string[]
  /** Asks the jobs that others have a better claim than to give up their slots; returns them. */
  makeRoom(crowd: Crowd, slots: number): ActiveTask[]
  /** Stops jobs (or that one) that were cancelled, ended by an operator or taken by another attempt; one `read`. */
  watch(read: (jobIds: string[]) => Promise<WatchedJob[]>, onlyJobId?: string | null): Promise<void>
}

/** `clock` counts milliseconds. */
export function openActiveTasks(clock: () => number): ActiveTasks {
  const tasks = new Map<string, ActiveTask>()
  const all = (): ActiveTask[] => [...tasks.values()]
  return {
    get size() {
      return tasks.size
    },
    get leaving() {
      return all().filter(({ turn }) => turn.isWanted).length
    },
    get all() {
      return all()
    },
    add(task, work, onChange) {
      const [stop, turn] = [openStop(), startTurn(clock, onChange)]
      const active: ActiveTask = { task, stop, turn, attempt: null, done: Promise.resolve() }
      // A task that comes again went silent here (a stalled process): what works on it is outdated.
      tasks.get(task.id)?.stop.because('fenced_off')
      tasks.set(task.id, active)
      active.done = work(active).finally(() => {
        if (tasks.get(task.id) === active) tasks.delete(task.id)
        onChange()
      })
    },
    fullAccounts: (slots) => fullAccountsOf(all(), slots),
    makeRoom: (crowd, slots) => chooseLeaving(all(), crowd, slots),
    watch: (read, onlyJobId = null) => stopOutdated(all(), read, onlyJobId),
  }
}

function fullAccountsOf(tasks: ActiveTask[], slots: number): string[] {
  const staying = tasks.filter(({ turn }) => !turn.isWanted)
  const byAccount = Map.groupBy(staying, ({ task }) => task.accountId)
  return [...byAccount]
    .filter(([, held]) => held.length >= Math.ceil(slots / 2))
    .map(([accountId]) => accountId)
}

function chooseLeaving(tasks: ActiveTask[], crowd: Crowd, slots: number): ActiveTask[] {
  const holders = tasks.map((active) => ({
    active,
    accountId: active.task.accountId,
    isYielding: active.turn.isWanted,
    hasHadEnough: active.turn.hasHadEnough(),
    hasHadPage: active.turn.hasHadPage(),
    undeliveredMs: active.turn.undeliveredMs(),
  }))
  const full = fullAccountsOf(tasks, slots)
  const chosen = chooseYields({ ...crowd, holders, full }).map(({ active }) => active)
  for (const { turn } of chosen) turn.giveUp()
  return chosen
}

async function stopOutdated(
  tasks: ActiveTask[],
  read: (jobIds: string[]) => Promise<WatchedJob[]>,
  onlyJobId: string | null,
): Promise<void> {
  const watched = tasks.filter(
    ({ attempt }) => attempt !== null && (onlyJobId ?? attempt.jobId) === attempt.jobId,
  )
  if (watched.length === 0) return
  const jobs = await read(watched.map(({ task }) => task.jobId))
  const byId = new Map(jobs.map((job) => [job.id, job]))
  for (const { task, attempt, stop } of watched) {
    const kind = stopFor(byId.get(task.jobId), attempt)
    if (kind !== null) stop.because(kind)
  }
}

/** Null where the attempt is to go on. */
function stopFor(job: WatchedJob | undefined, attempt: Attempt | null): StopKind | null {
  if (job === undefined || job.attempt !== attempt?.number) return 'fenced_off'
  if (isFinal(job.state)) return 'ended'
  return job.state === 'cancelling' ? 'cancelled' : null
}
