/** Videos and lost attempts, simulated: machines that are taken away blame no video, and a poison pill stops alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type JobClock, judgeAttempt, type Suspect } from './attempt.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const BUDGET = { lostMax: 2, timeLimitMs: 3_600_000 }
/** Attempts that a poison pill may end: one that marks nothing, one that finds it in passing, and two that convict. */
const DEATHS_MAX = 4

/** How an attempt was lost: whether it had got on, and the row that it was reading. */
type Loss = { hasProgress: boolean; reading: number | null }

/** A job as the tables keep it from one attempt to the next. */
type Kept = JobClock & { suspects: readonly Suspect[] }

const NEW: Kept = {
  attempt: 1,
  startedAt: NOW,
  isLost: false,
  hasProgress: false,
  lostAttempts: 0,
  suspects: [],
  leftOut: 0,
}

/** Returns the job as the next attempt finds it, when this one has begun and was lost. */
function afterLoss(job: Kept, { hasProgress, reading }: Loss): Kept {
  const { lostAttempts } = judgeAttempt(job, BUDGET, NOW)
  const since = job.suspects.find(({ index }) => index === reading)?.since ?? job.attempt
  const suspects = reading === null ? [] : [{ index: reading, since }]
  return { ...job, attempt: job.attempt + 1, isLost: true, hasProgress, lostAttempts, suspects }
}

const row = fc.integer({ min: 1, max: 4 })
const lossWith = (hasProgress: fc.Arbitrary<boolean>): fc.Arbitrary<Loss> =>
  fc.record({ hasProgress, reading: fc.option(row) })

test('no sequence of lost attempts that all got on blames a video or ends the job', () => {
  fc.assert(
    fc.property(fc.array(lossWith(fc.constant(true)), { maxLength: 30 }), (losses) => {
      let job = NEW
      for (const loss of losses) {
        job = afterLoss(job, loss)
        const { culprit, interruption } = judgeAttempt(job, BUDGET, NOW)
        assert.deepEqual([culprit, interruption], [null, null])
      }
    }),
  )
})

test('exactly a video that two attempts in a row were reading when they were lost without progress is left out', () => {
  fc.assert(
    fc.property(fc.array(lossWith(fc.boolean()), { maxLength: 30 }), (losses) => {
      let job = NEW
      let last: Loss = { hasProgress: true, reading: null }
      for (const loss of losses) {
        job = afterLoss(job, loss)
        const isTwice = !last.hasProgress && !loss.hasProgress && last.reading === loss.reading
        assert.equal(judgeAttempt(job, BUDGET, NOW).culprit, isTwice ? loss.reading : null)
        last = loss
      }
    }),
  )
})

/** Whether a machine is taken away in an attempt, after how many rows, and the order in which it reads the others. */
type Day = { isTakenAway: boolean; rowsRead: number; orderBy: number }

test('a poison pill is left out after a few deaths, also where machines are taken away meanwhile; the rest is read', () => {
  const day = fc.record({
    isTakenAway: fc.boolean(),
    rowsRead: fc.integer({ min: 1, max: 20 }),
    orderBy: fc.nat(),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(day, { maxLength: 12 }), (pill, days) => {
      const left = new Set(Array.from({ length: 40 }, (_, at) => at + 1))
      let job = NEW
      let [deaths, takenAway, leftOut] = [0, 0, 0]
      for (let at = 0; left.size > 0; at += 1) {
        const { culprit, interruption } = judgeAttempt(job, BUDGET, NOW)
        assert.equal(interruption, null)
        if (culprit !== null) {
          assert.equal(culprit, pill)
          left.delete(culprit)
          leftOut += 1
        }
        const loss = attemptOf(job, { left, pill, day: days[at] ?? null })
        if (loss === null) break
        if (loss.reading === pill) deaths += 1
        else takenAway += 1
        job = afterLoss(job, loss)
      }
      assert.deepEqual([left.size, leftOut], [0, 1])
      assert.ok(deaths <= DEATHS_MAX * (1 + takenAway), `${deaths} deaths, ${takenAway} taken away`)
    }),
  )
})

/**
 * Reads rows as an attempt does, the suspects first, and takes them off `left`. Returns how it was lost, or null where
 * nothing is left. The first attempt marks no row.
 */
function attemptOf(
  job: Kept,
  { left, pill, day }: { left: Set<number>; pill: number; day: Day | null },
): Loss | null {
  const suspects = job.suspects.map(({ index }) => index).filter((index) => left.has(index))
  const others = [...left].filter((index) => !suspects.includes(index))
  const from = (day?.orderBy ?? 0) % Math.max(1, others.length)
  const order = [...suspects, ...others.slice(from), ...others.slice(0, from)]
  const before = left.size
  for (const index of order) {
    const hasProgress = left.size < before
    if (index === pill) return { hasProgress, reading: job.isLost ? index : null }
    if (day?.isTakenAway === true && before - left.size === day.rowsRead)
      return { hasProgress, reading: job.isLost ? index : null }
    left.delete(index)
  }
  return null
}
