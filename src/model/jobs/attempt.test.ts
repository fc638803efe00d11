/** A new attempt: how many before it count as lost, how much time is left, and when a job is given up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JobClock, judgeAttempt } from './attempt.ts'

const MINUTE_MS = 60_000
const BUDGET = { lostMax: 5, timeLimitMs: 60 * MINUTE_MS }
const NOW = new Date('2026-11-20T12:00:00Z')
const UNTOUCHED: JobClock = {
  attempt: 7,
  startedAt: new Date(NOW.getTime() - MINUTE_MS),
  isLost: false,
  hasProgress: false,
  lostAttempts: 0,
  suspects: [],
  leftOut: 0,
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

test('a video is left out when two attempts in a row ended over it and without progress, and no sooner', () => {
  const suspects = [{ index: 3, since: 5 }]
  const twice = { isLost: true, lostAttempts: 1, suspects }
  assert.equal(judged(twice).culprit, 3)
  assert.equal(judged({ ...twice, hasProgress: true }).culprit, null)
  assert.equal(judged({ ...twice, lostAttempts: 0 }).culprit, null)
  assert.equal(judged({ ...twice, suspects: [{ index: 3, since: 6 }] }).culprit, null)
  const second = [{ index: 1, since: 6 }, ...suspects]
  assert.equal(judged({ ...twice, suspects: second }).culprit, 3)
})

test('a job that lost its last attempt over a suspect has one more, which tells', () => {
  const lost = { isLost: true, lostAttempts: 4 }
  const { culprit, interruption } = judged({ ...lost, suspects: [{ index: 3, since: 6 }] })
  assert.deepEqual([culprit, interruption], [null, null])
  assert.match(judged(lost).interruption ?? '', /lost 5 times/)
})

test('a culprit explains the attempts that were lost over it, as often as the budget says', () => {
  const found = { isLost: true, lostAttempts: 4, suspects: [{ index: 3, since: 5 }] }
  for (const leftOut of [0, 4])
    assert.deepEqual(
      [judged({ ...found, leftOut }).culprit, judged({ ...found, leftOut }).interruption],
      [3, null],
    )
  assert.equal(judged({ ...found, leftOut: 5 }).culprit, null)
  assert.match(judged({ ...found, leftOut: 5 }).interruption ?? '', /lost 5 times/)
  assert.equal(judged({ isLost: true, hasProgress: true, leftOut: 5 }).interruption, null)
})

test('a job has its time from the first start on, and no more than that by a clock that was set back', () => {
  const startedBefore = (ms: number) => judged({ startedAt: new Date(NOW.getTime() - ms) })
  assert.equal(judged({ startedAt: null }).leftMs, BUDGET.timeLimitMs)
  assert.equal(startedBefore(MINUTE_MS).leftMs, 59 * MINUTE_MS)
  assert.equal(startedBefore(-MINUTE_MS).leftMs, BUDGET.timeLimitMs)
  assert.equal(startedBefore(BUDGET.timeLimitMs).interruption, null)
  assert.match(startedBefore(BUDGET.timeLimitMs + 1).interruption ?? '', /stopped after 60 minutes/)
})
