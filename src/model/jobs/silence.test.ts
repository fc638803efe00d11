/**
 * Silence: a heartbeat that stands still is noticed after so many looks, and no worker is given up for a look that was
 * missed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Held, openSilence } from './attempt.ts'

const held = (jobId: string, heartbeat: number, attempt = 1): Held => ({
  jobId,
  attempt,
  heartbeat,
})

test('a heartbeat that stands still over so many looks is silent, and stays so until it goes on', () => {
  const silence = openSilence(3)
  assert.deepEqual(silence.look([held('a', 7), held('b', 1)]), [])
  assert.deepEqual(silence.look([held('a', 7), held('b', 2)]), [])
  assert.deepEqual(silence.look([held('a', 7), held('b', 2)]), [])
  const silent = silence.look([held('a', 7), held('b', 3)])
  assert.deepEqual(
    silent.map(({ jobId }) => jobId),
    ['a'],
  )
  assert.equal(silence.look([held('a', 7)]).length, 1, 'who could not take it back tries again')
  assert.deepEqual(silence.look([held('a', 8)]), [])
})

test('another attempt, and a job that was away, begin anew', () => {
  const silence = openSilence(2)
  silence.look([held('a', 7)])
  silence.look([held('a', 7)])
  assert.deepEqual(silence.look([held('a', 7, 2)]), [])
  silence.look([])
  assert.deepEqual(silence.look([held('a', 7, 2)]), [])
  assert.deepEqual(silence.look([held('a', 7, 2)]), [])
  assert.equal(silence.look([held('a', 7, 2)]).length, 1)
})
