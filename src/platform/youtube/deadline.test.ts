/** A deadline ends with the question or after its time, and never once it is closed. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { openDeadline } from './deadline.ts'

test('it ends with the question, for the same reason, and by no time', () => {
  const outer = new AbortController()
  const deadline = openDeadline(outer.signal, 60_000)
  const reason = new Error('cancelled')
  outer.abort(reason)
  assert.equal(deadline.signal.reason, reason)
  assert.equal(deadline.isOver(), false)
  deadline.close()
  assert.equal(openDeadline(outer.signal, 60_000).signal.reason, reason)
})

test('time ends it, which the question does not notice', async () => {
  const outer = new AbortController()
  const deadline = openDeadline(outer.signal, 1)
  await until('it is over', () => deadline.isOver())
  assert.equal(deadline.signal.aborted, true)
  assert.equal(outer.signal.aborted, false)
  deadline.close()
})

test('closed, it listens to nobody and never ends', async () => {
  const outer = new AbortController()
  const deadline = openDeadline(outer.signal, 1)
  deadline.close()
  const later = openDeadline(outer.signal, 1)
  await until('one that began later is over', () => later.isOver())
  later.close()
  outer.abort()
  assert.equal(deadline.isOver() || deadline.signal.aborted, false)
  assert.deepEqual(getEventListeners(outer.signal, 'abort'), [])
})
