/** No text within its limits takes a parser more than one turn of the event loop, or time out of proportion. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tryParser } from './linear.ts'
import { PARSERS } from './parsers.ts'

for (const parser of PARSERS) {
  test(`${parser.name}: time grows as the text does`, (t) => {
    const { faults, worstMs } = tryParser(parser, { isThorough: false })
    t.diagnostic(`at most ${worstMs.toFixed(1)} ms`)
    assert.deepEqual(faults, [])
  })
}

test('what is quadratic is found, and what only needs much memory is not', () => {
  const shape = { charsMax: 16_384, heads: [''], tails: ['x'], pumps: [' '] }
  const blanksAtTheEnd = / +$/ // from each blank on to the x
  const slow = { name: 'blanks', read: (text: string) => blanksAtTheEnd.test(text), ...shape }
  const { faults } = tryParser(slow, { isThorough: false })
  assert.match(faults.join(), /for 8 times as much/)
  const copying = { name: 'copies', read: (text: string) => Array.from(text), ...shape }
  assert.deepEqual(tryParser(copying, { isThorough: false }).faults, [])
})
