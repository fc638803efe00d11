/**
 * Previews beside jobs: they take up what a job takes up, cost what an operator allows, and share turns with all work.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '../../tools/conformance/http.ts'
import { NO_FINDINGS } from '../../src/model/previews/preview.ts'
import { recordFindings } from '../../src/features/previews/previews.ts'
import { VISITORS } from '../../src/model/previews/trial.ts'
import { claimPreview } from '../../src/store/previews.ts'
import { channelUrl, playlistUrl, uploadsOf } from '../repeats/asking-again.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startsFrom, triedOf, views } from './previewing.ts'

const env = {
  ROLES: 'api',
  PREVIEWS_PER_HOUR: '1000',
  FREE_CALLS_PER_DAY: '20',
  FREE_CALLS_PER_USD: '20',
}
const service = await testService({ after }, { env })
const { platform, database } = service
const { world, log } = platform
const asked = (kind: string): number => log.counts().byKind[kind] ?? 0
const channel = world.channel('small')

async function waits(body: Json): Promise<{ id: string; look(): Promise<Json> }> {
  const customer = await service.customer()
  const { status, body: preview } = await customer.asks('POST', '/previews', { body })
  assert.deepEqual([status, preview['state']], [201, 'listing'])
  const { id } = preview as { id: string }
  const look = async (): Promise<Json> => {
    const seen = await customer.gets(`/previews/${id}?wait=30`)
    return seen['state'] === 'listing' ? look() : seen
  }
  return { id, look }
}

test('a preview that nobody lists in time says so, and costs at most what its job may', async () => {
  const { id, look } = await waits({ urls: channelUrl(channel), maxVideos: 7 })
  await database.pool.query('update preview set ends_at = now() where id = $1', [id])
  const preview = await look()
  assert.equal(preview['state'], 'ready')
  assert.match(preview['sources'][0].error, /^Not read in time/)
  assert.deepEqual([preview['wouldTake'], preview['costAtMost']], [0, '0.056'])
})

test('a worker that stops in the middle hands it on: no page is asked for twice, and what it still writes is void', async () => {
  const list = channelUrl(world.channel('medium'))
  platform.apply({ faults: [{ do: 'hang', on: 'browse', after: 1, per: 'all' }] })
  log.reset()
  const first = await service.another({ ROLES: 'worker', STOP_GRACE: '0' })
  const { id, look } = await waits({ urls: list })
  await until('the second page hangs', async () => asked('browse') === 2)
  await first.close()
  platform.clear()
  const { rows } = await database.pool.query('select attempt from preview where id = $1', [id])
  const second = await service.another({ ROLES: 'worker' })
  const preview = await look()
  await second.close()
  assert.deepEqual([preview['state'], preview['wouldTake']], ['ready', 500])
  assert.equal(asked('browse'), 4, 'three pages, one of them asked for again')
  const late = { findings: NO_FINDINGS, isReady: true }
  assert.equal(await recordFindings(database.db, { id, attempt: rows[0].attempt }, late), false)
})

test('where jobs take all places, a preview waits until one is free', async () => {
  const worker = await service.another({ ROLES: 'worker', WORKER_JOBS: '1', JOB_VIDEOS: '2' })
  holdAfter(platform, 1)
  log.reset()
  const buyer = await service.customer()
  const job = await buyer.startsJob({ urls: channelUrl(channel), maxVideos: 12 })
  await until('the job is at work', async () => asked('timedtext') > 0)
  const { look } = await waits({ urls: playlistUrl(world.playlist('seven')) })
  platform.clear()
  assert.equal((await look())['wouldTake'], 7)
  const ended = await buyer.waitsFor(job)
  await worker.close()
  const kinds = log.recent(1000).map(({ kind }) => kind)
  assert.ok(ended['progress'].delivered > 0)
  const [newest] = kinds
  const oldest = kinds.at(-1)
  assert.deepEqual(
    [newest, oldest].toSorted(),
    ['browse', 'browse'],
    'first the job’s list, last the preview’s',
  )
})

test('a visitor waits behind every account, and never has two places of a worker', async () => {
  await database.pool.query('delete from preview')
  for (const video of ['AAAAAAAAAAA', 'BBBBBBBBBBB'])
    await fetch(`${service.address}/trial`, {
      method: 'POST',
      body: new URLSearchParams({ video }),
    })
  const { id } = await waits({ urls: channelUrl(channel) })
  const claims = async (full: string[]): Promise<string | null | undefined> =>
    (await claimPreview(database.db, full))?.preview.accountId
  assert.equal(
    (await claimPreview(database.db, []))?.preview.id,
    id,
    'though it was asked for last',
  )
  assert.equal(await claims([VISITORS]), undefined)
  assert.deepEqual([await claims([]), await claims([]), await claims([])], [null, null, undefined])
  await database.pool.query('delete from preview')
})

test('what one account with a dollar can make the routes list is bounded, and previews leave half of it to jobs', async () => {
  const worker = await service.another({ ROLES: 'worker' })
  log.reset()
  const customer = await service.customer('1')
  const lists = ['mid', 'huge', 'hundred', 'dups', 'private', 'seven'].map((key) =>
    playlistUrl(world.playlist(key)),
  )
  const previews = []
  for (const list of [
    ...lists,
    channelUrl(world.channel('large')),
    channelUrl(world.channel('vast')),
  ])
    for (const spelling of [list, `${list}${list.includes('?') ? '&' : '?'}x=1`])
      previews.push(await views(customer, { urls: spelling }))
  for (let number = 0; number < 12; number += 1)
    previews.push(await views(customer, { urls: `https://www.youtube.com/@nobody${number}` }))
  const ofPreviews = asked('browse') + asked('resolve_url')
  assert.ok(ofPreviews <= 20 && ofPreviews > 15, `${ofPreviews} of 20`)
  const errors = previews.map((preview) => preview['sources'][0].error)
  assert.match(errors.at(-1), /used their part of today's free listing; a job may still read it/)

  const { rows } = await customer.orders({
    urls: channelUrl(world.channel('vast')),
    publishedBefore: '2005-01-01',
  })
  assert.equal(rows.at(-1)?.['status'], 'truncated')
  const all = asked('browse') + asked('resolve_url') + asked('player')
  assert.ok(all <= 40 && all > ofPreviews, `${all} of 40`)
  await worker.close()
})

test('it takes up exactly what a job started at once takes up, again and again', async () => {
  const worker = await service.another({ ROLES: 'worker', FREE_CALLS_PER_DAY: '100000' })
  const named = uploadsOf(world, channel).map(({ videoId }) => videoId)
  const lines = [
    ...[0, 1, 2, 3].map((at) => named[at] ?? ''),
    'AAAAAAAAAAA',
    channelUrl(channel),
    ...['seven', 'dups', 'private', 'hundred'].map((key) => playlistUrl(world.playlist(key))),
    'https://www.youtube.com/@nobodyatall',
  ]
  const sets = fc.record({
    urls: fc.uniqueArray(fc.constantFrom(...lines), { minLength: 1, maxLength: 4 }),
    maxVideos: fc.integer({ min: 1, max: 6 }),
    isReused: fc.boolean(),
  })
  const property = fc.asyncProperty(sets, async ({ urls, maxVideos, isReused }) => {
    const customer = await service.customer()
    for (let turn = 0; turn < 3; turn += 1) {
      const body = { urls, maxVideos }
      const preview = await views(customer, body)
      const id = isReused ? preview['id'] : 'none'
      const { rows } = await startsFrom(customer, id, body)
      assert.equal(preview['wouldTake'], triedOf(rows), `turn ${turn}`)
      const sum = preview['sources'].reduce((all: number, each: Json) => all + each['wouldTake'], 0)
      assert.equal(sum, preview['wouldTake'])
    }
  })
  await fc.assert(property, { numRuns: 6, seed: 18 })
  await worker.close()
})
