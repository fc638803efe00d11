/** A worker's active tasks and how new ones are taken: who is stopped and why, whose slot goes to whom. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobState } from '../model/jobs/job.ts'
import type { Crowd, Task } from '../store/queue.ts'
import { type ActiveTask, openActiveTasks, type WatchedJob } from './active-tasks.ts'
import { takeTasks } from './take-tasks.ts'
import { TURN_MS } from './turn.ts'

const SLOTS = 4

const taskOf = (jobId: string, accountId = 'account', delivery = 0): Task => ({
  id: `task of ${jobId}`,
  delivery,
  jobId,
  accountId,
  isLast: false,
})

/** A worker whose jobs end when the test says so. */
function open() {
  let nowMs = 0
  const tasks = openActiveTasks(() => nowMs)
  const ends = new Map<Task, () => void>()
  let changes = 0
  return {
    tasks,
    passes: (ms: number) => void (nowMs += ms),
    changes: () => changes,
    start(task: Task, attempt = 1): ActiveTask {
      const onChange = (): void => void (changes += 1)
      tasks.add(task, () => new Promise<void>((resolve) => ends.set(task, resolve)), onChange)
      const active = tasks.all.find((each) => each.task === task)
      assert.ok(active !== undefined)
      active.attempt = { jobId: task.jobId, accountId: task.accountId, number: attempt }
      return active
    },
    async end({ task, done }: ActiveTask) {
      ends.get(task)?.()
      await done
    },
  }
}

const job = (id: string, state: JobState, attempt = 1): WatchedJob => ({ id, state, attempt })

test('one look stops what was cancelled, ended, taken over or lost, and nothing else', async () => {
  const { tasks, start } = open()
  const ids = ['runs', 'cancelled', 'ended', 'taken', 'gone']
  const active = ids.map((id) => start(taskOf(id)))
  const reads: string[][] = []
  await tasks.watch(async (jobIds) => {
    reads.push(jobIds)
    return [
      job('runs', 'running'),
      job('cancelled', 'cancelling'),
      job('ended', 'interrupted'),
      job('taken', 'running', 2),
    ]
  })
  assert.deepEqual(reads, [ids])
  assert.deepEqual(
    active.map(({ stop }) => stop.kind),
    [null, 'cancelled', 'ended', 'fenced_off', 'fenced_off'],
  )
  assert.deepEqual(
    active.map(({ stop }) => stop.signal.aborted),
    [false, true, true, true, true],
  )
})

test('a look at one job reads no other, and one that has not begun is not looked at', async () => {
  const { tasks, start } = open()
  start(taskOf('a'))
  const unbegun = start(taskOf('b'))
  unbegun.attempt = null
  const reads: string[][] = []
  const read = async (jobIds: string[]): Promise<WatchedJob[]> => {
    reads.push(jobIds)
    return jobIds.map((id) => job(id, 'cancelling'))
  }
  await tasks.watch(read, 'b')
  await tasks.watch(read, 'elsewhere')
  assert.deepEqual(reads, [])
  await tasks.watch(read, 'a')
  assert.deepEqual([reads, unbegun.stop.kind], [[['a']], null])
})

test('the first reason of a stop stays', () => {
  const { stop } = open().start(taskOf('a'))
  stop.because('cancelled')
  stop.because('handed_back')
  assert.equal(stop.kind, 'cancelled')
})

test('a task that comes again stops the outdated work on it, whose end changes nothing', async () => {
  const { tasks, start, end, changes } = open()
  const before = start(taskOf('a', 'account', 0))
  const after = start(taskOf('a', 'account', 1))
  assert.deepEqual([before.stop.kind, after.stop.kind, tasks.size], ['fenced_off', null, 1])
  await end(before)
  assert.deepEqual([tasks.all, changes()], [[after], 1])
  await end(after)
  assert.deepEqual([tasks.size, changes()], [0, 2])
})

