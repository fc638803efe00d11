/** Money as the wire shows it and as an operator types it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { affordable, cost, dollars, formatUsd, parseUsd, PRICE_MICROS } from './money.ts'

test('money is written as a plain decimal with three to six decimals', () => {
  const cases: [bigint, string][] = [
    [0n, '0.000'],
    [1n, '0.000001'],
    [10n, '0.00001'],
    [8_000n, '0.008'],
    [999_999n, '0.999999'],
    [1_000_000n, '1.000'],
    [1_234_500n, '1.2345'],
    [4_000_000n, '4.000'],
    [10_100_000n, '10.100'],
    [9_007_199_254_740_993_000_000n, '9007199254740993.000'],
    [-8_000n, '-0.008'],
    [-1_234_567n, '-1.234567'],
  ]
  for (const [micros, text] of cases) assert.equal(formatUsd(micros), text)
})

test('sentences have dollars and cents, and further decimals only where they are not zero', () => {
  const cases: [bigint, string][] = [
    [0n, '$0.00'],
    [8_000n, '$0.008'],
    [1_234_500n, '$1.2345'],
    [1n, '$0.000001'],
    [4_000_000n, '$4.00'],
    [100_000_000_000n, '$100,000.00'],
    [-1_500_000n, '-$1.50'],
  ]
  for (const [micros, text] of cases) assert.equal(dollars(micros), text)
})

test('an amount typed by the operator is read exactly or refused', () => {
  const cases: [string, bigint | null][] = [
    ['0', 0n],
    ['10', 10_000_000n],
    ['0.008', 8_000n],
    ['5.5', 5_500_000n],
    ['0.000001', 1n],
    ['999999999.999999', 999_999_999_999_999n],
    ...['', ' 5', '5 ', '+5', '-5', '05', '5.', '.5', '1e3', '1,000', '$5', '5 USD', '0x10'].map(
      (text): [string, null] => [text, null],
    ),
    ['0.0000001', null],
    ['1000000000', null],
    ['٥', null],
    ['Infinity', null],
    ['5\n', null],
  ]
  for (const [text, micros] of cases) assert.equal(parseUsd(text), micros, JSON.stringify(text))
})

test('what is written can be read again, to the micro', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (micros) => {
      assert.match(formatUsd(micros), /^(0|[1-9]\d*)\.\d{3,6}$/)
      assert.equal(parseUsd(formatUsd(micros)), micros)
    }),
  )
})

test('a transcript costs 0.008 USD, and a balance affords what it pays for in full', () => {
  assert.equal(formatUsd(cost(1)), '0.008')
  assert.equal(formatUsd(cost(500)), '4.000')
  assert.equal(cost(0), 0n)
  assert.throws(() => cost(-1))
  assert.throws(() => cost(0.5))
  assert.equal(affordable(7_999n), 0)
  assert.equal(affordable(8_000n), 1)
  assert.equal(affordable(-8_000n), 0)
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (micros) => {
      const rest = micros - cost(affordable(micros))
      assert(rest >= 0n && rest < PRICE_MICROS)
    }),
  )
})
