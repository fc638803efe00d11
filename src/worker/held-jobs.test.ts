/** The jobs that a worker holds: which is stopped and why, how many an account may have, and which is parked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt } from '../model/jobs/attempt.ts'
import type { JobState } from '../model/jobs/job.ts'
import { WAITING_MS } from '../model/jobs/parking.ts'
import { type HeldJob, openHeldJobs, type WatchedJob } from './held-jobs.ts'

const PLACES = 4

const attemptAt = (jobId: string, accountId = 'account', number = 1): Attempt => ({
  jobId,
  accountId,
  number,
})

/** Opens a worker's held jobs; a job ends when the test says so. */
function open() {
  let nowMs = 0
  const jobs = openHeldJobs(() => nowMs)
  const ends = new Map<Attempt, () => void>()
  let ended = 0
  return {
    jobs,
    passes: (ms: number) => void (nowMs += ms),
    ended: () => ended,
    start(attempt: Attempt): HeldJob {
      const onEnd = (): void => void (ended += 1)
      jobs.add(attempt, () => new Promise<void>((resolve) => ends.set(attempt, resolve)), onEnd)
      const held = jobs.all.find((each) => each.attempt === attempt)
      assert.ok(held !== undefined)
      return held
    },
    async end({ attempt, done }: HeldJob) {
      ends.get(attempt)?.()
      await done
    },
  }
}

const job = (id: string, state: JobState, more: Partial<WatchedJob> = {}): WatchedJob => ({
  id,
  state,
  attempt: 1,
  isHeld: true,
  ...more,
})

test('one look stops what was cancelled, ended, taken over, taken back or lost, and nothing else', async () => {
  const { jobs, start } = open()
  const ids = ['runs', 'cancelled', 'ended', 'taken over', 'taken back', 'gone']
  const held = ids.map((id) => start(attemptAt(id)))
  const reads: string[][] = []
  await jobs.watch(async (jobIds) => {
    reads.push(jobIds)
    return [
      job('runs', 'running'),
      job('cancelled', 'cancelling'),
      job('ended', 'interrupted', { isHeld: false }),
      job('taken over', 'running', { attempt: 2 }),
      job('taken back', 'running', { isHeld: false }),
    ]
  })
  assert.deepEqual(reads, [ids])
  assert.deepEqual(
    held.map(({ stop }) => stop.kind),
    [null, 'cancelled', 'ended', 'fenced_off', 'fenced_off', 'fenced_off'],
  )
  assert.deepEqual(
    held.map(({ stop }) => stop.signal.aborted),
    [false, true, true, true, true, true],
  )
})

test('a look at one job reads no other', async () => {
  const { jobs, start } = open()
  for (const id of ['a', 'b']) start(attemptAt(id))
  const reads: string[][] = []
  const read = async (jobIds: string[]): Promise<WatchedJob[]> => {
    reads.push(jobIds)
    return jobIds.map((id) => job(id, 'cancelling'))
  }
  await jobs.watch(read, 'elsewhere')
  await jobs.watch(read, 'a')
  assert.deepEqual(reads, [['a']])
})

test('the first reason of a stop stays', () => {
  const { stop } = open().start(attemptAt('a'))
  stop.because('cancelled')
  stop.because('handed_back')
  assert.equal(stop.kind, 'cancelled')
})

test('a job that comes again stops the outdated work on it, whose end changes nothing', async () => {
  const { jobs, start, end, ended } = open()
  const before = start(attemptAt('a'))
  const after = start(attemptAt('a', 'account', 2))
  assert.deepEqual([before.stop.kind, after.stop.kind, jobs.size], ['fenced_off', null, 1])
  await end(before)
  assert.deepEqual([jobs.all, ended()], [[after], 1])
  await end(after)
  assert.deepEqual([jobs.size, ended()], [0, 2])
})

test('an account is full with half of the places, but for those that it is giving up', () => {
  const { jobs, start } = open()
  start(attemptAt('m', 'modest'))
  const [first] = [start(attemptAt('g0', 'greedy')), start(attemptAt('g1', 'greedy'))]
  assert.deepEqual(jobs.fullAccounts(PLACES), ['greedy'])
  first.place.park()
  assert.deepEqual(jobs.fullAccounts(PLACES), [])
})

test('the job that only waits is parked for the next in line, and no other', () => {
  const { jobs, start, passes } = open()
  const held = ['a', 'b', 'c', 'd'].map((name) => start(attemptAt(name, name)))
  passes(WAITING_MS)
  for (const { place } of held.slice(1)) place.committed('delivery')
  const places = { a: 1, b: 1, c: 1, d: 1 }
  assert.equal(jobs.park({ accountId: 'new', isFull: false, places }), held[0])
  assert.deepEqual(
    held.map(({ place }) => place.isParking),
    [true, false, false, false],
  )
  assert.equal(jobs.park({ accountId: 'other', isFull: false, places }), null)
})
