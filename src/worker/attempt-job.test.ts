/** How an attempt's failure becomes its ending: what wins where several things happened at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ending, endingOf } from './run-job.ts'
import { WriteRefused } from './job-run.ts'
import { openStop, STOP_KINDS } from './stop.ts'

const ERRORS = {
  fault: new TypeError('x is not a function'),
  refused: new WriteRefused(),
  lost: Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' }),
}

const CASES: [error: keyof typeof ERRORS, isDraining: boolean, expected: Ending['kind']][] = [
  ['fault', false, 'failed'],
  ['fault', true, 'handed_back'],
  ['refused', false, 'refused'],
  ['refused', true, 'refused'],
  ['lost', false, 'database_lost'],
  ['lost', true, 'handed_back'],
]

test('a refused write is told whatever drains; else draining explains what was cut short', () => {
  for (const [name, isDraining, expected] of CASES) {
    const draining = isDraining ? AbortSignal.abort() : new AbortController().signal
    const ending = endingOf(ERRORS[name], { stop: openStop(), draining })
    assert.equal(ending.kind, expected, `${name}, ${isDraining ? 'draining' : 'not draining'}`)
    if (ending.kind === 'failed') assert.equal(ending.error, ERRORS[name])
  }
})

test('a stop explains every failure, whatever else happened', () => {
  for (const kind of STOP_KINDS) {
    const stop = openStop()
    stop.because(kind)
    for (const error of Object.values(ERRORS)) {
      for (const draining of [AbortSignal.abort(), new AbortController().signal])
        assert.deepEqual(endingOf(error, { stop, draining }), { kind })
    }
  }
})
