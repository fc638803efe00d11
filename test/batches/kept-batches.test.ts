/** How many batches an account keeps: those at work and at rest together never hold more than their bound. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import { LIMITS } from '../../src/config/config.ts'
import { sharedService } from '../support/shared-service.ts'

// Without a worker nothing that was stopped comes to rest.
const { customer, database } = await sharedService({ after }, ['api'])

const line = (at: number): string => `v${String(at).padStart(10, '0')}`
const orders = (buyer: Customer, at: number) =>
  buyer.asks('POST', '/batches', { body: { urls: line(at) } })

/** Orders a batch and stops it. */
async function turns(buyer: Customer, at: number): Promise<string> {
  const { status, body } = await orders(buyer, at)
  assert.equal(status, 201, JSON.stringify(body))
  const path = `/batches/${body['id']}`
  assert.equal((await buyer.asks('PATCH', path, { body: { state: 'stopped' } })).status, 200)
  return body['id']
}

const total = async (buyer: Customer): Promise<number> => (await buyer.gets('/batches'))['total']

test('batches that are made and stopped in a circle end with 429, and a hundred that rest give way', async () => {
  const buyer = await customer('10')
  const most = LIMITS.batchesKeptMax
  const ids: string[] = []
  for (let at = 0; at < most; at += 1) ids.push(await turns(buyer, at))
  const refused = await orders(buyer, most)
  assert.deepEqual([refused.status, refused.body['error'].code], [429, 'rate_limited'])
  assert.match(refused.body['error'].message, /^Your account has 100 batches, its most/)
  assert.equal(refused.headers.get('retry-after'), String(LIMITS.batchRestSeconds))
  assert.equal(await total(buyer), most)

  // One that rests gives way, though it is not the oldest.
  await rest(ids.slice(3, 4))
  await turns(buyer, most)
  assert.equal(await total(buyer), most)
  assert.equal((await buyer.asks('GET', `/batches/${ids[3]}`)).status, 404)
  assert.equal((await orders(buyer, most + 1)).status, 429)

  // A customer whose batches have all ended orders the next one; the oldest is forgotten.
  await rest(ids)
  const next = await turns(buyer, most + 1)
  assert.equal(await total(buyer), most)
  assert.equal((await buyer.asks('GET', `/batches/${ids[0]}`)).status, 404)
  for (const kept of [ids[1], next])
    assert.equal((await buyer.asks('GET', `/batches/${kept}`)).status, 200)
})

test('a batch that cannot be ordered for another reason makes no other one give way', async () => {
  const buyer = await customer('0')
  await database.pool.query(
    `insert into batch (id, account_id, urls, url_set_hash, language, formats, max_videos, skips_owned, notices, state,
      due_at, finished_at)
    select 'batch_' || n || $1, $1, '{l}', 'h', 'en', '{}', 1, true, '{}', 'finished', null, now()
    from generate_series(1, $2::int) n`,
    [buyer.accountId, LIMITS.batchesKeptMax],
  )
  assert.equal((await orders(buyer, 0)).status, 402)
  assert.equal(await total(buyer), LIMITS.batchesKeptMax)
})

/** Does what a worker does some time after these were stopped. */
async function rest(ids: string[]): Promise<void> {
  await database.pool.query('update batch set due_at = null where id = any($1)', [ids])
}

test('a body sent again while its batch runs is that batch; of another account it is another', async () => {
  const [one, two] = [await customer('10'), await customer('10')]
  const asks = async (buyer: Customer, body: object): Promise<[number, string]> => {
    const { status, body: made } = await buyer.asks('POST', '/batches', { body })
    return [status, made['id']]
  }
  const body = { urls: [line(1), line(2)], maxVideos: 2 }
  const [[, first], [, second]] = [await asks(one, body), await asks(two, body)]
  assert.notEqual(first, second)
  const turned = { ...body, urls: body.urls.toReversed() }
  for (const again of [body, turned, { ...body, language: 'de' }])
    assert.deepEqual(await asks(one, again), [200, first], 'the same lines are the same batch')
  assert.deepEqual(await asks(two, body), [200, second])
  assert.equal((await asks(one, { ...body, urls: [line(1)] }))[0], 201)
  await one.asks('PATCH', `/batches/${first}`, { body: { state: 'stopped' } })
  const [status, third] = await asks(one, body)
  assert.deepEqual([status, third === first], [201, false], 'a stopped one is not gone on with')
})

test('another text of the lines of a running batch is its order, and told what was left out of it', async () => {
  const buyer = await customer('10')
  const texts: [string, RegExp][] = [
    [`${line(1)}\n${line(2)}`, /^$/],
    [`${line(1)}\n${line(2)}\n# three`, /^Line 3 holds a comment/],
    [`# none\n${line(1)}\n${line(2)}`, /^Line 1 holds a comment/],
  ]
  const ids = new Set<string>()
  for (const [urls, told] of texts) {
    const { body } = await buyer.asks('POST', '/batches', { body: { urls } })
    ids.add(body['id'])
    assert.match(body['notices'].join(' '), told)
  }
  assert.equal(ids.size, 1)
})
