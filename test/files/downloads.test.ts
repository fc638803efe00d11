/** Downloads over HTTP: every file of a job, its headers, ranges, tags and the callers that may have it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import zlib from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { request } from 'undici'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { namesIn, startFileService } from './file-service.ts'
import { SEGMENTS, VIDEOS } from './recorded-videos.ts'

const service = await startFileService({ after })
const customer = await service.customer()
const job = await customer.recordsJob(VIDEOS, { formats: [...FORMATS], isFinal: true })

const EXPECTED: [file: string, type: string, name: string, content: string][] = [
  ['1.txt', 'text/plain; charset=utf-8', '1.txt', 'Hello there.\n\n<b>bold</b> words\n'],
  ['1.json', 'application/json; charset=utf-8', '1.json', JSON.stringify(SEGMENTS)],
  [
    '3.vtt',
    'text/plain; charset=utf-8',
    '3.vtt',
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello there.\n\n',
  ],
  [
    '3.srt',
    'text/plain; charset=utf-8',
    '3.srt',
    '1\n00:00:00,000 --> 00:00:01,000\nHello there.\n\n',
  ],
]

for (const [file, type, name, content] of EXPECTED) {
  test(`${file} comes as an attachment, plain or packed`, async () => {
    const plain = await customer.downloads(`${job.id}/files/${file}`)
    assert.equal(plain.status, 200)
    assert.equal(String(plain.body), content)
    assert.equal(plain.headers['content-type'], type)
    assert.equal(plain.headers['content-length'], String(plain.body.length))
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(plain.headers['vary'], 'Accept-Encoding')
    assert.equal(plain.headers['etag'], `"${createHash('sha256').update(content).digest('hex')}"`)
    assert.match(plain.headers['cache-control'] ?? '', /^private, no-cache$/)
    assert.equal(
      plain.headers['content-disposition'],
      `attachment; filename="${name}"; filename*=UTF-8''${name}`,
    )

    const packed = await customer.downloads(`${job.id}/files/${file}`, {
      'accept-encoding': 'br, gzip',
    })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal(packed.headers['content-length'], undefined)
    assert.equal(String(zlib.gunzipSync(packed.body)), content)
    const byZstd = await customer.downloads(`${job.id}/files/${file}`, {
      'accept-encoding': 'gzip, zstd',
    })
    assert.equal(byZstd.headers['content-encoding'], 'zstd')
    assert.equal(String(zlib.zstdDecompressSync(byZstd.body)), content)
    const tags = [plain, packed, byZstd].map(({ headers }) => headers['etag'])
    assert.equal(new Set(tags).size, 3)
  })
}

test('all.txt holds the delivered texts in order, plain or packed', async () => {
  const plain = await customer.downloads(`${job.id}/files/all.txt`)
  assert.equal(plain.headers['content-type'], 'text/plain; charset=utf-8')
  const text = String(plain.body)
  assert.match(
    text,
    /^Index: 1\nTitle: First: the title\nChannel: A channel\nPublished: 2026-01-02T03:04:05Z\n/,
  )
  assert.match(text, /\n\nIndex: 3\nTitle: Dritter Film — 東京\n/)
  assert.doesNotMatch(text, /Index: 2/)
  const packed = await customer.downloads(`${job.id}/files/all.txt`, { 'accept-encoding': 'gzip' })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(String(zlib.gunzipSync(packed.body)), text)
})

test('report.csv has a line for every video, failures included, plain or packed', async () => {
  const { headers, body } = await customer.downloads(`${job.id}/files/report.csv`)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  const packed = await customer.downloads(`${job.id}/files/report.csv`, {
    'accept-encoding': 'gzip',
  })
  assert.deepEqual(zlib.gunzipSync(packed.body), body)
  const rows = parse(body, { columns: true }) as Record<string, string>[]
  assert.deepEqual(
    rows.map((row) => [row.index, row.title, row.status, row.chargedUsd]),
    [
      ['1', 'First: the title', 'success', '0.008'],
      ['2', "'=cmd()", 'no_captions', '0.000'],
      ['3', 'Dritter Film — 東京', 'success', '0.008'],
    ],
  )
  const marked = await customer.downloads(`${job.id}/files/report.csv?bom=1`)
  assert.deepEqual(marked.body.subarray(3), body)
  assert.notEqual(marked.headers['etag'], headers['etag'])
})

test('a ZIP is sent with its length, the same each time', async () => {
  const { status, headers, body } = await customer.downloads(`${job.id}/files/zip`, {
    'accept-encoding': 'gzip',
  })
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/zip')
  assert.equal(headers['content-length'], String(body.length))
  assert.equal(headers['content-encoding'], undefined)
  assert.equal(headers['accept-ranges'], 'bytes')
  assert.match(
    headers['content-disposition'] ?? '',
    new RegExp(`filename="transcripts-${job.id}.zip"`),
  )
  const names = [
    '1.json',
    '1.srt',
    '1.txt',
    '1.vtt',
    '3.json',
    '3.srt',
    '3.txt',
    '3.vtt',
    'all-transcripts.txt',
    'report.csv',
  ]
  assert.deepEqual(namesIn(body), names)

  const again = await customer.downloads(`${job.id}/files/zip`)
  assert(again.body.equals(body))
  assert.equal(again.headers['etag'], headers['etag'])
})

test('readable names come on wish, in the ZIP and where a file is saved', async () => {
  const { body } = await customer.downloads(`${job.id}/files/zip?names=title`)
  const names = ['1 First - the title.json', '3 Dritter Film — 東京.json', 'report.csv']
  for (const name of names) assert(namesIn(body).includes(name), name)
  const { headers } = await customer.downloads(`${job.id}/files/3.txt?names=title`)
  assert.match(
    headers['content-disposition'] ?? '',
    /filename\*=UTF-8''3%20Dritter%20Film%20%E2%80%94%20/,
  )
})

for (const file of [
  '2.txt',
  '0.txt',
  '01.txt',
  '4.txt',
  '99999999999.json',
  '1.mp3',
  'all.csv',
  'zip.zip',
  '..%2Fzip',
  '1.txt%0a',
]) {
  test(`there is no file ${file}`, async () => {
    const { status, body } = await customer.downloads(`${job.id}/files/${file}`)
    assert.equal(status, 404)
    assert.equal(JSON.parse(String(body)).error.code, 'not_found')
  })
}

test('a file of another account is as if it were missing', async () => {
  const stranger = await service.customer()
  const foreign = await stranger.downloads(`${job.id}/files/zip`)
  const missing = await stranger.downloads(`${'x'.repeat(20)}/files/zip`)
  assert.equal(foreign.status, 404)
  assert.deepEqual(foreign.body, missing.body)
})

test('a job has the files of the formats it asked for, and text and segments always', async () => {
  const asked = await customer.recordsJob(VIDEOS, { formats: ['vtt'], isFinal: true })
  const statusOf = async (file: string) =>
    (await customer.downloads(`${asked.id}/files/${file}`)).status
  assert.deepEqual(await Promise.all(['1.txt', '1.json', '1.vtt'].map(statusOf)), [200, 200, 200])
  assert.equal(await statusOf('1.srt'), 404)
  const { body } = await customer.downloads(`${asked.id}/files/zip`)
  assert.deepEqual(namesIn(body), ['1.vtt', '3.vtt', 'all-transcripts.txt', 'report.csv'])
})

test('a ZIP holds the formats that were asked for, of those that there are', async () => {
  const asked = await customer.recordsJob(VIDEOS, { formats: ['vtt'], isFinal: true })
  const namesOf = async (query: string) => {
    const { status, body } = await customer.downloads(`${asked.id}/files/zip?${query}`)
    assert.equal(status, 200, String(body))
    return namesIn(body).filter((name) => /^\d/.test(name))
  }
  assert.deepEqual(await namesOf('formats=text'), ['1.txt', '3.txt'])
  assert.deepEqual(await namesOf('formats=srt,vtt'), ['1.vtt', '3.vtt'])
  assert.deepEqual(await namesOf('formats=segments&exports=md'), [
    '1.json',
    '1.md',
    '3.json',
    '3.md',
  ])
  const wrong = await customer.downloads(`${asked.id}/files/zip?formats=pdf`)
  assert.equal(wrong.status, 400)
  const [some, all] = await Promise.all([
    customer.downloads(`${asked.id}/files/zip?formats=text`),
    customer.downloads(`${asked.id}/files/zip`),
  ])
  assert.notEqual(some.headers['etag'], all.headers['etag'])
})

test('a ZIP holds what finished after so many others, while a job runs and when it is final', async () => {
  const running = await customer.recordsJob(VIDEOS, { formats: ['text'], isFinal: false })
  await running.records(5, { title: 'Fifth', segments: SEGMENTS })
  await running.records(4, { title: 'Fourth', segments: SEGMENTS })
  const filesAfter = async (after: number, query = '') => {
    const { body } = await customer.downloads(`${running.id}/files/zip?after=${after}${query}`)
    return namesIn(body)
  }
  const rest = ['all-transcripts.txt', 'report.csv']
  const expectAll = async () => {
    assert.deepEqual(await filesAfter(0), ['1.txt', '3.txt', '4.txt', '5.txt', ...rest])
    assert.deepEqual(await filesAfter(2), ['3.txt', '4.txt', '5.txt', ...rest])
    assert.deepEqual(await filesAfter(4), ['4.txt', ...rest])
    assert.deepEqual(await filesAfter(4, '&exports=md'), ['4.md', '4.txt', ...rest])
    assert.deepEqual(await filesAfter(5), rest)
  }
  await expectAll()
  await running.finishes()
  await expectAll()
})

test('a job that delivered nothing has its ZIP, an empty all.txt and a report', async () => {
  const empty = await customer.recordsJob([{ title: null, segments: null }], {
    formats: [...FORMATS],
    isFinal: true,
  })
  const { body } = await customer.downloads(`${empty.id}/files/zip`)
  assert.deepEqual(namesIn(body), ['all-transcripts.txt', 'report.csv'])
  assert.equal((await customer.downloads(`${empty.id}/files/all.txt`)).body.length, 0)
  const report = await customer.downloads(`${empty.id}/files/report.csv`)
  assert.equal(parse(report.body, { columns: true }).length, 1)
})

test('while a job runs its files hold what there is, and are not kept', async () => {
  const running = await customer.recordsJob(VIDEOS.slice(0, 1), {
    formats: ['text'],
    isFinal: false,
  })
  const before = await customer.downloads(`${running.id}/files/zip`, { range: 'bytes=0-1' })
  assert.equal(before.status, 200)
  assert.equal(before.headers['cache-control'], 'no-store')
  assert.equal(before.headers['etag'], undefined)
  assert.equal(before.headers['accept-ranges'], 'none')
  assert.deepEqual(namesIn(before.body), ['1.txt', 'all-transcripts.txt', 'report.csv'])

  await running.records(3, { title: 'Third', segments: SEGMENTS })
  const later = await customer.downloads(`${running.id}/files/zip`)
  assert.deepEqual(namesIn(later.body), ['1.txt', '3.txt', 'all-transcripts.txt', 'report.csv'])
  const report = await customer.downloads(`${running.id}/files/report.csv`)
  const rows = parse(report.body, { columns: true }) as Record<string, string>[]
  assert.deepEqual(
    rows.map((row) => row.index),
    ['1', '3'],
  )

  await running.finishes()
  const final = await customer.downloads(`${running.id}/files/zip`)
  assert.match(final.headers['cache-control'] ?? '', /^private, no-cache$/)
  assert(final.body.equals(later.body))
})

test('the API description lists the download once, with its content types', async () => {
  type Operation = { responses: Record<string, { content?: object }> }
  type Document = { paths: Record<string, Record<string, Operation>> }
  const { body } = await request(`${service.url}/api/v1/openapi.json`)
  const { paths } = (await body.json()) as Document
  const listed =
    Object.entries(paths).find(([path]) => path.endsWith('/jobs/{id}/files/{file}'))?.[1] ?? {}
  assert.deepEqual(Object.keys(listed), ['get'])
  const types = Object.keys(listed['get']?.responses['200']?.content ?? {})
  assert.deepEqual(types, ['application/zip', 'text/plain', 'text/csv', 'application/json'])
})
