/**
 * Every parser with every two shapes combined: no text within its limits takes a parser more than one turn of the event
 * loop, or time out of proportion.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tryParser } from './linear.ts'
import { PARSERS } from './parsers.ts'

for (const parser of PARSERS) {
  test(`${parser.name}: time grows as the text does`, (t) => {
    const { faults, worstMs } = tryParser(parser, { isThorough: true })
    t.diagnostic(`at most ${worstMs.toFixed(1)} ms`)
    assert.deepEqual(faults, [])
  })
}
