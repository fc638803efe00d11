/** Videos that an order takes of a list, with and without a limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PreviewSource } from '../../typescript/src/index.ts'
import { rowOf, takenOf } from './preview-lines.ts'

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

test('a line of which nothing is taken says whether the lines before it take the maximum', () => {
  const list = { ...LIST, line: '@late', title: 'Late', kind: 'channel', isComplete: true } as const
  const missed = { ...list, error: null, delivered: 0, owned: 0, knownNegative: 0, wouldTake: 0 }
  const told = (source: PreviewSource, isFull: boolean) => rowOf(source, isFull).join(' ')
  assert.match(told(missed, true), /^0 to fetch .*: nothing, the lines before take the maximum$/)
  assert.doesNotMatch(told(missed, false), /maximum/)
  assert.doesNotMatch(told({ ...missed, owned: 1_200 }, true), /maximum/, 'it is owned already')
  assert.doesNotMatch(told({ ...missed, wouldTake: 200 }, true), /maximum/)
})
