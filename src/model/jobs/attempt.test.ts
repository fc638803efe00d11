/** What a new attempt finds: how many before it count as lost, how much time is left, and when a job is given up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JobClock, judgeAttempt } from './attempt.ts'

const MINUTE_MS = 60_000
const BUDGET = { lostMax: 5, timeLimitMs: 60 * MINUTE_MS }
const NOW = new Date('2026-11-20T12:00:00Z')
const UNTOUCHED: JobClock = {
  startedAt: new Date(NOW.getTime() - MINUTE_MS),
  isLost: false,
  hasProgress: false,
  lostAttempts: 0,
  blamedVideos: 0,
}

const judged = (part: Partial<JobClock>) => judgeAttempt({ ...UNTOUCHED, ...part }, BUDGET, NOW)

test('an attempt that is still held was lost; one that was handed back costs nothing', () => {
  const cases: [Partial<JobClock>, number][] = [
    [{}, 0],
    [{ lostAttempts: 3 }, 3],
    [{ isLost: true }, 1],
    [{ isLost: true, lostAttempts: 3 }, 4],
  ]
  for (const [part, lost] of cases)
    assert.deepEqual(
      [judged(part).lostAttempts, judged(part).interruption],
      [lost, null],
      JSON.stringify(part),
    )
})

test('progress forgives every lost attempt, also of a job that was lost again', () => {
  for (const isLost of [false, true])
    for (const lostAttempts of [0, 1, 4, 5, 6]) {
      const { lostAttempts: left, interruption } = judged({
        isLost,
        lostAttempts,
        hasProgress: true,
      })
      assert.deepEqual([left, interruption], [0, null], `${lostAttempts} lost, held: ${isLost}`)
    }
})

test('the fifth lost attempt without progress ends the job with a sentence', () => {
  assert.equal(judged({ isLost: true, lostAttempts: 3 }).interruption, null)
  assert.match(
    judged({ isLost: true, lostAttempts: 4 }).interruption ?? '',
    /^The job was lost 5 times/,
  )
  assert.equal(judged({ lostAttempts: 5 }).lostAttempts, 5)
  assert.notEqual(judged({ lostAttempts: 5 }).interruption, null)
})

test('videos that were left out over lost attempts use up the budget, and progress does not give them back', () => {
  for (const hasProgress of [false, true]) {
    assert.equal(judged({ blamedVideos: 4, hasProgress }).interruption, null)
    assert.match(judged({ blamedVideos: 5, hasProgress }).interruption ?? '', /lost 5 times/)
  }
  assert.equal(judged({ blamedVideos: 2, lostAttempts: 2 }).interruption, null)
  assert.match(
    judged({ blamedVideos: 2, lostAttempts: 2, isLost: true }).interruption ?? '',
    /lost 5 times/,
  )
})

test('a job has its time from the first start on, and no more than that by a clock that was set back', () => {
  const startedBefore = (ms: number) => judged({ startedAt: new Date(NOW.getTime() - ms) })
  assert.equal(judged({ startedAt: null }).leftMs, BUDGET.timeLimitMs)
  assert.equal(startedBefore(MINUTE_MS).leftMs, 59 * MINUTE_MS)
  assert.equal(startedBefore(-MINUTE_MS).leftMs, BUDGET.timeLimitMs)
  assert.equal(startedBefore(BUDGET.timeLimitMs).interruption, null)
  assert.match(startedBefore(BUDGET.timeLimitMs + 1).interruption ?? '', /stopped after 60 minutes/)
})
