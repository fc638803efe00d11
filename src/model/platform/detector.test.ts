/** Detectors: evidence only grows with hits, is bounded, and no source alone makes an alarm. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { openDriftWatch } from '../../platform/drift/drift-watch.ts'
import { afterAnswer, ALARM_AT, type Detector, QUIET, SCORE_MAX } from './detector.ts'
import type { ClientReading, Visit } from './visit.ts'

const usual = fc.double({ min: 0, max: 1, noNaN: true })
const run = (answers: readonly boolean[], at: number): Detector =>
  answers.reduce<Detector>(
    (detector, isHit, index) => afterAnswer(detector, { isHit, usual: at, atMs: index }),
    QUIET,
  )

test('evidence stays within its bounds, whatever comes', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), usual, (answers, at) => {
      const { score, share, hits, answers: seen, sinceMs } = run(answers, at)
      assert.ok(score >= 0 && score <= SCORE_MAX && share >= 0 && share <= 1 && hits <= seen)
      assert.equal(sinceMs === null, score === 0)
    }),
  )
})

test('a hit never takes evidence away, another answer never adds any', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), usual, (answers, at) => {
      const before = run(answers, at)
      const step = (isHit: boolean): number =>
        afterAnswer(before, { isHit, usual: at, atMs: 0 }).score
      assert.ok(step(true) >= before.score && step(false) <= before.score)
    }),
  )
})

test('five rare hits among a few others are an alarm, and a hundred good answers its end', () => {
  assert.equal(run([true, true, true, true], 0).isAlarmed, false)
  assert.equal(run([true, true, false, true, true, true], 0).isAlarmed, true)
  const after = run([...Array<boolean>(20).fill(true), ...Array<boolean>(100).fill(false)], 0)
  assert.equal(after.isAlarmed, false)
  assert.ok(run(Array<boolean>(20).fill(true), 0.09).score >= ALARM_AT)
})

const reading = fc.record<ClientReading>({
  client: fc.constantFrom('VISIONOS', 'ANDROID', 'IOS'),
  verdict: fc.constantFrom('delivered', 'no_captions', 'not_available', 'unknown', 'withheld'),
  blame: fc.constantFrom('video', 'client', 'nobody'),
})

const visit = (subject: string): fc.Arbitrary<Visit> =>
  fc.record({
    question: fc.constant('captions' as const),
    route: fc.constantFrom('one', 'two'),
    epoch: fc.nat(3),
    subject: fc.constant(subject),
    channel: fc.constant('a channel'),
    accountId: fc.constantFrom('a', 'b'),
    readings: fc.array(reading, { minLength: 1, maxLength: 3 }),
    delivered: fc.constantFrom(null, 'ANDROID'),
    atMs: fc.nat(3_600_000),
  })

test('one video alone raises no alarm, however often it is asked for and whatever comes', () => {
  fc.assert(
    fc.property(fc.array(visit('one video'), { maxLength: 300 }), (visits) => {
      const watch = openDriftWatch()
      for (const each of visits) assert.deepEqual(watch.note(each), [])
      assert.deepEqual(watch.lines(), [])
    }),
    { numRuns: 50 },
  )
})

test('what is kept is bounded, whatever the platform invents', () => {
  const watch = openDriftWatch()
  for (let n = 0; n < 5_000; n += 1)
    watch.note({
      question: 'captions',
      route: `route-${n}`,
      epoch: n,
      subject: `video ${n}`,
      channel: `channel ${n}`,
      accountId: `account ${n}`,
      readings: [{ client: `CLIENT_${n % 100}`, verdict: `verdict ${n}`, blame: 'nobody' }],
      delivered: null,
      atMs: n,
    })
  assert.ok(watch.shares().length < 10_000, `${watch.shares().length} shares`)
})
