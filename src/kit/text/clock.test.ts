/** Clocks of places in a video. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { captionClock, clock, clockWithHours } from './clock.ts'

const PLACES: [ms: number, clock: string, withHours: string, caption: string][] = [
  [0, '0:00', '0:00:00', '00:00:00.000'],
  [59_999, '0:59', '0:00:59', '00:00:59.999'],
  [247_040, '4:07', '0:04:07', '00:04:07.040'],
  [3_753_000, '1:02:33', '1:02:33', '01:02:33.000'],
  [360_000_001, '100:00:00', '100:00:00', '100:00:00.001'],
]

test('a place in a video is a clock, for people, for citations and for players', () => {
  for (const [ms, short, withHours, caption] of PLACES) {
    assert.equal(clock(ms), short)
    assert.equal(clockWithHours(ms), withHours)
    assert.equal(captionClock(ms, '.'), caption)
    assert.equal(captionClock(ms, ','), caption.replace('.', ','))
  }
})
