/** Operations on text, with ordinary text and at its edges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { composed, isStorable, trimCharacters } from './outside-text.ts'

test('characters are trimmed at both ends and nowhere else', () => {
  const quotes = { start: '<(', end: '>)' }
  const cases: [string, string][] = [
    ['', ''],
    ['((a(b)c))', 'a(b)c'],
    ['(((', ''],
    [')))', ''],
    ['>a<', '>a<'],
  ]
  for (const [text, trimmed] of cases) assert.equal(trimCharacters(text, quotes), trimmed)
})

test('text is composed as Unicode says, unless a letter has more marks than any language writes', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 30 }), (text) => {
      assert.equal(composed(text), text.normalize('NFC'))
    }),
  )
  const zalgo = `a${'\u0316\u0301'.repeat(40)}b`
  assert.equal(composed(zalgo).normalize('NFC'), zalgo.normalize('NFC'), 'no mark is lost')
})

test('what PostgreSQL cannot hold is found', () => {
  for (const text of ['', 'é', '💬', '\u0001']) assert.equal(isStorable(text), true)
  for (const text of ['a\0b', '\ud800', 'x\udc00', '💬'.slice(0, 1)])
    assert.equal(isStorable(text), false)
})
