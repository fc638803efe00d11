/** What models and their hosts send in place of the schema's types: read where it means one thing only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { plainArguments } from './arguments.ts'

const schema = Type.Object(
  {
    jobId: Type.String(),
    urls: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()])),
    limit: Type.Optional(Type.Integer()),
    isTimed: Type.Optional(Type.Boolean()),
    language: Type.Optional(Type.String()),
    q: Type.Optional(Type.String()),
    amount: Type.Optional(Type.Number()),
  },
  { additionalProperties: false },
)

const READ: [given: Record<string, unknown>, read: Record<string, unknown>][] = [
  [{ limit: '10' }, { limit: 10 }],
  [{ limit: ' 10.0 ' }, { limit: 10 }],
  [{ limit: '-3' }, { limit: -3 }],
  [{ isTimed: 'true' }, { isTimed: true }],
  [{ isTimed: 'False' }, { isTimed: false }],
  [{ limit: null, language: null, urls: null }, {}],
  [{ limit: '', language: ' ', urls: '', isTimed: '' }, {}],
  [{ _meta: { a: 1 }, toolCallId: 'call_1' }, {}],
  [{ session_id: 's', 'thread-id': 't', parentMessageID: 'm' }, {}],
  [JSON.parse('{"__proto__":{"limit":1}}'), {}],
  [
    { is_timed: 'true', LIMIT: '10' },
    { isTimed: true, limit: 10 },
  ],
  [{ query: 'zoo' }, { q: 'zoo' }],
  [{ query: null }, {}],
  [{ q: 'zoo', query: null }, { q: 'zoo' }],
  [{ url: 'u' }, { urls: 'u' }],
  [{ languageCode: 'en' }, { language: 'en' }],
  [{ amount: '2.50' }, { amount: 2.5 }],
  [{ amount: '$2' }, { amount: 2 }],
]

test('what means one thing only is read as that', () => {
  for (const [given, read] of READ)
    assert.deepEqual(plainArguments(schema, { jobId: 'j', ...given }), { jobId: 'j', ...read })
})

const LEFT: Record<string, unknown>[] = [
  { limit: 'ten' },
  { limit: '1e3' },
  { limit: '0x10' },
  { limit: '1.5' },
  { limit: '99999999999999999999' },
  { limit: true },
  { isTimed: '1' },
  { isTimed: 1 },
  { isTimed: 'yes' },
  { language: 5 },
  { urls: '["a","b"]' },
  { colour: 'red' },
  { q: 'zoo', query: 'lion' },
  { query: 'zoo', searchQuery: 'lion' },
  { url: 'a', videos: ['b'] },
  { amount: '2,50' },
  { amount: '1e3' },
  { constructor: null },
  { _limits: 5 },
  { _budget: 5 },
  { is_timed: true, 'is-timed': false },
]

test('what may mean something else, and every other field, is left to the schema', () => {
  for (const given of LEFT)
    assert.deepEqual(plainArguments(schema, { jobId: 'j', ...given }), { jobId: 'j', ...given })
  assert.deepEqual(plainArguments(schema, { jobId: '' }), { jobId: '' })
  assert.deepEqual(plainArguments(schema, { jobId: null }), { jobId: null })
  for (const given of [null, 'text', 5, ['a']]) assert.equal(plainArguments(schema, given), given)
})

test('a name is another one only for a tool that has no field of this name', () => {
  const own = Type.Object({ q: Type.String(), query: Type.Optional(Type.String()) })
  assert.deepEqual(plainArguments(own, { query: 'zoo' }), { query: 'zoo' })
  const none = Type.Object({ jobId: Type.String() })
  assert.deepEqual(plainArguments(none, { query: 'zoo' }), { query: 'zoo' })
})
