/** The ages in lists: every known spelling, and intervals that always hold the true date. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isListDate, readListDate } from './list-date.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000

const TABLE: [string, number, number][] = [
  // Each line has a text, and the youngest and the oldest age in days that it may mean.
  ['just now', 0, 1],
  ['35 minutes ago', 0, 1],
  ['3 hours ago', 0.125, 0.16],
  ['today', 0, 1],
  ['yesterday', 0.1, 1.9],
  ['1 day ago', 1, 1.99],
  ['3 weeks ago', 21, 27.9],
  ['3wk ago', 21, 27.9],
  ['1 month ago', 28, 61],
  ['3mo ago', 85, 123],
  ['8 yr ago', 8 * 365, 9 * 366 - 1],
  ['Streamed 6 months ago', 170, 215],
  ['Streamed live 2 years ago', 730, 1095],
  ['Premiered 2 days ago', 2, 2.99],
  ['Premieres 11/25/26, 3:00 PM', -5.2, -4.8],
  ['Premiered Nov 2, 2026', 17.6, 18.4],
  ['Streamed live on Jan 2, 2026', 321.6, 322.4],
]

test('every spelling of an age stands for the instants it may mean', () => {
  for (const [text, least, most] of TABLE) {
    const interval = readListDate(text, NOW)
    assert.ok(interval !== null, text)
    assert.ok(
      interval.untilAt.getTime() >= NOW.getTime() - Math.max(least, 0) * DAY_MS || least < 0,
      text,
    )
    assert.ok(
      interval.fromAt.getTime() <= NOW.getTime() - most * DAY_MS,
      `${text} may be ${most} days old`,
    )
    const widthDays = (interval.untilAt.getTime() - interval.fromAt.getTime()) / DAY_MS
    assert.ok(widthDays <= (most - least) * 1.3 + 4, `${text}: ${widthDays} days wide`)
  }
})

test('views and other words are no age', () => {
  for (const text of [
    '43k views',
    '1 view',
    'No views',
    'LIVE',
    'Upcoming',
    '',
    '3 fortnights ago',
    'Long ago',
    '12:34',
  ]) {
    assert.equal(isListDate(text), false, text)
  }
})

test('an age that was cut down to whole units always lies within its interval', () => {
  const units: [string, number][] = [
    ['hours', 1 / 24],
    ['days', 1],
    ['weeks', 7],
    ['months', 30.4],
    ['years', 365.25],
  ]
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 4000, noNaN: true }),
      fc.constantFrom(...units),
      (age, [unit, days]) => {
        const count = Math.floor(age / days)
        if (count > 9999) return
        const interval = readListDate(`${count} ${unit} ago`, NOW)
        assert.ok(interval !== null)
        const at = NOW.getTime() - age * DAY_MS
        assert.ok(interval.fromAt.getTime() <= at && at <= interval.untilAt.getTime())
      },
    ),
  )
})
