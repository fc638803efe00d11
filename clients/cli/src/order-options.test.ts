/** Options of an order as its fields, and words for a field that was refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedBy, fieldsOf, isOfBatch, limitedTo, orderOf } from './order-options.ts'

const TYPED = { since: '2024-01-01', until: null, language: 'de' }

test('an order has what was typed under the names of the API, in their order, and nothing else', () => {
  assert.equal(
    JSON.stringify(orderOf(['@name'], 3, TYPED)),
    '{"urls":["@name"],"maxVideos":3,"language":"de","publishedAfter":"2024-01-01"}',
  )
  assert.deepEqual(fieldsOf({ since: undefined, until: '2025-01-01' }), {
    publishedBefore: '2025-01-01',
  })
})

test('a limit lowers that of an order and never raises it; above that of a job it is a batch', () => {
  const order = orderOf(['@name'], 501, TYPED)
  assert.deepEqual(limitedTo(500, order), { ...order, maxVideos: 500 })
  assert.deepEqual(limitedTo(502, order), order)
  assert.deepEqual([isOfBatch(order), isOfBatch(limitedTo(500, order))], [true, false])
})

test('a refused field is called as it was typed', () => {
  const typed = ['publishedAfter', 'publishedBefore', 'language', 'maxVideos', 'after', 'urls']
  assert.deepEqual(typed.map(askedBy), [
    '--since',
    '--until',
    '--language',
    '--max',
    '--since',
    'The list',
  ])
  assert.equal(askedBy('formats'), undefined)
})
