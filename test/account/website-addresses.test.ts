/** Addresses of the website's pages: their parameters are texts, whatever they look like. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress, writeAddress } from '../../web/src/address-text.ts'

test('what is typed in an address is text, and the first of a name counts', () => {
  const typed =
    'q=true&channel=null&month=12&q=b&after=%7B%22a%22:1%7D&before=%&sort=%22quiet+river%22'
  assert.deepEqual(parseAddress(`?${typed}`), {
    q: 'true',
    channel: 'null',
    month: '12',
    after: '{"a":1}',
    before: '%',
    sort: '"quiet river"',
  })
})

test('links of releases before, which held some texts as JSON, mean what they did', () => {
  const before = { q: '%22true%22', find: '%22123%22', urls: '%22%5C%22quiet+river%5C%22%22' }
  const query = Object.entries(before).map((each) => each.join('='))
  assert.deepEqual(parseAddress(`?${query.join('&')}`), {
    q: 'true',
    find: '123',
    urls: '"quiet river"',
  })
})

test('every text is read as it was written', () => {
  const jsonLike = fc.json().map((text) => JSON.stringify(text))
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.json(), jsonLike)
  fc.assert(
    fc.property(fc.record({ q: text, find: text, urls: text }), (texts) => {
      assert.deepEqual(parseAddress(writeAddress(texts)), { ...texts })
    }),
  )
  assert.equal(writeAddress({ page: undefined }), '')
  assert.equal(writeAddress({ page: 2 }), '?page=2')
})
