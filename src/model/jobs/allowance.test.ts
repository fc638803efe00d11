/** The arithmetic of what is free. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsOfDay, jobsOfDay, jobWeight } from './allowance.ts'

const TERMS = { callsPerDay: 500, callsPerUsd: 250 }

test('an account has a base, a part for each dollar it ever brought, and some for each transcript of the day', () => {
  const rows: [bigint, number, number][] = [
    [0n, 0, 500],
    [400_000n, 0, 600],
    [10_000_000n, 0, 3_000],
    [10_000_000n, 500, 4_500],
    [-5n, 0, 500],
    [10n ** 18n, 0, 2_000_000_000],
  ]
  for (const [broughtMicros, delivered, calls] of rows) {
    assert.equal(callsOfDay(TERMS, { broughtMicros, delivered }), calls)
  }
})

test('both settings may be zero', () => {
  assert.equal(
    callsOfDay({ callsPerDay: 0, callsPerUsd: 0 }, { broughtMicros: 10_000_000n, delivered: 0 }),
    0,
  )
})

test('as many jobs as calls may end without a transcript, and some where no call is allowed', () => {
  assert.deepEqual([0, 99, 100, 600].map(jobsOfDay), [100, 100, 100, 600])
})

test('a job counts as one more for each 4 KB of its lines, which are eighty addresses, and each 100 videos', () => {
  const fifty = Array<string>(50).fill('https://www.youtube.com/watch?v=dQw4w9WgXcQ')
  assert.equal(jobWeight({ urls: fifty, slotsUsed: 99 }), 1)
  assert.equal(jobWeight({ urls: ['é'.repeat(2_048)], slotsUsed: 0 }), 2)
  assert.equal(jobWeight({ urls: Array<string>(50).fill('y'.repeat(1_300)), slotsUsed: 500 }), 21)
})
