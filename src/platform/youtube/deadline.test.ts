/** A deadline ends with the question, by time, or not at all once it is closed. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
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
  await sleep(20)
  assert.equal(deadline.isOver() && deadline.signal.aborted, true)
  assert.equal(outer.signal.aborted, false)
  deadline.close()
})

test('closed, it listens to nobody and never ends', async () => {
  const outer = new AbortController()
  const deadline = openDeadline(outer.signal, 1)
  deadline.close()
  await sleep(20)
  outer.abort()
  assert.equal(deadline.isOver() || deadline.signal.aborted, false)
  assert.deepEqual(getEventListeners(outer.signal, 'abort'), [])
})
