/** The rules of W3C Trace Context for what is read and what is sent on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTraceparent, traceIdOf, traceparentOf } from './trace-context.ts'

const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const PLAIN = `00-${TRACE}-${SPAN}-01`

const CASES: [sent: string | undefined, read: string | null][] = [
  [PLAIN, PLAIN],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  [`01-${TRACE}-${SPAN}-01-and-more`, PLAIN], // a later version is read as the first
  [`cc-${TRACE}-${SPAN}-01`, PLAIN],
  [`${PLAIN}-more`, null],
  [`01-${TRACE}-${SPAN}-01and-more`, null],
  [`ff-${TRACE}-${SPAN}-01`, null],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, null],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, null],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, null],
  [`00-${TRACE}-${SPAN}`, null],
  [`${PLAIN}, ${PLAIN}`, null],
  [` ${PLAIN}`, null],
  ['', null],
  [undefined, null],
  [`01-${TRACE}-${SPAN}-01-${'x'.repeat(1000)}`, null],
]

test('a traceparent is read as the recommendation says, or passed over', () => {
  for (const [sent, read] of CASES)
    assert.equal(traceparentOf(sent === undefined ? {} : { traceparent: sent }), read, sent)
})

test('what is sent on is of the same trace, with a span of its own', () => {
  const [first, second] = [nextTraceparent(PLAIN), nextTraceparent(PLAIN)]
  for (const one of [first, second]) {
    assert.equal(traceparentOf({ traceparent: one }), one)
    assert.equal(traceIdOf(one), TRACE)
  }
  assert.notEqual(first, second)
})
