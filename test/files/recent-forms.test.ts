/** What a process recorded a short while ago is sent as it was packed: the same bytes, to those whose it is, while it is theirs. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Customer } from '../../conformance/customer.ts'
import type { Json } from '../../conformance/http.ts'
import { FORMATS } from '../../src/model/transcripts/formats.ts'
import { recentForms } from '../../src/features/transcripts/recent-forms.ts'
import { sweepTexts } from '../../src/features/transcripts/sweep-texts.ts'
import { testService } from '../support/service.ts'

const ORDER = { urls: ['@dailynotes'], maxVideos: 5, formats: [...FORMATS] }
const ROUTES = [
  'results',
  'files/zip',
  'files/all.txt',
  'files/1.json',
  'files/2.srt',
  'files/3.vtt',
]
const HEADERS: Record<string, string>[] = [{}, { 'accept-encoding': 'gzip' }]
const BODY = { TRANSCRIPT_STORAGE: 'body' }

const service = await testService({ after }, { env: BODY })

beforeEach(() => recentForms.clear())

/** Status and bytes of every route. */
async function answersOf(customer: Customer, { id }: Json): Promise<[string, number, string][]> {
  const answers: [string, number, string][] = []
  for (const route of ROUTES)
    for (const headers of HEADERS) {
      const { status, bytes } = await customer.asks('GET', `/jobs/${id}/${route}`, { headers })
      answers.push([`${route} ${JSON.stringify(headers)}`, status, bytes.toString('base64')])
    }
  return answers
}

/** Puts other bodies in the place of those that are stored. Returns what puts these back. */
async function spoilBodies(): Promise<() => Promise<void>> {
  const { pool } = service.database
  await pool.query('create table sound as select job_id, index, body from transcript_body')
  await pool.query(`update transcript_body set body = '\\x0100'`)
  return async () => {
    await pool.query(
      'update transcript_body b set body = s.body from sound s where (s.job_id, s.index) = (b.job_id, b.index)',
    )
  }
}

test('whoever reads a job when it ends gets what was packed; the same bytes as whoever comes later', async () => {
  const customer = await service.customer()
  const { job } = await customer.orders(ORDER)
  assert.equal(job['progress'].delivered, 5)
  const restore = await spoilBodies()
  const soon = await answersOf(customer, job)
  assert.ok(soon.every(([, status]) => status === 200))

  recentForms.clear()
  const { status } = await customer.asks('GET', `/jobs/${job['id']}/files/1.json`)
  assert.equal(status, 500, 'without what was kept, the spoilt bodies are read')
  await restore()
  assert.deepEqual(await answersOf(customer, job), soon)
})

test('a part of what is asked for may be kept, and the rest be read', async () => {
  const customer = await service.customer()
  const { job } = await customer.orders(ORDER)
  const all = await answersOf(customer, job)
  recentForms.clear()
  await customer.orders({
    ...ORDER,
    urls: ['https://www.youtube.com/@dailynotes?again=1'],
    maxVideos: 2,
    formats: ['srt'],
  })
  assert.ok(recentForms.bytes > 0)
  assert.deepEqual(await answersOf(customer, job), all)
})

test('nobody is given a text that was deleted, or that is of another account', async () => {
  const [customer, stranger] = [await service.customer(), await service.customer()]
  const { job } = await customer.orders(ORDER)
  const foreign = await answersOf(stranger, job)
  assert.ok(foreign.every(([, status]) => status === 404))

  const { pool, db } = service.database
  await pool.query(`update job set finished_at = finished_at - interval '40 days' where id = $1`, [
    job['id'],
  ])
  assert.equal(await sweepTexts(db, 30), 1)
  assert.ok(recentForms.bytes > 0)
  const later = await answersOf(customer, job)
  assert.ok(later.every(([name, status]) => status === (name.startsWith('results') ? 200 : 404)))
  const { videos } = await customer.gets(`/jobs/${job['id']}/results`)
  assert.ok(videos.every(({ text }: Json) => text === null))
})

test('a worker whose process answers no callers keeps nothing', async (t) => {
  const apart = await testService(t, { env: { ...BODY, ROLES: 'api' } })
  await apart.another({ ROLES: 'worker' })
  const customer = await apart.customer()
  const { rows } = await customer.orders(ORDER)
  assert.equal(rows.filter(({ text }) => text !== null).length, 5)
  assert.equal(recentForms.bytes, 0)
})
