/** Lists that the platform cuts short or repeats for ever, as customers see them: in rows, previews and the library. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { truthOf } from '../../emulator/truth.ts'
import { asker, playlistUrl, withStatus } from '../repeats/asking-again.ts'
import { fillHistory } from '../repeats/known-videos.ts'
import { startsFrom, views } from '../previews/previewing.ts'
import { testService } from '../support/service.ts'

const service = await testService({ after })
const { platform } = service
const { world } = platform
const sourceRows = (rows: Json[]): Json[] => rows.filter(({ videoId }) => videoId === null)

test('a list of Shorts that is cut at 100 of 350 keeps its rows, and one row says so, as its preview did', async () => {
  const list = world.playlist('lostgrid')
  const urls = [playlistUrl(list)]
  const buyer = await asker(service)
  const preview = await views(await buyer.key(), { urls })
  const [source] = preview['sources']
  assert.deepEqual([source.isComplete, source.videos, source.wouldTake], [false, 350, 100])
  assert.match(source.error, /\b100 of the 350 videos\b/)
  assert.equal(preview['costAtMost'], '0.800')
  const beside = await views(await buyer.key(), {
    urls: [playlistUrl(world.playlist('seven')), ...urls],
    maxVideos: 7,
  })
  assert.equal(beside['sources'][1].isComplete, false)
  assert.match(beside['sources'][1].error, /\b100 of the 350 videos\b/)

  const { job, rows } = await startsFrom(await buyer.key(), preview['id'], { urls })
  assert.equal(job.state, 'finished')
  assert.equal(rows.length, 100 + 1)
  const [told, ...others] = sourceRows(rows)
  assert.deepEqual(
    [told?.status, told?.label, told?.url, others],
    ['failed', 'List cut short by the platform', urls[0], []],
  )
  assert.match(told?.errorMessage ?? '', /\b100 of the 350 videos\b/)
  const { collections } = await (await buyer.key()).gets('/library')
  const [collection] = (collections as Json[]).filter(
    ({ playlistId }) => playlistId === list.playlistId,
  )
  assert.deepEqual([collection?.['known'], collection?.['remaining']], [100, 0])
})

test('what the platform does not show is not promised to whoever sends the same URLs again', async () => {
  const buyer = await asker(service)
  const body = { urls: [playlistUrl(world.playlist('lostgrid'))], maxVideos: 1 }
  const first = await (await buyer.key()).startsJob(body, { Prefer: 'wait=60' })
  assert.match(String(first['notices']), /\b99 videos left, for at most \$0\.79\d?\./)
})

test('repeats get a list that repeats itself for ever, each video once, and a row says so after four pages', async () => {
  const list = world.playlist('endless')
  const urls = [playlistUrl(list)]
  const buyer = await asker(service)
  const [source] = (await views(await buyer.key(), { urls }))['sources']
  assert.deepEqual([source.isComplete, source.videos], [false, 90])
  const delivered: string[] = []
  for (let job = 0; job < 3; job += 1) {
    platform.log.reset()
    const { rows } = await buyer.asks({ urls, maxVideos: 40 })
    delivered.push(...withStatus(rows, 'success'))
  }
  assert.equal(platform.log.counts().byKind['browse'], 1 + 4, 'the list was read before')
  const { rows: last } = await buyer.asks({ urls, maxVideos: 40 })
  assert.equal(last.length, 90 + 1)
  assert.equal(withStatus(last, 'unchanged').length, delivered.length)
  assert.deepEqual(withStatus(last, 'success'), [])
  const [told, ...others] = sourceRows(last)
  assert.deepEqual(
    [told?.status, told?.label, others],
    ['failed', 'List ended: the platform repeats it', []],
  )
  assert.match(told?.errorMessage ?? '', /\b90 videos\b.*\b4 pages in a row\b/)
  const wanted = new Set(Array.from({ length: 90 }, (_, at) => list.at(at).videoId))
  const deliverable = [...wanted].filter(
    (videoId) => truthOf(world, { video: videoId }).videos[0]?.status === 'success',
  )
  assert.deepEqual([...delivered].sort(), deliverable.sort())
})

test('of a tab of playlists, the row names the one that was cut short, and the others are read on', async () => {
  const buyer = await asker(service)
  const urls = [`https://www.youtube.com/${world.channel('small').handle}/shows`]
  const lists = ['tongues', 'lostgrid', 'seven'].map((key) => world.playlist(key))
  const { job } = await buyer.asks({ urls, maxVideos: 1 })
  const videoIds = lists.flatMap((list) =>
    Array.from({ length: Math.min(100, list.length) }, (_, at) => list.at(at).videoId),
  )
  await fillHistory(service.database.db, {
    accountId: buyer.accountId,
    urls,
    jobId: job.id,
    videoIds,
  })
  const { rows } = await buyer.asks({ urls })
  const { playlistId } = world.playlist('lostgrid')
  const [told, ...others] = sourceRows(rows)
  assert.match(
    told?.errorMessage ?? '',
    new RegExp(`100 of the 350 videos .* the playlist ${playlistId}`),
  )
  assert.deepEqual(others, [])
  assert.equal(rows.length, 40 + 100 + 7 + 1)
})

test('an ordinary list has no such row', async () => {
  const buyer = await asker(service)
  const urls = ['private', 'dups', 'hundred'].map((key) => playlistUrl(world.playlist(key)))
  const { rows } = await buyer.asks({ urls, maxVideos: 5 })
  assert.deepEqual(sourceRows(rows), [])
})
