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

test('whatever ends a list short of its header, its rows stay, and preview and row say how many are missing', async () => {
  const cases = [
    ['deadtoken', 100, /\b100 of the 250 videos\b/],
    ['lessons', 100, /\b100 of the 350 videos\b/],
    ['rounds', 80, /\b80 of the 350 videos\b/],
  ] as const
  for (const [key, shown, words] of cases) {
    const urls = [playlistUrl(world.playlist(key))]
    const buyer = await asker(service)
    const [source] = (await views(await buyer.key(), { urls }))['sources']
    assert.equal(source.isComplete, false, key)
    // A list that repeats itself is not read to its end by a preview.
    if (key !== 'rounds') assert.match(source.error, words)
    const { rows } = await buyer.asks({ urls })
    const [told, ...others] = sourceRows(rows)
    assert.deepEqual([told?.status, others, rows.length], ['failed', [], shown + 1], key)
    assert.match(told?.errorMessage ?? '', words)
  }
})

test('a tab that the channel does not have is told in a free row and in a preview, and is no error of the order', async () => {
  const { handle } = world.channel('noshorts')
  const { handle: ofStreams } = world.channel('streams')
  const cases = [
    [`${handle}/shorts`, 'This channel has no Shorts.'],
    [`${handle}/streams`, 'This channel has no live streams.'],
    [`${ofStreams}/videos`, 'This channel has no videos.'],
    [`${handle}/podcasts`, 'This channel has no podcasts.'],
  ] as const
  const urls = cases.map(([path]) => `https://www.youtube.com/${path}`)
  const buyer = await asker(service)
  const preview = await views(await buyer.key(), { urls })
  const { job, rows } = await startsFrom(await buyer.key(), preview['id'], { urls })
  assert.deepEqual([job.state, job.billing.charged], ['finished', '0.000'])
  for (const [at, [, sentence]] of cases.entries()) {
    const { error, isComplete, videos } = preview['sources'][at]
    assert.deepEqual([error, isComplete, videos], [sentence, true, 0])
    const { status, errorMessage, url, videoId } = rows[at] ?? {}
    assert.deepEqual(
      [status, errorMessage, url, videoId],
      ['invalid_url', sentence, urls[at], null],
    )
  }
  assert.equal(rows.length, cases.length)
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
