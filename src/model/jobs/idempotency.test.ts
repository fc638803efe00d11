/** Idempotency keys of callers and of starters in one column: no key is ever kept as another one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sentIdempotency } from './idempotency.ts'
import { keyOfStarter } from './starter.ts'

const BODY = { urls: ['@smallworkshop'] }
const kept = (key: string): string => sentIdempotency(key, BODY).key
const ofSlot = (id: string, slot: number): string =>
  keyOfStarter({ kind: 'subscription', id, slot }).key

/** Keys that are one word apart from those of starters, and from what those are kept as. */
const KEYS = [
  'x',
  'follow',
  'follow:',
  'follow:x',
  'follow:x:1',
  'sent',
  'sent:',
  'sent:x',
  'sent:follow:',
  'sent:follow:x',
  'sent:follow:x:1',
  'sent:sent:',
  'sent:sent:x',
  'sent:sent:follow:x',
]

test('two keys that callers send are never kept as one', () => {
  const all = KEYS.map(kept)
  assert.equal(new Set(all).size, KEYS.length, all.join(', '))
  const heads = fc.array(fc.constantFrom('follow:', 'sent:', 'x', ':'), { maxLength: 5 })
  const keys = fc.oneof(
    fc.string(),
    heads.map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(keys, keys, (one, other) => (one === other) === (kept(one) === kept(other))),
  )
})

test('no key that a caller sends is one that a starter needs', () => {
  const own = [ofSlot('x', 1), ofSlot('', 0), ofSlot('sub_1', 29_000_000)]
  for (const key of [...KEYS, ...own]) assert.ok(!kept(key).startsWith('follow:'), key)
  assert.deepEqual(own, ['follow:x:1', 'follow::0', 'follow:sub_1:29000000'])
})

test('a key that is not like ours is kept as it was sent', () => {
  for (const key of ['x', 'follow', 'FOLLOW:x', ' follow:x', 'order-1'])
    assert.equal(kept(key), key)
})
