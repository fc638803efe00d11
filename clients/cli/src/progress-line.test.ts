/** The line that shows progress: its appearance, and that it never wraps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { duration, type Progress, progressLine } from './progress-line.ts'

const PROGRESS: Progress = {
  delivered: 123,
  processed: 130,
  expected: 200,
  perSecond: 4.13,
  spent: '$0.984',
}
const accent = (text: string): string => text
const drawn = (progress: Partial<Progress>, columns: number, isUnicode = true): string =>
  progressLine({ ...PROGRESS, ...progress }, { columns, isUnicode, accent })

test('it shows what fits, the least wanted goes first', () => {
  assert.deepEqual(
    [80, 60, 50, 40, 24, 14].map((columns) => drawn({}, columns)),
    [
      '━━━━━━━━━━━━━━━━━━━───────────  123 of 200  4.1/s  17 s left  $0.984',
      '━━━━━━━━━━━━━────────  123 of 200  4.1/s  17 s left  $0.984',
      '━━━━━━━────  123 of 200  4.1/s  17 s left  $0.984',
      '━━━━━━━━━━──────  123 of 200  17 s left',
      '━━━━━━━────  123 of 200',
      '123 of 200',
    ],
  )
})

test('without UTF-8 it is of plain characters, and before the lists are read it has no bar', () => {
  assert.equal(drawn({}, 40, false), '##########......  123 of 200  17 s left')
  assert.equal(drawn({ expected: null, perSecond: null }, 80), '123 so far  $0.984')
})

test('it never fills the last column of a terminal', () => {
  const some = fc.record({
    delivered: fc.nat(100_000),
    processed: fc.nat(100_000),
    expected: fc.option(fc.nat(100_000)),
    perSecond: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
    spent: fc.constantFrom('$0.00', '$123456.789'),
  })
  fc.assert(
    fc.property(
      some,
      fc.integer({ min: 2, max: 300 }),
      fc.boolean(),
      (progress, columns, isUnicode) => {
        assert.ok(drawn(progress, columns, isUnicode).length < columns)
      },
    ),
  )
})

test('times are told in the unit that people would take', () => {
  assert.deepEqual([0.2, 19, 89, 91, 3_600, 5_400, 7_800].map(duration), [
    '1 s',
    '19 s',
    '89 s',
    '2 min',
    '60 min',
    '1 h 30 min',
    '2 h 10 min',
  ])
})
