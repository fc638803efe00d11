/** Lists that the platform cuts short or repeats for ever, as customers see them: in rows, previews and the library. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../conformance/http.ts'
import { truthOf } from '../../emulator/truth.ts'
import { asker, playlistUrl, withStatus } from '../repeats/asking-again.ts'
import { startsFrom, views } from '../previews/previewing.ts'
import { testService } from '../support/service.ts'

const service = await testService({ after })
const { platform } = service
const { world } = platform
const sourceRows = (rows: Json[]): Json[] => rows.filter(({ videoId }) => videoId === null)

test('a list of Shorts that is cut at 100 of 350 keeps its rows, and one row says so', async () => {
  const list = world.playlist('lostgrid')
  const buyer = await asker(service)
  const { job, rows } = await buyer.asks({ urls: [playlistUrl(list)] })
  assert.equal(job.state, 'finished')
  assert.equal(rows.length, 100 + 1)
  const [told] = sourceRows(rows)
  assert.deepEqual(
    [told?.status, told?.label, told?.url],
    ['failed', 'List cut short by the platform', playlistUrl(list)],
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
  const body = { urls: [playlistUrl(world.playlist('lostgrid'))], maxVideos: 20 }
  const first = await (await buyer.key()).startsJob(body, { Prefer: 'wait=60' })
  assert.match(String(first['notices']), /\b80 videos left, for at most \$0\.64\./)
})

test('its preview is not complete, says why, and counts on no more than can be read', async () => {
  const buyer = await asker(service)
  const urls = [playlistUrl(world.playlist('lostgrid'))]
  const preview = await views(await buyer.key(), { urls })
  const [source] = preview['sources']
  assert.deepEqual([source.isComplete, source.videos, source.wouldTake], [false, 350, 100])
  assert.match(source.error, /\b100 of the 350 videos\b/)
  assert.equal(preview['costAtMost'], '0.800')
  const { rows } = await startsFrom(await buyer.key(), preview['id'], { urls })
  assert.deepEqual([rows.length, sourceRows(rows).length], [101, 1])
  const beside = await views(await buyer.key(), {
    urls: [playlistUrl(world.playlist('seven')), ...urls],
    maxVideos: 7,
  })
  assert.equal(beside['sources'][1].isComplete, false)
  assert.match(beside['sources'][1].error, /\b100 of the 350 videos\b/)
})

test('a list that repeats itself for ever costs seven pages, keeps its 90 rows, and one row says so', async () => {
  const list = world.playlist('endless')
  const buyer = await asker(service)
  platform.log.reset()
  const { rows } = await buyer.asks({ urls: [playlistUrl(list)] })
  assert.equal(platform.log.counts().byKind['browse'], 3 + 4)
  assert.equal(rows.length, 90 + 1)
  const [told] = sourceRows(rows)
  assert.deepEqual([told?.status, told?.label], ['failed', 'List ended: the platform repeats it'])
  assert.match(told?.errorMessage ?? '', /\b90 videos\b.*\b4 pages in a row\b/)
  const again = await buyer.asks({ urls: [playlistUrl(list)] })
  assert.equal(sourceRows(again.rows).length, 1)
  const [source] = (await views(await buyer.key(), { urls: [playlistUrl(list)] }))['sources']
  assert.deepEqual([source.isComplete, source.videos], [false, 90])
})

test('repeats get on through lists that are cut or never end, until everything is delivered once', async () => {
  for (const key of ['lostgrid', 'endless']) {
    const list = world.playlist(key)
    const wanted = new Set(
      Array.from({ length: key === 'lostgrid' ? 100 : 90 }, (_, at) => list.at(at).videoId),
    )
    const buyer = await asker(service)
    const delivered: string[] = []
    const ask = { urls: [playlistUrl(list)], maxVideos: 40 }
    for (let job = 0; job < 3; job += 1) {
      const { rows } = await buyer.asks(ask)
      delivered.push(...withStatus(rows, 'success'))
    }
    const { rows: last } = await buyer.asks(ask)
    assert.equal(withStatus(last, 'unchanged').length, delivered.length)
    assert.deepEqual(withStatus(last, 'success'), [])
    assert.equal(sourceRows(last).length, 1)
    assert.equal(new Set(delivered).size, delivered.length)
    const deliverable = [...wanted].filter((videoId) => {
      return truthOf(world, { video: videoId }).videos[0]?.status === 'success'
    })
    assert.deepEqual([...delivered].sort(), deliverable.sort())
  }
})

test('of a tab of playlists, the row names the one that was cut short, and the others are read on', async () => {
  const buyer = await asker(service)
  const urls = [`https://www.youtube.com/${world.channel('small').handle}/shows`]
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
