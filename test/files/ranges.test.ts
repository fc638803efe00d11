/** Downloads asked for in part, again, or without their bytes. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { startFileService } from './file-service.ts'
import { VIDEOS } from './recorded-videos.ts'

const service = await startFileService({ after })
const customer = await service.customer()
const job = await customer.recordsJob(VIDEOS, { formats: [...FORMATS], isFinal: true })

test('a part of any file can be asked for, and a download be resumed', async () => {
  for (const file of ['zip', 'all.txt', 'report.csv', '1.txt']) {
    const whole = await customer.downloads(`${job.id}/files/${file}`)
    const size = whole.body.length
    const ranges = [`bytes=0-0`, `bytes=3-`, `bytes=-7`, `bytes=2-9`]
    for (const range of ranges) {
      const part = await customer.downloads(`${job.id}/files/${file}`, {
        range,
        'accept-encoding': 'gzip',
      })
      assert.equal(part.status, 206)
      assert.equal(part.headers['content-encoding'], undefined)
      assert.equal(part.headers['etag'], whole.headers['etag'])
      const [, first = '', last = ''] =
        /^bytes (\d+)-(\d+)\/\d+$/.exec(part.headers['content-range'] ?? '') ?? []
      assert(
        part.body.equals(whole.body.subarray(Number(first), Number(last) + 1)),
        `${file} ${range}`,
      )
    }
    const beyond = await customer.downloads(`${job.id}/files/${file}`, { range: `bytes=${size}-` })
    assert.equal(beyond.status, 416)
    assert.equal(beyond.headers['content-range'], `bytes */${size}`)
    assert.equal(JSON.parse(String(beyond.body)).error.code, 'invalid_request')

    const etag = whole.headers['etag'] ?? ''
    const resumed = await customer.downloads(`${job.id}/files/${file}`, {
      range: 'bytes=5-',
      'if-range': etag,
    })
    assert.equal(resumed.status, 206)
    const changed = await customer.downloads(`${job.id}/files/${file}`, {
      range: 'bytes=5-',
      'if-range': '"other"',
    })
    assert.equal(changed.status, 200)
    assert(changed.body.equals(whole.body))
    const several = await customer.downloads(`${job.id}/files/${file}`, { range: 'bytes=0-1,4-5' })
    assert.equal(several.status, 200)
  }
})

test('a client that holds a file is told so without its bytes', async () => {
  for (const file of ['zip', 'all.txt', 'report.csv', '1.json']) {
    for (const encoding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': encoding }
      const first = await customer.downloads(`${job.id}/files/${file}`, headers)
      const etag = first.headers['etag'] ?? ''
      const again = await customer.downloads(`${job.id}/files/${file}`, {
        ...headers,
        'if-none-match': `"x", ${etag}`,
      })
      assert.equal(again.status, 304)
      assert.equal(again.body.length, 0)
      assert.equal(again.headers['etag'], etag)
      assert.ok('x-ratelimit-limit' in again.headers)
    }
  }
})

test('HEAD tells what GET would, without a body', async () => {
  for (const file of ['zip', 'all.txt', 'report.csv', '1.srt']) {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const get = await customer.downloads(`${job.id}/files/${file}`, headers)
      const head = await customer.downloads(
        `${job.id}/files/${file}`,
        { ...headers, range: 'bytes=0-1' },
        'HEAD',
      )
      assert.equal(head.status, 200)
      assert.equal(head.body.length, 0)
      const told = [
        'content-length',
        'content-type',
        'content-encoding',
        'content-disposition',
        'etag',
        'vary',
        'accept-ranges',
      ]
      for (const name of told)
        assert.equal(head.headers[name], get.headers[name], `${file} ${name}`)
    }
  }
  assert.equal((await customer.downloads(`${job.id}/files/9.txt`, {}, 'HEAD')).status, 404)
})
