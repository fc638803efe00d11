/** Sizes of titles: by the room that they take, in any script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleSize } from './cells.ts'

test('a title is as small as its length asks, whatever its script', () => {
  assert.equal(titleSize(''), 'short')
  assert.equal(titleSize('a'.repeat(60)), 'short')
  assert.equal(titleSize('a'.repeat(61)), 'long')
  assert.equal(titleSize('a'.repeat(121)), 'longest')
  // A character of Chinese or Japanese is as wide as two letters.
  assert.equal(titleSize('川'.repeat(30)), 'short')
  assert.equal(titleSize('川'.repeat(31)), 'long')
  // Points above letters take no room of their own.
  assert.equal(titleSize('שָׁ'.repeat(60)), 'short')
  assert.equal(titleSize('ورشة '.repeat(12)), 'short')
})
