/** Takes waiting tasks while the worker has slots, and makes room for those that have a better claim. */
import type { Queue, Task } from '../store/queue.ts'
import type { ActiveTask, ActiveTasks } from './active-tasks.ts'

/** Part of a worker's slots that are lent on before those who gave them up are out. */
const LENT_SHARE = 0.25
/** Waiting tasks looked at to see who is to give up a place. */
const CROWD_LOOKED_AT = 8

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

/**
 * As long as there are tasks and slots for them. True where none is left waiting, for a slot or for its account's
 * turn: then only a new task gives reason to look again.
 */
export async function takeTasks(taking: Taking): Promise<boolean> {
  const { signal } = taking
  do {
    while (freeSlots(taking) > 0 && !signal.aborted) {
      const taken = await takeOne(taking)
      if (taken !== 'of several') return taken === 'last'
    }
  } while (!signal.aborted && (await makeRoom(taking)))
  return false
}

/** `last`: none waits any more. `none`: those that wait may not be taken. */
async function takeOne(taking: Taking): Promise<'of several' | 'last' | 'none'> {
  const { queue, tasks, slots, signal, start } = taking
  const toSkip = tasks.fullAccounts(slots)
  const [task] = await queue.take(1, toSkip)
  const isEveryone = toSkip.length === 0
  if (task === undefined) return isEveryone ? 'last' : 'none'
  if (signal.aborted) await queue.handBack(task)
  else start(task)
  return task.isLast && isEveryone ? 'last' : 'of several'
}

/** A slot that is being given up is lent on at once, so that nobody waits for the last word in it. */
function freeSlots({ tasks, slots }: Taking): number {
  const lent = Math.min(tasks.leaving, Math.ceil(slots * LENT_SHARE))
  return slots + lent - tasks.size
}

/** True where a slot came free for those who wait. */
async function makeRoom(taking: Taking): Promise<boolean> {
  const { queue, tasks, slots, onLeaving } = taking
  const crowd = await queue.crowd(CROWD_LOOKED_AT)
  const chosen = crowd.waiting.length === 0 ? [] : tasks.makeRoom(crowd, slots)
  chosen.forEach(onLeaving)
  return chosen.length > 0 && freeSlots(taking) > 0
}
