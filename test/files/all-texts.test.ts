/** `texts=all`: files of an order with the texts that other orders of the account brought for its rows. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { EXPORT_FILES, WHOLE_FILES } from '../../src/model/files/catalogue.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'
import { unzipped } from '../support/unzipped.ts'

const { platform, customer, database } = await sharedService({ after })
const CHANNEL = platform.world.channel('spanish').handle!

async function orders(buyer: Customer, body: Json, query = '?owned=skip'): Promise<string> {
  const reply = await buyer.asks('POST', `/jobs${query}`, { body })
  assert.equal(reply.status, 201, reply.bytes.toString())
  return (await buyer.waitsFor(reply.body)).id
}

const located = async (buyer: Customer, id: string): Promise<Json[]> =>
  (await buyer.gets(`/jobs/${id}/results?limit=200&view=located`)).videos

const namesIn = (zip: Buffer, ending: string): string[] =>
  [...unzipped(zip).keys()].filter(
    (name) => name.endsWith(ending) && name !== 'all-transcripts.txt',
  )

/** Orders a few videos, then the whole channel: of the second order, some rows are texts of the first. */
async function ordersTwice(buyer: Customer) {
  const first = await orders(buyer, { urls: [CHANNEL], maxVideos: 4 })
  const bought: string[] = (await located(buyer, first))
    .filter(({ status }) => status === 'success')
    .map(({ videoId }) => videoId)
  const second = await orders(buyer, { urls: [CHANNEL, ...bought.slice(0, 1)], maxVideos: 3 })
  const rows = await located(buyer, second)
  const [own, earlier] = ['success', 'unchanged'].map((one) =>
    rows.filter(({ status }) => status === one),
  )
  assert.ok(own!.length > 0 && earlier!.length > 0)
  return { first, second, rows, own: own!, earlier: earlier! }
}

test('a file holds what the order brought, and with texts=all what earlier ones brought for its rows', async () => {
  const buyer = await customer('10')
  const { first, second, rows, own, earlier } = await ordersTwice(buyer)
  for (const { status, owned } of rows)
    assert.equal(owned?.jobId ?? null, status === 'unchanged' ? first : null, status)

  const files = `/jobs/${second}/files`
  const plain = await buyer.asks('GET', `${files}/zip`)
  const whole = await buyer.asks('GET', `${files}/zip?texts=all`)
  assert.deepEqual(
    namesIn(plain.bytes, '.txt').sort(),
    own.map(({ index }) => `${index}.txt`).sort(),
  )
  const expected = [...own, ...earlier].map(({ index }) => `${index}.txt`).sort()
  assert.deepEqual(namesIn(whole.bytes, '.txt').sort(), expected)
  for (const { headers } of [plain, whole])
    assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.notEqual(plain.headers.get('etag'), whole.headers.get('etag'))

  const texts = unzipped(whole.bytes)
  const ofFirst = unzipped(await buyer.downloads(`/jobs/${first}/files/zip`))
  for (const { index, owned } of earlier) {
    assert.equal(texts.get(`${index}.txt`), ofFirst.get(`${owned.index}.txt`))
    const alone = await buyer.downloads(`${files}/${index}.txt?texts=all`)
    assert.equal(alone.toString(), texts.get(`${index}.txt`))
    assert.equal((await buyer.asks('GET', `${files}/${index}.txt`)).status, 404)
  }
  const allText = await buyer.downloads(`${files}/all.txt?texts=all`)
  assert.equal(allText.toString(), texts.get('all-transcripts.txt'))
  assert.deepEqual(
    [...allText.toString().matchAll(/^Index: (\d+)$/gm)].map(([, index]) => Number(index)),
    [...own, ...earlier].map(({ index }) => index).sort((a, b) => a - b),
  )
  const report = (await buyer.downloads(`${files}/report.csv?texts=all`)).toString()
  assert.equal(report, texts.get('report.csv'))
  assert.equal(report.trim().split('\r\n').length, rows.length + 1)
  assert.match(report.split('\r\n')[0]!, /,chargedUsd,textJobId,textIndex$/)
  for (const { index, owned } of earlier)
    assert.match(report, new RegExp(`^${index},.*,${owned.jobId},${owned.index}$`, 'm'))

  const range = { Range: 'bytes=100-4999' }
  const part = await buyer.asks('GET', `${files}/zip?texts=all`, { headers: range })
  assert.deepEqual([part.status, part.bytes], [206, whole.bytes.subarray(100, 5000)])
  const head = await buyer.asks('HEAD', `${files}/zip?texts=all`)
  assert.equal(head.headers.get('content-length'), String(whole.bytes.length))
  assert.equal(head.headers.get('etag'), whole.headers.get('etag'))
})

