/** Takes waiting tasks while the worker has slots, and makes room for those that have a better claim. */
import { LIMITS } from '../config.ts'
import type { Queue, Task } from '../postgres/queue.ts'
import type { ActiveTask, ActiveTasks } from './active-tasks.ts'

export type Taking = {
  queue: Pick<Queue, 'take' | 'handBack' | 'crowd'>
  tasks: ActiveTasks
  /** Jobs at once. */
  slots: number
  /** Aborted when no more are to be taken. */
  signal: AbortSignal
  start(task: Task): void
  /** A job gives up its slot. */
  onLeaving(active: ActiveTask): void
}

/** As long as there are tasks and slots for them. */
export async function takeTasks(taking: Taking): Promise<void> {
  const { signal } = taking
  do {
    while (freeSlots(taking) > 0 && !signal.aborted) {
      if (!(await takeOne(taking))) return
    }
  } while (!signal.aborted && (await makeRoom(taking)))
}

/** False where none waits that may be taken. */
async function takeOne({ queue, tasks, slots, signal, start }: Taking): Promise<boolean> {
  const [task] = await queue.take(1, tasks.fullAccounts(slots))
  if (task === undefined) return false
  if (signal.aborted) await queue.handBack(task)
  else start(task)
  return true
}

/** A slot that is being given up is lent on at once, so that nobody waits for the last word in it. */
function freeSlots({ tasks, slots }: Taking): number {
  const lent = Math.min(tasks.leaving, Math.ceil(slots * LIMITS.lentShare))
  return slots + lent - tasks.size
}

/** True where a slot came free for those who wait. */
async function makeRoom(taking: Taking): Promise<boolean> {
  const { queue, tasks, slots, onLeaving } = taking
  const crowd = await queue.crowd(LIMITS.crowdLookedAt)
  const chosen = crowd.waiting.length === 0 ? [] : tasks.makeRoom(crowd, slots)
  chosen.forEach(onLeaving)
  return chosen.length > 0 && freeSlots(taking) > 0
}
