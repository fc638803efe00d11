/** Continuation tokens survive the way to a client and back, and a client may make the first one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Page, pageOf, tokenOf } from './tokens.ts'

test('a token leads back to its page', () => {
  const pages = fc.record(
    {
      browseId: fc.stringMatching(/^(UC[\w-]{22}|VLPL[\w-]{32})$/),
      tab: fc.constantFrom('videos', 'shorts', 'all', ''),
      offset: fc.nat(20_000),
      isReload: fc.boolean(),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(pages, (page) => {
      const token = tokenOf(page as Page)
      assert.match(token, /^4qmFsg[\w%-]+$/)
      assert.deepEqual(pageOf(token), page)
      assert.deepEqual(pageOf(decodeURIComponent(token)), page)
    }),
  )
})

test('a first-page token that a client made itself is understood', () => {
  // This token was recorded from a public client: { 2: "VL…", 3: "CADCBgIIAA%3D%3D", 35: "PL…" }.
  const recorded =
    '4qmFsgJdEiRWTFBMV3dBeXBBY0ZSZ0tBSUlGcUJyOW95LVpZWm5peGFfRmoaEENBRENCZ0lJQUElM0QlM0SaAiJQTFd3QXlwQWNGUmdLQUlJRnFCcjlveS1aWVpuaXhhX0Zq'
  const page = pageOf(recorded)
  assert.equal(page?.browseId, 'VLPLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj')
  assert.equal(page?.offset, 0)
  assert.equal(page?.isReload, true)
})

test('what is no token is none', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(pageOf(text), null)))
})
