/** What an order of several jobs takes of a list, of which a preview counts one job. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PreviewSource } from '../../typescript/src/index.ts'
import { takenOf } from './preview-lines.ts'

/** A list of 1,200 of which this order delivered 500, and others 40 more. */
const LIST = {
  videos: 1_200,
  delivered: 500,
  owned: 540,
  knownNegative: 60,
  wouldTake: 500,
} as PreviewSource

test('what is owned is left out once, and only where it is left out at all', () => {
  assert.equal(takenOf(LIST, 'skip'), 660)
  assert.equal(takenOf(LIST, 'again'), 700)
  assert.equal(takenOf({ ...LIST, videos: null }, 'skip'), 500)
})
