/** A place: never given up before something was committed, and at once after it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace } from './held-jobs.ts'

test('a job that is to be parked leaves with its first commit, or at once after one', () => {
  const early = openPlace(() => 0)
  early.park()
  assert.deepEqual([early.isParking, early.over.aborted], [true, false])
  early.committed('page')
  assert.ok(early.over.aborted)

  const late = openPlace(() => 0)
  late.committed('row')
  assert.equal(late.over.aborted, false)
  late.park()
  assert.ok(late.over.aborted)
})

test('a job lists from its first page until it delivers, and a video without a transcript is no delivery', () => {
  let nowMs = 0
  const place = openPlace(() => nowMs)
  assert.equal(place.isListing, false)
  place.committed('page')
  nowMs = 5
  place.committed('row')
  assert.deepEqual([place.isListing, place.undeliveredMs], [true, 5])
  place.committed('delivery')
  assert.deepEqual([place.isListing, place.undeliveredMs], [false, 0])
  place.committed('page')
  assert.equal(place.isListing, true)
})
