/** Lines of an order: read once, when they come in, and taken from there by all that keeps or runs the order. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { JobBody } from '../../src/api/jobs/schema.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { keptLines, keptSource, type OrderLine } from '../../src/model/jobs/order.ts'
import { readOrder } from '../../src/model/jobs/read-order.ts'
import type { Source } from '../../src/model/platform/source.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { startJob } from '../../src/features/jobs/start-job.ts'
import { insertBatch } from '../../src/store/batches.ts'
import { findJob, stripJob } from '../../src/store/jobs.ts'
import { listSources } from '../../src/store/job-sources.ts'
import { insertPreview } from '../../src/store/previews.ts'
import { trackedFiles } from '../support/tracked-files.ts'
import { testDatabase } from '../support/database.ts'
import { openAccount } from '../support/money-fixtures.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { customer, database, platform, another } = await testService(
  { after },
  { env: { ROLES: 'api' } },
)
const { pool } = database
const { db } = await testDatabase({ after })
const { world } = platform

const FIXTURE = new URL('../platform/accepted-lines.jsonl', import.meta.url)
const ACCEPTED = [
  'https://www.youtube.com/@x1y/podcasts',
  ...fs
    .readFileSync(FIXTURE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as [string, Source])[0].trim()),
]

test('what lines were read as, and what was wanted of them, is kept with jobs, previews and batches', async () => {
  const accountId = await openAccount(db, 1_000_000n)
  const seen = new Set<string>()
  for (let at = 0; at < ACCEPTED.length; at += 40) {
    const order = readOrder(
      {
        urls: ACCEPTED.slice(at, at + 40),
        language: 'pt-BR',
        formats: ['srt', 'vtt'],
        maxVideos: 2,
        publishedAfter: '2025-01-01T10:00:00.5+02:00',
        publishedBefore: '2026-02-03',
      },
      at % 80 === 0 ? { owned: 'skip', track: 'asr' } : { owned: 'again' },
    )
    for (const { source } of order.lines) seen.add(source?.kind ?? 'none')
    const { lines, earlierSetHashes: _, ...terms } = order
    const { job } = await startJob(
      { db, maxActiveJobs: 1_000 },
      { accountId, order, connectionId: null, ownKey: null, idempotency: null, startedBy: null },
    )
    const head = { id: `kept-${at}`, accountId, name: null, connectionId: null, keyId: null }
    const batch = await transact(db, (tx) => insertBatch(tx, { ...head, order, bodyHash: `${at}` }))
    const asked = { id: `kept-${at}`, requestHash: `${at}`, requestedMaxVideos: 2 }
    const life = { listingSeconds: 600, keptSeconds: 600 }
    const preview = await transact(db, (tx) =>
      insertPreview(tx, { ...asked, accountId, order }, life),
    )
    assert.ok(preview !== null)
    for (const kept of [{ ...job, notices: terms.notices }, batch, preview]) {
      const same = Object.fromEntries(
        Object.keys(terms).map((name) => [name, Reflect.get(kept, name)]),
      )
      assert.deepEqual(same, terms)
      assert.deepEqual(
        kept.urls,
        lines.map(({ text }) => text),
      )
    }
    assert.deepEqual([keptLines(batch), keptLines(preview)], [lines, lines])
    assert.deepEqual(
      batch.sources,
      lines.map(({ source }) => source),
    )
    const sources = await listSources(db, job.id)
    assert.deepEqual(
      sources.map(({ line, source }): OrderLine => ({ text: line, source })),
      lines,
    )
  }
  assert.deepEqual([...seen].sort(), ['channel', 'lists', 'playlist', 'video'])
})

const small = world.channel('small')
const list = world.uploads(small, null)
const [one = '', two = '', three = ''] = [0, 1, 2].map((at) => list.at(at).videoId)

/** Orders by every way that keeps an order; nothing is taken up as long as there is no worker. */
async function ordersAll(buyer: Customer): Promise<Record<Way, Json>> {
  const asks = async (path: string, body: object): Promise<Json> =>
    (await buyer.asks('POST', path, { body })).body
  return {
    job: await asks('/jobs', { urls: one }),
    batch: await asks('/batches', { urls: [two, small.handle] }),
    preview: await asks('/previews', { urls: small.handle }),
    subscription: await asks('/subscriptions', { url: small.handle, monthlyCap: '1' }),
  }
}
type Way = 'job' | 'batch' | 'preview' | 'subscription'

/** Returns what became of the orders, once each was taken up. */
async function takenUp(buyer: Customer, orders: Record<Way, Json>) {
  const isSo = (path: string, is: (answer: Json) => boolean): Promise<number> =>
    until(path, async () => is(await buyer.gets(path)))
  const { job, batch, preview, subscription } = orders
  const [ofBatch, ofPreview] = [`/batches/${batch['id']}`, `/previews/${preview['id']}`]
  const ofSubscription = `/subscriptions/${subscription['id']}`
  await buyer.waitsFor(job)
  await isSo(ofBatch, ({ state }) => state === 'finished')
  await isSo(ofPreview, ({ state }) => state === 'ready')
  await isSo(ofSubscription, ({ lastLookedAt }) => lastLookedAt !== null)
  const videoOf = async (id: unknown): Promise<unknown> =>
    (await buyer.gets(`/jobs/${String(id)}/results?view=rows`))['videos'][0].videoId
  const jobOfBatch = (await buyer.gets(ofBatch))['jobs'][0].id
  const [source] = (await buyer.gets(ofPreview))['sources']
  const { title, neverFound } = await buyer.gets(ofSubscription)
  const videos = [await videoOf(job['id']), await videoOf(jobOfBatch)]
  return { videos, preview: source.title, followed: title, neverFound }
}

