/** The measuring of parsers finds a quadratic one: otherwise linear.ts would prove nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tryParser } from './linear.ts'

test('what is quadratic is found, and what only needs much memory is not', () => {
  const shape = { charsMax: 16_384, heads: [''], tails: ['x'], pumps: [' '] }
  const blanksAtTheEnd = / +$/ // tries from each blank on, up to the x
  const slow = { name: 'blanks', read: (text: string) => blanksAtTheEnd.test(text), ...shape }
  const { faults } = tryParser(slow, { isThorough: false })
  assert.match(faults.join(), /for 8 times as much/)
  const copying = { name: 'copies', read: (text: string) => Array.from(text), ...shape }
  assert.deepEqual(tryParser(copying, { isThorough: false }).faults, [])
})
