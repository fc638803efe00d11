/** Packs of texts that are lost or damaged: only their own texts are missed. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { packTexts } from '../../src/features/transcripts/pack-texts.ts'
import type { TextStore } from '../../src/features/transcripts/text-store.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { objectStoreStandIn } from '../support/object-store.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { untilDegraded } from './degraded.ts'

const store = await objectStoreStandIn({ after })
const { service, database, customer, another } = await testService({ after }, { env: store.env })
const { db, pool } = database
const textStore = service.context.textStore as TextStore
const pack = () => packTexts({ db, pool, textStore, minSeconds: 0, isAll: true })

/** Orders texts that alone are in a new pack; returns its key with them. */
async function orderedInPack(buyer: Customer, url: string) {
  const before = new Set(store.objects.keys())
  const { job, rows } = await buyer.orders({ urls: [url], maxVideos: 4 })
  const texts = rows.filter(({ status }: Json) => status === 'success')
  await pack()
  const [key = ''] = [...store.objects.keys()].filter((one) => !before.has(one))
  return { job, texts, row: texts[0]!, key }
}

test('a pack that cannot be read keeps no other from being cleaned', async () => {
  const orders = [
    await orderedInPack(await customer(), '@smallworkshop'),
    await orderedInPack(await customer(), '@smallworkshop'),
  ]
  for (const { job, row } of orders) {
    const gone = [job['id'], row['index']]
    await pool.query('delete from transcript_body where job_id = $1 and index = $2', gone)
  }
  const [lost] = orders
  const object = store.objects.get(lost!.key)!
  const { content } = object
  object.content = Buffer.alloc(content.length)
  for (let times = 0; times < 2; times += 1)
    await assert.rejects(pack(), /other bytes than were written/)
  assert.deepEqual(
    orders.map(({ key }) => store.objects.has(key)),
    [true, false],
  )
  object.content = content
  for (let times = 0; times < 2; times += 1) await pack()
  assert.equal(store.objects.has(lost!.key), false)
})

test('texts whose pack is lost keep no others from being found or quoted', async () => {
  const buyer = await customer()
  const [lost, kept] = [
    await orderedInPack(buyer, '@smallworkshop'),
    await orderedInPack(buyer, '@dailynotes'),
  ]
  const q = '/search?q=the&limit=50'
  const found = await buyer.gets(q)
  const of = (order: Json, { hits }: Json): Json[] =>
    hits.filter(({ jobId }: Json) => jobId === order['job'].id)
  assert.ok(of(lost, found).length > 0 && of(kept, found).length > 0)
  store.objects.delete(lost.key)
  assert.deepEqual(of(kept, await buyer.gets(q)), of(kept, found))
  fs.rmSync(path.join(service.context.config.DATA_DIR, 'library'), { recursive: true })
  const again = await buyer.gets(q)
  assert.deepEqual(of(kept, again), of(kept, found))
  assert.equal(again['indexed'], kept.texts.length)
  assert.equal(again['owned'], kept.texts.length + lost.texts.length)
})

const ELSEWHERE = 'older texts: TEXT_STORE is another place than where they lie'

const UNSET = 'older texts: TEXT_STORE is not set, and they lie there'

test('a process without TEXT_STORE says so, also of texts that others move there later', async (t) => {
  const empty = await testService(t)
  const { readiness } = empty.service.context
  readiness.degraded = ['nobody has looked yet']
  await until('it is looked at', () => readiness.degraded.length === 0)
  await (await empty.customer()).orders({ urls: ['@smallworkshop'], maxVideos: 4 })
  const { db: itsDb, pool: itsPool } = empty.database
  await packTexts({ db: itsDb, pool: itsPool, textStore, minSeconds: 0, isAll: true })
  await untilDegraded(empty.service, [UNSET])
})

test('a process whose TEXT_STORE is missing, or another place, says so, and removes nothing', async () => {
  const { job, row, key } = await orderedInPack(await customer(), '@smallworkshop')
  await untilDegraded(await another({ TEXT_STORE: '' }), [UNSET])
  const TEXT_STORE = store.env['TEXT_STORE']!.replace('some/prefix', 'another')
  const elsewhere = await another({ TEXT_STORE })
  await untilDegraded(elsewhere, [ELSEWHERE])
  const gone = [job['id'], row['index']]
  await pool.query('delete from transcript_body where job_id = $1 and index = $2', gone)
  const there = { db, pool, textStore: elsewhere.context.textStore as TextStore }
  for (let times = 0; times < 2; times += 1)
    await assert.rejects(packTexts({ ...there, minSeconds: 0, isAll: true }), {
      message: ELSEWHERE,
    })
  for (let times = 0; times < 2; times += 1) await pack()
  assert.equal(store.objects.has(key), false)
})
