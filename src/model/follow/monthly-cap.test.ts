/** Months are UTC months. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { monthOf, nextMonthOf } from './subscription.ts'

test('a month begins and ends at midnight UTC', () => {
  assert.equal(monthOf(new Date('2026-02-28T23:59:59.999Z')), '2026-02')
  assert.equal(monthOf(new Date('2026-03-01T01:00:00+02:00')), '2026-02')
  assert.equal(
    nextMonthOf(new Date('2026-12-31T23:59:59Z')).toISOString(),
    '2027-01-01T00:00:00.000Z',
  )
  assert.equal(
    nextMonthOf(new Date('2028-01-31T00:00:00Z')).toISOString(),
    '2028-02-01T00:00:00.000Z',
  )
})

test('the next month is the next one, and begins at its first instant', () => {
  const years = { min: new Date(0), max: new Date(Date.UTC(2200, 0)), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(years), (at) => {
      const next = nextMonthOf(at)
      assert.ok(next > at)
      assert.notEqual(monthOf(next), monthOf(at))
      assert.equal(monthOf(new Date(next.getTime() - 1)), monthOf(at))
    }),
  )
})
