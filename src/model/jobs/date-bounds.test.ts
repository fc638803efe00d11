/** Date bounds: the dates that a job takes up, and those that it is refused for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  boundsOf,
  type DateBounds,
  exactly,
  isBounded,
  isPastBounds,
  judgeDate,
  type KnownDate,
  NO_BOUNDS,
  readDates,
} from './date-bounds.ts'

function bounds(publishedAfter: string | null, publishedBefore: string | null): DateBounds {
  const reading = readDates({ publishedAfter, publishedBefore })
  assert(reading.kind === 'dates', JSON.stringify(reading))
  const { afterAt: _, beforeAt: __, ...sent } = reading.dates
  assert.deepEqual(sent, { publishedAfter, publishedBefore })
  return boundsOf(reading.dates)
}

test('a bound is a whole day, as long as it is one anywhere, or an instant, in UTC where it names no offset', () => {
  const cases: [string, string, string][] = [
    ['2026-03-01', '2026-02-28T10:00:00.000Z', '2026-03-02T11:59:59.999Z'],
    ['2024-02-29', '2024-02-28T10:00:00.000Z', '2024-03-01T11:59:59.999Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z', '0001-01-02T11:59:59.999Z'],
    ['9999-12-31', '9999-12-30T10:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    ['2026-03-01T10:20', '2026-03-01T10:20:00.000Z', '2026-03-01T10:20:00.000Z'],
    ['2026-03-01T10:20:30', '2026-03-01T10:20:30.000Z', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01T10:20:30.5Z', '2026-03-01T10:20:30.500Z', '2026-03-01T10:20:30.500Z'],
    ['2026-03-01t10:20:30.1239z', '2026-03-01T10:20:30.123Z', '2026-03-01T10:20:30.123Z'],
    ['2026-03-01T00:00:00+02:00', '2026-02-28T22:00:00.000Z', '2026-02-28T22:00:00.000Z'],
    ['2026-03-01T23:30:00-0730', '2026-03-02T07:00:00.000Z', '2026-03-02T07:00:00.000Z'],
  ]
  for (const [text, first, last] of cases) {
    const { afterAt, beforeAt } = bounds(text, text)
    assert.deepEqual([afterAt?.toISOString(), beforeAt?.toISOString()], [first, last], text)
  }
  assert.deepEqual(bounds(null, null), NO_BOUNDS)
  assert(!isBounded(NO_BOUNDS))
  assert(isBounded(bounds('2026-03-01', null)) && isBounded(bounds(null, '2026-03-01')))
})

test('an impossible or malformed date is refused with the name of its field', () => {
  const wrong = [
    ['', ' ', 'yesterday', '2026', '2026-03', '2026-3-1', '20260301', '03/01/2026', '1700000000'],
    ['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-01-00', '2026-03-01Z'],
    ['2026-03-01T24:00', '2026-03-01T10:60', '2026-03-01T10:00:60Z', '2026-03-01T10'],
    ['2026-03-01T10:00+24:00', '2026-03-01T10:00+02:60', '2026-03-01T10:00+2'],
    ['2026-02-30T10:00Z', '2026-03-01T10:00Z ', '2026-03-01 10:00', ' 2026-03-01'],
    ['2026-03-01\n', '+2026-03-01'],
  ].flat()
  for (const text of wrong) {
    const after = readDates({ publishedAfter: text, publishedBefore: null })
    assert(after.kind === 'rejected' && after.field === 'publishedAfter', text)
    assert.match(after.sentence, /publishedAfter/)
    const before = readDates({ publishedAfter: null, publishedBefore: text })
    assert(before.kind === 'rejected' && before.field === 'publishedBefore', text)
    assert.match(before.sentence, /publishedBefore/)
  }
})

test('after later than before is refused, the same day or instant is not', () => {
  const reading = readDates({ publishedAfter: '2026-03-02', publishedBefore: '2026-03-01' })
  assert(reading.kind === 'rejected' && /publishedBefore/.test(reading.sentence))
  bounds('2026-03-01', '2026-03-01')
  bounds('2026-03-01T12:00Z', '2026-03-01')
  bounds('2026-03-01T12:00+01:00', '2026-03-01T11:00Z')
})

test('both ends are inclusive, and only an exact date lets a video in', () => {
  const march = bounds('2026-03-01', '2026-03-31')
  const between = (from: string, until: string): KnownDate => ({
    kind: 'between',
    fromAt: new Date(from),
    untilAt: new Date(until),
  })
  const cases: [KnownDate, string][] = [
    [exactly('2026-03-01T00:00:00Z'), 'inside'],
    [exactly('2026-02-28T23:59:59Z'), 'outside'],
    [exactly('2026-03-31T23:59:59Z'), 'inside'],
    [exactly('2026-03-31T23:59:59.999Z'), 'inside'],
    [exactly('2026-04-01T00:00:00Z'), 'outside'],
    [exactly('2026-04-01T01:00:00+02:00'), 'outside'],
    [exactly('2026-02-28T16:00:00-08:00'), 'outside'],
    [exactly('2026-03-31T23:59:59-07:00'), 'inside'],
    [exactly('2026-03-01T00:00:00+14:00'), 'inside'],
    [exactly('2026-03-10'), 'inside'],
    [exactly(null), 'undated'],
    [exactly('soon'), 'undated'],
    [{ kind: 'unasked' }, 'undecided'],
    [between('2026-03-05', '2026-03-06'), 'undecided'],
    [between('2026-02-05', '2026-03-01'), 'undecided'],
    [between('2026-02-05', '2026-02-28T09:59:59Z'), 'outside'],
    [between('2026-03-31T23:59:59Z', '2026-05-01'), 'undecided'],
    [between('2026-04-01T12:00:00Z', '2026-05-01'), 'outside'],
  ]
  for (const [date, verdict] of cases) {
    assert.equal(judgeDate(march, date), verdict, JSON.stringify(date))
    assert.equal(judgeDate(NO_BOUNDS, date), 'inside')
  }
})

test('a newest-first list ends only after a page that is older than the bounds throughout', () => {
  const march = bounds('2026-03-01', null)
  const old = exactly('2026-02-01T00:00:00Z')
  const untilAt = new Date('2026-02-27')
  const coarse: KnownDate = { kind: 'between', fromAt: new Date(0), untilAt }
  assert(isPastBounds(march, [old, coarse]))
  assert(!isPastBounds(march, [old, exactly('2026-03-01T00:00:00Z')]))
  assert(!isPastBounds(march, [old, { kind: 'unasked' }]))
  assert(!isPastBounds(march, [old, { kind: 'undated' }]))
  assert(!isPastBounds(march, [{ ...coarse, untilAt: new Date('2026-03-01') }]))
  assert(!isPastBounds(march, []))
  assert(!isPastBounds(bounds(null, '2026-03-01'), [old]))
})

test('every instant that exists is read as itself, however it is written', () => {
  const instant = fc.date({
    min: new Date('0001-01-02'),
    max: new Date('9999-12-30'),
    noInvalidDate: true,
  })
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 })
  fc.assert(
    fc.property(instant, offset, (at, minutes) => {
      const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1)
      const size = Math.abs(minutes)
      const hh = String(Math.floor(size / 60)).padStart(2, '0')
      const mm = String(size % 60).padStart(2, '0')
      const text = `${local}${minutes < 0 ? '-' : '+'}${hh}:${mm}`
      assert.deepEqual(bounds(text, text), { ...NO_BOUNDS, afterAt: at, beforeAt: at })
    }),
  )
})