test('orders are what was read when they came in; of the release before, which kept lines alone, they are read', async () => {
  const [early, buyer] = [await customer('10'), await customer('10')]
  const before = await ordersAll(early)
  const named = async (): Promise<unknown[]> => [
    (await early.gets(`/jobs/${before.job['id']}?view=named`))['title'],
    (await early.gets(`/batches/${before.batch['id']}`))['title'],
  ]
  const titles = await named()
  await pool.query('update job_source set source = null')
  await pool.query('update subscription set source = null')
  await pool.query('update preview set sources = null')
  await pool.query('update batch set sources = null, body_hash = null')
  assert.deepEqual(await named(), titles)
  assert.deepEqual(titles, [`Video ${one}`, `Video ${two} and 1 more`])

  // This release may read the lines otherwise than that which took the orders.
  const now = await ordersAll(buyer)
  const { rows } = await pool.query('select source from subscription where id = $1', [
    now.subscription['id'],
  ])
  assert.deepEqual(rows[0].source, { kind: 'channel', name: `/${small.handle}`, tab: null })
  const video = JSON.stringify({ kind: 'video', videoId: three, besidePlaylistId: null })
  const other = world.channel('german')
  const channel = JSON.stringify({ kind: 'channel', name: `/${other.handle}`, tab: null })
  await pool.query('update job_source set source = $1 where job_id = $2', [video, now.job['id']])
  await pool.query(`update batch set sources = jsonb_set(sources, '{0}', $1) where id = $2`, [
    video,
    now.batch['id'],
  ])
  await pool.query('update preview set sources = jsonb_build_array($1::jsonb) where id = $2', [
    channel,
    now.preview['id'],
  ])
  await pool.query('update subscription set source = $1 where id = $2', [
    channel,
    now.subscription['id'],
  ])

  await another({ ROLES: 'worker' })
  const { title } = small
  const asSent = { preview: title, followed: title, neverFound: undefined }
  assert.deepEqual(await takenUp(early, before), { ...asSent, videos: [one, two] })
  const asKept = { preview: other.title, followed: other.title, neverFound: undefined }
  assert.deepEqual(await takenUp(buyer, now), { ...asKept, videos: [three, three] })
})

test('a line that the release before took and this one does not is nothing', () => {
  assert.equal(keptSource('https://vimeo.com/1', null), null)
  assert.deepEqual(keptLines({ urls: ['no line'], sources: null }), [
    { text: 'no line', source: null },
  ])
})

test('each field of an order makes it another preview', async () => {
  const buyer = await customer('10')
  const body = { urls: [one, two], maxVideos: 5 }
  const others: Record<keyof JobBody, Json> = {
    urls: { urls: [two, one] },
    language: { language: 'de' },
    formats: { formats: ['srt'] },
    maxVideos: { maxVideos: 4 },
    publishedAfter: { publishedAfter: '2020-01-01' },
    publishedBefore: { publishedBefore: '2040-01-01' },
  }
  const asks = async (path: string, more: Json = {}): Promise<string> =>
    (await buyer.asks('POST', path, { body: { ...body, ...more } })).body['id']
  const beside = [
    '/previews',
    '/previews?owned=skip',
    '/previews?track=asr',
    '/previews?track=manual',
  ]
  const ids = await Promise.all(beside.map((path) => asks(path)))
  for (const more of Object.values(others)) ids.push(await asks('/previews', more))
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(await Promise.all(beside.map((path) => asks(path))), ids.slice(0, beside.length))
})

test('of the order of a deleted account nothing stays but how many videos it might take', async () => {
  const accountId = await openAccount(db, 1_000_000n)
  const order = readOrder(
    { urls: one, publishedAfter: '2020-01-01', publishedBefore: '2040-01-01' },
    { track: 'asr' },
  )
  const { job } = await startJob(
    { db, maxActiveJobs: 10 },
    {
      accountId,
      connectionId: null,
      ownKey: null,
      idempotency: null,
      startedBy: null,
      order: { ...order, notices: ['told'] },
    },
  )
  await sql`update job set state = 'cancelled', finished_at = now(), charged_micros = 0 where id = ${job.id}`.execute(
    db,
  )
  await transact(db, (tx) => stripJob(tx, job.id, 'hash'))
  const stripped = await findJob(db, { accountId, jobId: job.id })
  assert.ok(stripped !== null)
  const { lines: _, earlierSetHashes: __, ...terms } = order
  const left = Object.keys(terms).map((name) => [name, Reflect.get(stripped, name)])
  assert.deepEqual(Object.fromEntries(left), {
    urlSetHash: '',
    language: '',
    wishedTrack: null,
    formats: [],
    maxVideos: job.maxVideos,
    publishedAfter: null,
    publishedBefore: null,
    afterAt: null,
    beforeAt: null,
    skipsOwned: false,
    notices: [],
  })
  assert.deepEqual(stripped.urls, [])
})

/** The doctor's cases are lines of a file, which no order keeps. */
const OF_CASES = ['src/platform/youtube/platform-cases.ts', 'src/platform/youtube/run-cases.ts']

test('nobody reads a line but the door, and what takes up orders of the release before', () => {
  const readers = trackedFiles().filter(
    (file) =>
      /^src\/.*(?<!\.test)\.ts$/.test(file) && /\breadSource\b/.test(fs.readFileSync(file, 'utf8')),
  )
  assert.deepEqual(readers, [
    'src/model/jobs/order.ts',
    'src/model/jobs/url-set.ts',
    'src/model/platform/line-parts.ts',
    'src/model/platform/near-miss.ts',
    'src/model/platform/source.ts',
    ...OF_CASES,
  ])
})
