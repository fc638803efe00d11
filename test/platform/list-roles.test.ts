/** Roles in lists: a channel with the name of a date is a channel, and its videos are judged by their own dates. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { publishDateOf } from '../../emulator/truth.ts'
import { asker, playlistUrl } from '../repeats/asking-again.ts'
import { testService } from '../support/service.ts'

const service = await testService({ after })
const { world } = service.platform
const list = world.playlist('names')
const videos = new Map(
  Array.from({ length: list.length }, (_, at) => [list.at(at).videoId, list.at(at)]),
)

test('badges before the channel’s name move neither name nor date, and no name is a badge', async () => {
  const badges = world.playlist('badges')
  const videos = Array.from({ length: badges.length }, (_, at) => badges.at(at))
  const buyer = await asker(service)
  const { rows } = await buyer.asks({ urls: [playlistUrl(badges)], publishedBefore: '2020-12-31' })
  assert.deepEqual(
    rows.map(({ channelName, status }) => [channelName, status === 'skipped']),
    videos.map(({ channel, publishedMs }) => [
      channel.title,
      publishedMs >= Date.parse('2021-01-01T00:00:00Z'),
    ]),
  )
})

test('videos of channels named like dates are skipped for their own dates only', async () => {
  const [dayAfter, publishedBefore] = ['2021-01-01T00:00:00Z', '2020-12-31']
  const buyer = await asker(service)
  const { rows } = await buyer.asks({ urls: [playlistUrl(list)], publishedBefore })
  assert.equal(rows.length, list.length)
  for (const row of rows) {
    const video = videos.get(row.videoId)
    assert.ok(video !== undefined)
    const isOutside = video.publishedMs >= Date.parse(dayAfter)
    assert.equal(row.status === 'skipped', isOutside, `${row.channelName} ${publishDateOf(video)}`)
    assert.equal(row.channelName, video.channel.title)
  }
  assert.ok(rows.some(({ status }) => status === 'success'))
})
