/** The website's buttons that spend: the price on the button is what the order reserves. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const WEB = path.resolve(import.meta.dirname, '../../web/src')
// Its client is of the page's own address.
Object.assign(globalThis, { location: { origin: 'http://localhost' } })
after(() => Reflect.deleteProperty(globalThis, 'location'))
const { promiseOf, promiseOfForm } = await import(path.join(WEB, 'order-size.ts'))
const { usd } = await import(path.join(WEB, 'format.ts'))

/** Calls that order, each with its first argument. */
const ORDERS = /(?:\bjobs\.(?:start|startOrJoin)|\borderBatch)\(([^,)]*)/g

const { platform, customer } = await sharedService({ after })
const { world } = platform
const [CHANNEL, OTHER] = ['spanish', 'small'].map((name) => world.channel(name).handle!)

/** Orders as a button does: by the promise that a preview of the same request made. */
async function orders(buyer: Customer, request: Json, promised = promiseOf): Promise<Json> {
  const { body: begun } = await buyer.asks('POST', '/previews?owned=skip', { body: request })
  let found = begun
  while (found['state'] !== 'ready') found = await buyer.gets(`/previews/${begun['id']}`)
  const promise = promised(request, found)
  const query = `?owned=skip&preview=${found['id']}`
  const { body: job } = await buyer.asks('POST', `/jobs${query}`, { body: promise.request })
  assert.equal(usd(job['billing'].reserved), promise.price, JSON.stringify(request))
  const ended = await buyer.waitsFor(job)
  assert.ok(Number(ended['billing'].charged) <= Number(job['billing'].reserved))
  return { ...ended, found, promise }
}

test('what a button promises is reserved: of new lists, of owned ones, of several lines and of a typed limit', async () => {
  const buyer = await customer('20')
  const few = await orders(buyer, { urls: [CHANNEL], maxVideos: 3 })
  assert.equal(few['promise'].videos, 3)
  const rest = await orders(buyer, { urls: [CHANNEL, OTHER] })
  assert.equal(rest['promise'].videos, rest['found'].wouldTake)
  assert.ok(rest['found'].unchanged > 0 && rest['promise'].videos < 500)
  // Where nothing is new, an order still holds one place.
  const path = `/jobs/${few['id']}/results?view=rows&status=success&limit=1`
  const { videos } = await buyer.gets(path)
  const again = await orders(buyer, { urls: [videos[0].videoId] })
  assert.deepEqual([again['found'].costAtMost, again['promise'].price], ['0.000', '$0.008'])
  assert.equal(Number(again['billing'].charged), 0)
})

test('a form without a preview promises its limit, or its videos where all lines are videos', () => {
  const ofForm = (preview: Json, maxVideos: string, found?: Json): Json => {
    const options = { maxVideos, owned: 'skip' }
    const request = { urls: [], maxVideos: Number(maxVideos) }
    return promiseOfForm(request, { preview, options, found })
  }
  const videos = { links: 60, videos: 60, owned: { videos: 20 } }
  assert.deepEqual(
    [ofForm(videos, '500')['price'], ofForm(videos, '5')['price']],
    ['$0.32', '$0.04'],
  )
  const lists = { links: 2, videos: 1 }
  assert.equal(ofForm(lists, '7')['request'].maxVideos, 7)
  const found = (maxVideos: number, requestedMaxVideos = maxVideos): Json => ({
    costAtMost: '1.304',
    input: { maxVideos, requestedMaxVideos },
  })
  assert.equal(ofForm(lists, '500', found(500))['price'], '$1.304')
  assert.equal(ofForm(lists, '1200', found(1_200))['price'], '$1.304')
  // A preview that the balance lowered says nothing of what a batch takes, which goes on with credit.
  assert.equal(ofForm(lists, '1200', found(163, 1_200))['price'], '$9.60')
})

test('every order that a page sends is that of a promise', () => {
  const sent = fs
    .readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      [...fs.readFileSync(path.join(WEB, file), 'utf8').matchAll(ORDERS)].map(([, order]) => order),
    )
  assert.ok(sent.length >= 4)
  assert.deepEqual(new Set(sent), new Set(['promise.request']))
})
