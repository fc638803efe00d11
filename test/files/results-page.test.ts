/** Results pages over HTTP: JSON laid end to end from stored pieces, plain or as one gzip stream. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import zlib from 'node:zlib'
import { request } from 'undici'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { startFileService } from './file-service.ts'
import { LINES, TITLES } from './made-up-job.ts'

type Page = {
  total: number
  complete: boolean
  videos: {
    index: number
    title: string | null
    status: string
    text: string | null
    segments: unknown[] | null
    files: object
  }[]
}

const VIDEOS = Array.from({ length: 30 }, (_, at) => ({
  title: TITLES[at % TITLES.length]?.toWellFormed() ?? null,
  segments:
    at % 4 === 3
      ? null
      : LINES.map((line, index) => ({
          startMs: index * 1_000,
          endMs: index * 1_000 + 900,
          text: `${line} ${at}`.repeat(at * 9 + 1),
        })),
}))

const service = await startFileService({ after })
const customer = await service.customer()
const job = await customer.recordsJob(VIDEOS, { formats: [...FORMATS], isFinal: true })

test('a page shows text and segments as they were recorded, whatever they hold', async () => {
  const { status, headers, body } = await customer.downloads(`${job.id}/results?limit=200`)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers['content-length'], String(body.length))
  const page = JSON.parse(String(body)) as Page
  assert.equal(page.total, VIDEOS.length)
  assert.equal(page.complete, true)
  assert.deepEqual(
    page.videos.map(({ index, title, segments, text }) => ({ index, title, segments, text })),
    VIDEOS.map(({ title, segments }, at) => ({
      index: at + 1,
      title,
      segments,
      text: segments?.map(({ text }) => text).join(' ') ?? null,
    })),
  )
  for (const { status: became, files } of page.videos) {
    assert.equal(Object.keys(files).length, became === 'success' ? 4 : 0)
  }
})

test('a client that takes gzip gets the same page', async () => {
  const plain = await customer.downloads(`${job.id}/results`)
  const packed = await customer.downloads(`${job.id}/results`, { 'accept-encoding': 'gzip' })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(packed.headers['vary'], 'Accept-Encoding')
  assert(packed.body.length < plain.body.length / 4)
  assert(zlib.gunzipSync(packed.body).equals(plain.body))
})

test('a page beyond the end is empty', async () => {
  const { body } = await customer.downloads(`${job.id}/results?offset=500`)
  const page = JSON.parse(String(body)) as Page & { nextOffset: number | null }
  assert.deepEqual([page.videos, page.total, page.nextOffset], [[], VIDEOS.length, null])
})

test('HEAD of a page tells its length without reading its texts', async () => {
  const { pool } = service.ctx
  let statements = 0
  const count = () => void statements++
  pool.on('acquire', count)
  const get = await customer.downloads(`${job.id}/results`)
  const forGet = statements
  statements = 0
  const head = await customer.downloads(`${job.id}/results`, {}, 'HEAD')
  pool.off('acquire', count)
  assert.equal(head.status, 200)
  assert.equal(head.headers['content-length'], get.headers['content-length'])
  assert.equal(head.body.length, 0)
  assert(statements < forGet, `${statements} statements for HEAD, ${forGet} for GET`)
})

test('readers who leave in the middle cost nothing: more of them than there are connections', async () => {
  const { pool } = service.ctx
  for (let reader = 0; reader < (pool.options.max ?? 0) * 2; reader++) {
    const address = `${service.url}/api/v1/jobs/${job.id}/${reader % 2 === 0 ? 'results' : 'files/all.txt'}`
    const { body } = await request(address, {
      headers: { authorization: `Bearer ${customer.key}` },
    })
    for await (const _chunk of body) break // the break closes the connection
  }
  const { status, body } = await customer.downloads(`${job.id}/results`)
  assert.equal(status, 200)
  assert.equal((JSON.parse(String(body)) as Page).videos.length, VIDEOS.length)
  assert.equal(pool.waitingCount, 0)
})