test('every file of all texts takes texts=all, and without it holds the texts of the order alone', async () => {
  const buyer = await customer('10')
  const { second, own, earlier } = await ordersTwice(buyer)
  const bytesOf = async (path: string): Promise<string> =>
    (await buyer.downloads(path)).toString('latin1')
  const paths = [
    ...WHOLE_FILES.map((file) => `files/${file}?`),
    'files/zip?exports=md,words&',
    ...EXPORT_FILES.map((file) => `${file}?`),
  ]
  for (const path of paths) {
    const [plain, all] = [
      await bytesOf(`/jobs/${second}/${path}`),
      await bytesOf(`/jobs/${second}/${path}texts=all`),
    ]
    for (const { videoId } of own) assert.ok(plain.includes(videoId) || path.includes('zip'), path)
    for (const { videoId, owned } of earlier) {
      if (!path.includes('zip')) assert.ok(all.includes(videoId), `${path} ${videoId}`)
      if (!path.includes('report')) assert.ok(all.length > plain.length, path)
      else assert.ok(all.includes(`${owned.jobId},${owned.index}`))
    }
    const refused = await buyer.asks('GET', `/jobs/${second}/${path}texts=some`)
    assert.equal(refused.status, 400, path)
  }
})

test('a text that goes, goes from all texts too, with another ETag; texts of other accounts are in none', async () => {
  const [buyer, stranger] = [await customer('10'), await customer('10')]
  const { first, second, own } = await ordersTwice(buyer)
  const zip = `/jobs/${second}/files/zip?texts=all`
  assert.equal((await stranger.asks('GET', zip)).status, 404)
  const before = (await buyer.asks('HEAD', zip)).headers.get('etag')!
  await database.pool.query('update job set texts_deleted_at = now() where id = $1', [first])
  const left = await buyer.asks('GET', zip, { headers: { 'If-None-Match': before } })
  assert.equal(left.status, 200)
  assert.deepEqual(
    namesIn(left.bytes, '.txt').sort(),
    own.map(({ index }) => `${index}.txt`).sort(),
  )
  await database.pool.query('update job set texts_deleted_at = now() where id = $1', [second])
  const none = await buyer.asks('GET', zip)
  assert.equal(none.status, 404)
  assert.match(none.body.error.message, /deleted/)
})

test('a batch has the files of its jobs, each text once, and all texts on wish', async () => {
  const buyer = await customer('20')
  const early = await orders(buyer, { urls: [CHANNEL], maxVideos: 2 })
  const handle = platform.world.channel('small').handle!
  const body = { urls: [CHANNEL, handle], maxVideos: 30 }
  const { body: batch } = await buyer.asks('POST', '/batches', { body })
  const path = `/batches/${batch.id}`
  for (let state = 'running'; state === 'running';) state = (await buyer.gets(path)).state
  const { jobs, title } = await buyer.gets(path)
  const delivered = jobs.reduce((sum: number, one: Json) => sum + one['delivered'], 0)
  const had = (await buyer.gets(`/jobs/${early}`)).progress.delivered

  const plain = await buyer.asks('GET', `${path}/files/zip?names=title&formats=text`)
  assert.equal(namesIn(plain.bytes, '.txt').length, delivered)
  const disposition = decodeURIComponent(plain.headers.get('content-disposition')!)
  assert.ok(disposition.includes(title), disposition)
  const all = await buyer.downloads(`${path}/files/zip?names=title&formats=text&texts=all`)
  assert.equal(namesIn(all, '.txt').length, delivered + had)
  for (const file of [...WHOLE_FILES, ...EXPORT_FILES])
    assert.equal((await buyer.asks('GET', `${path}/files/${file}?texts=all`)).status, 200, file)
  assert.equal((await (await customer('1')).asks('GET', `${path}/files/zip`)).status, 404)
  assert.equal((await buyer.asks('GET', `${path}/files/1.txt`)).status, 404)
})