/** A queue in memory: who waits, in this order. */
function queueOf(waiting: Task[], crowd: Crowd = { slots: new Map(), waiting: [] }) {
  const handedBack: Task[] = []
  return {
    handedBack,
    queue: {
      async take(max: number, accountsToSkip: string[]) {
        const taken = waiting
          .filter(({ accountId }) => !accountsToSkip.includes(accountId))
          .slice(0, max)
        for (const task of taken) waiting.splice(waiting.indexOf(task), 1)
        return taken
      },
      crowd: async () => crowd,
      handBack: async (task: Task) => void handedBack.push(task),
    },
  }
}

test('tasks are taken up to the slots, and no account takes more than half of them', async () => {
  const { tasks, start } = open()
  const greedy = Array.from({ length: 5 }, (_, n) => taskOf(`g${n}`, 'greedy'))
  const { queue } = queueOf([...greedy, taskOf('m', 'modest'), taskOf('o', 'other')])
  const none = new AbortController().signal
  await takeTasks({
    queue,
    tasks,
    slots: SLOTS,
    signal: none,
    start,
    onLeaving: () => assert.fail('nobody leaves'),
  })
  assert.deepEqual(
    tasks.all.map(({ task }) => task.jobId),
    ['g0', 'g1', 'm', 'o'],
  )
})

test('a job that had its turn leaves for one that waits, and its slot is lent on at once', async () => {
  const { tasks, start, passes } = open()
  const idle = ['a', 'b', 'c', 'd'].map((name) => start(taskOf(name, name)))
  passes(TURN_MS)
  for (const { turn } of idle.slice(1)) turn.committed('delivery')
  const crowd: Crowd = {
    slots: new Map(idle.map(({ task }) => [task.accountId, 1])),
    waiting: [{ accountId: 'new', slots: 0, isNew: true }],
  }
  const { queue } = queueOf([taskOf('n', 'new')], crowd)
  const left: string[] = []
  const none = new AbortController().signal
  const onLeaving = ({ task }: ActiveTask): void => void left.push(task.jobId)
  await takeTasks({ queue, tasks, slots: SLOTS, signal: none, start, onLeaving })
  assert.deepEqual(left, ['a'])
  assert.deepEqual([tasks.size, tasks.leaving], [SLOTS + 1, 1])
  assert.deepEqual(
    idle.map(({ turn }) => turn.isWanted),
    [true, false, false, false],
  )
})

test('what was taken in the moment of a stop is handed back, and no more is taken', async () => {
  const { tasks, start } = open()
  const stopping = new AbortController()
  const { queue, handedBack } = queueOf([taskOf('a'), taskOf('b')])
  const take = async (max: number, skip: string[]): Promise<Task[]> => {
    stopping.abort()
    return queue.take(max, skip)
  }
  const { signal } = stopping
  const late = { ...queue, take }
  await takeTasks({
    queue: late,
    tasks,
    slots: SLOTS,
    signal,
    start,
    onLeaving: () => assert.fail('nobody leaves'),
  })
  assert.deepEqual([handedBack.map(({ jobId }) => jobId), tasks.size], [['a'], 0])
})

test('it is known that none waits where the last one was taken, and not where an account was left out or slots are full', async () => {
  const take = async (waiting: Task[], slots = SLOTS): Promise<[boolean, number]> => {
    const { tasks, start } = open()
    const { queue } = queueOf(waiting)
    let looks = 0
    const counted = {
      ...queue,
      take: (max: number, skip: string[]) => ((looks += 1), queue.take(max, skip)),
    }
    const none = new AbortController().signal
    const onLeaving = (): void => assert.fail('nobody leaves')
    return [
      await takeTasks({ queue: counted, tasks, slots, signal: none, start, onLeaving }),
      looks,
    ]
  }
  const last = (jobId: string, accountId?: string): Task => ({
    ...taskOf(jobId, accountId),
    isLast: true,
  })
  assert.deepEqual(await take([]), [true, 1])
  assert.deepEqual(await take([taskOf('a'), last('b')]), [true, 2])
  assert.deepEqual(await take([taskOf('a'), taskOf('b'), taskOf('c')]), [false, 3])
  assert.deepEqual(await take([taskOf('a', 'x'), taskOf('b', 'y')], 2), [false, 2])
})
