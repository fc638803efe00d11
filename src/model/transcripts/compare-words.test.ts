/** Differing words are counted from the first to the last, and lines and spaces are none. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { differenceOf } from './compare-words.ts'

test('lines and spaces make no difference', () => {
  assert.equal(differenceOf('one two\nthree ', ' one\n\ntwo three'), null)
  assert.equal(differenceOf('', ' '), null)
})

test('words that differ in equally long readings are counted one by one', () => {
  const found = differenceOf('a b c d e', 'a x c d y')
  assert.deepEqual(found, { at: 2, ours: 'b', theirs: 'x', differing: 2, of: 5 })
})

test('a word more shifts no others', () => {
  const more = differenceOf('a b c d', 'a b new c d')
  assert.deepEqual(more, { at: 3, ours: 'c', theirs: 'new', differing: 1, of: 5 })
  const less = differenceOf('a a a', 'a a')
  assert.deepEqual(less, { at: 3, ours: 'a', theirs: '', differing: 1, of: 3 })
  assert.deepEqual(differenceOf('', 'a b')?.differing, 2)
})
