/**
 * Silence: a heartbeat that stands still is noticed after so many looks, and no worker is given up for a look that was
 * missed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Held, silenceWatch } from './attempt.ts'

const held = (jobId: string, heartbeat: number, attempt = 1): Held => ({
  jobId,
  attempt,
  heartbeat,
})

test('a heartbeat that stands still over so many looks is silent, and stays so until it goes on', () => {
  const look = silenceWatch(3)
  assert.deepEqual(look([held('a', 7), held('b', 1)]), [])
  assert.deepEqual(look([held('a', 7), held('b', 2)]), [])
  assert.deepEqual(look([held('a', 7), held('b', 2)]), [])
  const silent = look([held('a', 7), held('b', 3)])
  assert.deepEqual(
    silent.map(({ jobId }) => jobId),
    ['a'],
  )
  assert.equal(look([held('a', 7)]).length, 1, 'who could not take it back tries again')
  assert.deepEqual(look([held('a', 8)]), [])
})

test('another attempt, and a job that was away, begin anew', () => {
  const look = silenceWatch(2)
  look([held('a', 7)])
  look([held('a', 7)])
  assert.deepEqual(look([held('a', 7, 2)]), [])
  look([])
  assert.deepEqual(look([held('a', 7, 2)]), [])
  assert.deepEqual(look([held('a', 7, 2)]), [])
  assert.equal(look([held('a', 7, 2)]).length, 1)
})
