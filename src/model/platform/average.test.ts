/** An average: alarmed by what is far from usual, and never by what so few answers leave open. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { afterAnswer, type Average, LEARNT_MIN, type Usual, usualOf } from './drift-line.ts'

const RARE: Usual = { share: 0, alarmAt: 0.14 }
const run = (answers: readonly boolean[], usual: Usual): Average =>
  answers.reduce<Average>(
    (before, isHit, atMs) => afterAnswer(before, { isHit, usual, atMs, weight: 1 }),
    { share: usual.share, sinceMs: null, isAlarmed: false },
  )

test('an average stays between its bounds, and an alarm says since when', () => {
  const seen = fc.record({
    answers: fc.nat(5_000),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(fc.boolean()), seen, (answers, past) => {
      const hits = Math.floor(past.part * past.answers)
      const usual = usualOf({ answers: past.answers, hits, isOfVideos: false })
      assert.ok(usual !== null)
      const { share, sinceMs, isAlarmed } = run(answers, usual)
      assert.ok(share >= 0 && share <= 1)
      assert.ok(!isAlarmed || sinceMs !== null)
    }),
  )
})

test('five rare hits in a row are an alarm, and a hundred good answers its end', () => {
  const hits = (count: number) => Array<boolean>(count).fill(true)
  const good = (count: number) => Array<boolean>(count).fill(false)
  assert.equal(run(hits(4), RARE).isAlarmed, false)
  assert.equal(run(hits(5), RARE).isAlarmed, true)
  assert.equal(run([...hits(20), ...good(20)], RARE).isAlarmed, true)
  assert.equal(run([...hits(20), ...good(100)], RARE).isAlarmed, false)
})

const ofVideos = (answers: number, hits: number) => usualOf({ answers, hits, isOfVideos: true })

test('a share that chance made small is not held against what comes later', () => {
  const [few, many] = [ofVideos(300, 18), ofVideos(30_000, 1_800)]
  assert.ok(few !== null && many !== null && few.alarmAt > many.alarmAt)
  for (const { share } of [few, many]) assert.ok(share > 0.055 && share < 0.065)
})

test('before enough sources were seen nothing is usual of videos', () => {
  assert.equal(ofVideos(LEARNT_MIN - 1, 20), null)
  assert.ok(usualOf({ answers: 0, hits: 0, isOfVideos: false }) !== null)
})
