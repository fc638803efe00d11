/** Pages of a text: joined they are the text, and each ends where a reader may pause. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textPage } from './readable-text.ts'

const words = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀', 'é'), maxLength: 300 })

test('pages joined are the text, whatever their length; none is empty, too long or splits a character', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 50 }), (text, charsMax) => {
      let joined = ''
      do {
        const page = textPage(text, { from: joined.length, charsMax })
        assert.ok(page !== null && page.total === text.length)
        assert.ok(page.text.length <= charsMax && (page.text !== '' || text === ''))
        assert.ok(page.text.isWellFormed())
        joined += page.text
        assert.equal(page.to, joined.length)
      } while (joined.length < text.length)
      assert.equal(joined, text)
    }),
  )
})

test('a page ends behind a line break or a blank that is near; behind the end there is no page', () => {
  const text = `${'x'.repeat(92)}\nyyy ${'w'.repeat(50)}`
  assert.equal(textPage(text, { from: 0, charsMax: 100 })?.to, 93)
  assert.equal(textPage(`${'x'.repeat(95)} yyyy`, { from: 0, charsMax: 99 })?.to, 96)
  assert.equal(textPage(text, { from: 0, charsMax: 80 })?.to, 80)
  assert.equal(textPage(text, { from: text.length, charsMax: 10 })?.text, '')
  assert.equal(textPage(text, { from: text.length + 1, charsMax: 10 }), null)
})

test('a page of one character may be half of one, so that every page goes on', () => {
  assert.equal(textPage('😀', { from: 0, charsMax: 1 })?.to, 1)
})
