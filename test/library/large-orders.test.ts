/** What an order owns is counted in the database, within a bound, and only for orders that are admitted. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { addLibrary, LARGE_CHANNEL } from '../support/large-library.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import { LIMITS } from '../../src/config/config.ts'
import { sharedService } from '../support/shared-service.ts'

const TEXTS = 10_500
const URL = `https://www.youtube.com/channel/${LARGE_CHANNEL}`
const MORE = new RegExp(`more than ${LIMITS.ownedCountedMax.toLocaleString('en')} videos`)

const { customer, database } = await sharedService({ after })
const owner = await customer('10')
await addLibrary(database.pool, {
  texts: TEXTS,
  collections: 1,
  videosEach: 0,
  accountId: owner.accountId,
  transcript: {
    languageCode: 'en',
    trackKind: 'asr',
    segments: [{ startMs: 0, endMs: 2_000, text: 'What is said in a short video.' }],
    source: null,
  },
})

/** Returns the names of the prepared statements that are sent while `work` goes on. */
async function statementsOf(work: () => Promise<void>): Promise<Set<string>> {
  const names = new Set<string>()
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function recording(this: unknown, ...given) {
    const [first] = given as [{ name?: string } | undefined]
    if (first?.name !== undefined) names.add(first.name)
    return query.apply(this, given)
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return names
}

async function orders(
  who: Customer,
  body: object,
): Promise<{ notices: string[]; owned: string | null }> {
  const reply = await who.asks('POST', '/jobs', { body: { maxVideos: 1, ...body } })
  assert.equal(reply.status, 201, reply.bytes.toString())
  await who.asks('POST', `/jobs/${reply.body['id']}/cancel`)
  await who.waitsFor(reply.body)
  return { notices: reply.body['notices'], owned: reply.headers.get('x-owned-videos') }
}

test('beyond the bound an order says “more than”, and names no number in its header', async () => {
  const byId = await orders(owner, { urls: [URL, `${URL}?more`] })
  assert.match(byId.notices.join(), MORE)
  assert.match(byId.notices.join(), /up to \$0\.008/)
  assert.equal(byId.owned, null)
  const byName = await orders(owner, { urls: [`@${LARGE_CHANNEL.slice(2)}`] })
  assert.match(byName.notices.join(), MORE, 'a handle is found by the name of an earlier order')
})

test('texts in another language are not what is wished', async () => {
  const { notices } = await orders(owner, { urls: [URL], language: 'fr' })
  assert.doesNotMatch(notices.join(), /charges them again/)
})

test('a batch counts once over all its parts', async () => {
  const urls = Array.from({ length: 120 }, (_, at) => `${URL}?part=${at}`)
  let batch: string[] = []
  const names = await statementsOf(async () => {
    const { status, body } = await owner.asks('POST', '/batches?owned=again', { body: { urls } })
    assert.equal(status, 201)
    batch = body['notices']
    await owner.asks('PATCH', `/batches/${body['id']}`, { body: { state: 'stopped' } })
  })
  assert.ok(names.has('count-owned-listed'))
  assert.match(batch.join(), MORE)
})

test('an order without money reads nothing of what is owned', async () => {
  const poor = await customer('0')
  for (const table of ['collection', 'collection_video'])
    await database.pool.query(`update ${table} set account_id = $1 where account_id = $2`, [
      poor.accountId,
      owner.accountId,
    ])
  const names = await statementsOf(async () => {
    for (const path of ['/jobs', '/batches']) {
      const { status } = await poor.asks('POST', path, { body: { urls: [URL] } })
      assert.equal(status, 402, path)
    }
  })
  assert.ok(names.has('lock-for-start'))
  for (const name of ['count-owned-listed', 'read-owned']) assert.ok(!names.has(name), name)
})
