/** How often a list is looked at, and how looks are spread. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { failureMs, FINDS_MAX, INTERVAL_MS, lookIntervalMs, spreadMs } from './look-schedule.ts'

const HOUR = 3_600_000
const at = (hours: number): Date => new Date(Date.UTC(2026, 0, 1) + hours * HOUR)

test('a source is looked at six times between two uploads, every hour to every day', () => {
  const every = (gap: number): Date[] => Array.from({ length: FINDS_MAX }, (_, n) => at(n * gap))
  const hoursFor = (gap: number, quiet = gap): number => {
    const now = at((FINDS_MAX - 1) * gap + quiet)
    return lookIntervalMs({ everyHours: null, foundAt: every(gap), since: at(0), now }) / HOUR
  }
  assert.deepEqual(
    [1, 6, 12, 24, 48, 144, 1000].map((gap) => hoursFor(gap)),
    [1, 1, 2, 4, 8, 24, 24],
  )
  assert.equal(hoursFor(12, 24 * 60), 24, 'a source that fell silent')
})

test('what its owner says is how often it is looked at', () => {
  const ms = lookIntervalMs({ everyHours: 36, foundAt: [], since: at(0), now: at(1) })
  assert.equal(ms / HOUR, 36)
})

test('a new subscription begins with every hour and slows down until something comes', () => {
  const hours = [0, 3, 12, 24, 72, 144, 500].map(
    (now) => lookIntervalMs({ everyHours: null, foundAt: [], since: at(0), now: at(now) }) / HOUR,
  )
  assert.deepEqual(hours, [1, 1, 2, 4, 12, 24, 24])
})

test('whatever was found and whatever the clock says, an interval is between an hour and a day', () => {
  fc.assert(
    fc.property(
      fc.array(fc.date({ noInvalidDate: true }), { maxLength: 10 }),
      fc.date({ noInvalidDate: true }),
      fc.date({ noInvalidDate: true }),
      (foundAt, since, now) => {
        const ms = lookIntervalMs({ everyHours: null, foundAt, since, now })
        assert.ok(ms >= INTERVAL_MS.min && ms <= INTERVAL_MS.max)
      },
    ),
  )
})

test('looks that were made together are spread over a fifth of their interval', () => {
  const moved = Array.from(
    { length: 2_000 },
    (_, n) => spreadMs(1_000_000, `sub_${n} 7`) / 1_000_000,
  )
  assert.ok(Math.min(...moved) >= 0.9 && Math.max(...moved) <= 1.1)
  for (let from = 0.9; from < 1.09; from += 0.02) {
    const share = moved.filter((one) => one >= from && one < from + 0.02).length / moved.length
    assert.ok(share > 0.06 && share < 0.14, `${share} of them from ${from}`)
  }
  assert.equal(spreadMs(1_000, 'same'), spreadMs(1_000, 'same'))
})

test('after failures a look waits longer, and never longer than three hours', () => {
  const minutes = [1, 2, 3, 6, 7, 1_000].map((failures) => failureMs(failures) / 60_000)
  assert.deepEqual(minutes, [5, 10, 20, 160, 180, 180])
})
