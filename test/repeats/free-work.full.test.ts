/** Free work: it is bounded, shared, reported truthfully, and the same URLs always go on. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asker, channelUrl, datedUploadsOf, playlistUrl, withStatus } from './asking-again.ts'
import { sourceRows, startFreeWork } from './free-work-service.ts'

const { service, asked, midnight } = await startFreeWork({ after })
const { platform } = service
const { world } = platform

test('beyond its allowance a job ends finished, with a row that says so, and asks for no more', async () => {
  const buyer = await asker(service, '0.4')
  const url = channelUrl(world.channel('large'))
  const { job, rows } = await buyer.asks({ urls: [url], publishedBefore: '2005-01-01' })
  assert.equal(job.state, 'finished')
  assert.equal(job.error, null)
  assert.ok(
    asked('browse') + asked('player') <= 40,
    `${asked('browse')} pages and ${asked('player')} dates`,
  )
  const [paused] = sourceRows(rows)
  assert.deepEqual([paused?.status, paused?.url], ['truncated', url])
  assert.match(
    paused?.errorMessage,
    /used up its free listing for today; [\d,]+ videos.*after midnight \(UTC\), or after adding credit/,
  )

  const again = await buyer.asks({ urls: [url], publishedBefore: '2005-01-01' })
  assert.match(again.job.notices.join(), /used up/)
  assert.equal(again.job.state, 'finished')
  assert.match(sourceRows(again.rows)[0]?.errorMessage, /0 videos of this list/)
})

test('named videos are delivered whatever was listed before', async () => {
  const buyer = await asker(service, '1')
  await buyer.asks({ urls: [channelUrl(world.channel('large'))], publishedBefore: '2005-01-01' })
  const [named] = datedUploadsOf(world, world.channel('small'), 1)
  const { rows } = await buyer.asks({ urls: [named!.videoId], maxVideos: 1 })
  assert.deepEqual(withStatus(rows, 'success'), [named!.videoId])
})

test('a list is read once within the hour, whatever its spelling and account, but for its first page', async () => {
  const { channelId, handle } = world.channel('medium')
  const lines = [
    channelId,
    `https://www.youtube.com/channel/${channelId}`,
    `https://m.youtube.com/${handle}`,
    `${handle}`,
    `youtube.com/channel/${channelId}?x=1`,
  ]
  await Promise.all(
    lines.map(async (line) => {
      const buyer = await asker(service, '0.4')
      const { rows } = await buyer.asks({ urls: [line], publishedBefore: '2005-01-01' })
      assert.deepEqual(sourceRows(rows), [])
    }),
  )
  assert.ok(asked('browse') <= 12 + lines.length, `${asked('browse')} pages of 12`)
  assert.ok(asked('resolve_url') <= 2, 'each name is resolved once')
})

test('a new upload shows at once though the list was read a moment ago', async () => {
  const first = await asker(service, '0.4')
  const channel = world.channel('medium')
  await first.asks({ urls: [channelUrl(channel)], publishedBefore: '2005-01-01' })
  const { videoId } = world.publish(channel)
  platform.log.reset()
  const second = await asker(service, '0.4')
  const { job, rows } = await second.asks({ urls: [channelUrl(channel)], maxVideos: 1 })
  assert.equal(rows[0]?.videoId, videoId)
  const third = await asker(service, '0.4')
  const all = await third.asks({ urls: [channelUrl(channel)], publishedBefore: '2005-01-01' })
  assert.equal(all.job.progress.discovered, 1201)
  assert.equal(asked('browse'), 2, 'its first page, each time')
  assert.equal(job.state, 'finished')
})

test('names that are no channel are asked for once, as each client for lists', async () => {
  const buyer = await asker(service, '0.4')
  for (let turn = 0; turn < 5; turn += 1) {
    const { rows } = await buyer.asks({ urls: ['https://www.youtube.com/@nobodyatall'] })
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['invalid_url'],
    )
  }
  assert.equal(asked('resolve_url'), 2)
})

test('an obstacle is not kept for others', async () => {
  const buyer = await asker(service, '0.4')
  const list = world.playlist('mid')
  platform.apply({
    faults: [
      { do: 'unknown_alert', on: 'browse', list: `VL${list.playlistId}`, after: 1, per: 'all' },
    ],
  })
  const first = await buyer.asks({ urls: [playlistUrl(list)], publishedBefore: '2005-01-01' })
  platform.clear()
  assert.equal(sourceRows(first.rows)[0]?.status, 'failed')
  const second = await buyer.asks({ urls: [playlistUrl(list)], publishedBefore: '2005-01-01' })
  assert.deepEqual(sourceRows(second.rows), [])
})

test('an account that asked for too many videos in vain is not served for nothing until tomorrow', async () => {
  const buyer = await asker(service, '0.4')
  const ids = Array.from({ length: 45 }, (_, at) => `nothing${String(at).padStart(4, '0')}`)
  await buyer.asks({ urls: ids })
  platform.log.reset()
  const { rows } = await buyer.asks({ urls: ids.map((id) => id.replace('nothing', 'neither')) })
  assert.deepEqual([...new Set(rows.map(({ status }) => status))], ['truncated'])
  assert.equal(asked('player'), 0)
  assert.match(rows[0]?.errorMessage, /has used up its free requests for today/)
  await midnight()
  const { rows: next } = await buyer.asks({
    urls: ids.map((id) => id.replace('nothing', 'neither')),
  })
  assert.deepEqual([...new Set(next.map(({ status }) => status))], ['unavailable'])
})
