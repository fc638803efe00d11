/** The latest searches of a browser: ten, each once, of one account, and none where the browser keeps nothing. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { beforeEach, test } from 'node:test'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const WEB = path.resolve(import.meta.dirname, '../../web/src')
const browser = globalThis as unknown as Record<string, unknown>
let stored = new Map<string, string>()
let isFull = false
browser['localStorage'] = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, text: string) => {
    if (isFull) throw new DOMException('full', 'QuotaExceededError')
    stored.set(name, text)
  },
}
browser['dispatchEvent'] = () => true
browser['location'] = { origin: 'http://localhost' }
const { forgetSearch, forgetSearches, keepSearch, searchesIn } = await import(
  path.join(WEB, 'kept-searches.ts')
)
const wordsOf = (account: string): string[] =>
  searchesIn(stored.get('searches') ?? null, account).map(({ q }: { q: string }) => q)

beforeEach(() => {
  stored = new Map()
  isFull = false
})

test('ten are kept, the newest first, one for its words and filters', () => {
  for (let number = 1; number <= 12; number += 1) keepSearch('one', { q: `word ${number}` })
  assert.equal(wordsOf('one').length, 10)
  keepSearch('one', { q: ' word 5 ', sort: 'newest', channel: '' })
  assert.deepEqual(wordsOf('one').slice(0, 2), ['word 5', 'word 12'])
  keepSearch('one', { q: 'word 5', language: 'en' })
  assert.deepEqual(wordsOf('one').slice(0, 3), ['word 5', 'word 5', 'word 12'])
  forgetSearch('one', { q: 'word 5' })
  assert.deepEqual(wordsOf('one').slice(0, 2), ['word 5', 'word 12'])
  forgetSearches()
  assert.deepEqual(wordsOf('one'), [])
})

test('they are of one account, and go when another one comes', () => {
  keepSearch('one', { q: 'bridge' })
  assert.deepEqual(wordsOf('two'), [])
  forgetSearches('one')
  assert.deepEqual(wordsOf('one'), ['bridge'])
  forgetSearches('two')
  assert.deepEqual(wordsOf('one'), [])
  assert.doesNotMatch([...stored.values()].join(), /bridge/)
})

test('a full storage and a spoilt text are no error', () => {
  isFull = true
  keepSearch('one', { q: 'bridge' })
  assert.deepEqual(wordsOf('one'), [])
  for (const text of ['{', 'null', '3', '{"of":"one"}', '{"of":"one","searches":[null,{"q":3}]}'])
    assert.ok(
      searchesIn(text, 'one').every(({ q }: { q: string }) => typeof q === 'string'),
      text,
    )
})
