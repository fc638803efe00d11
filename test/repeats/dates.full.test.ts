/** Date bounds over lists: exact to the video, with few requests for dates. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import {
  asker,
  channelUrl,
  datedUploadsOf,
  datedVideo,
  playlistUrl,
  withStatus,
} from './asking-again.ts'
import { LIST_CLIENTS } from '../platform/near-platform.ts'
import { attempted, type Bounds, datesAsked, instantOf, isInWindow } from './date-windows.ts'

const service = await testService({ after })
const { platform } = service
const { world } = platform

test('a window deep in a channel of 12,000 takes exactly its videos and asks for few dates besides', async () => {
  const buyer = await asker(service)
  const channel = world.channel('large')
  const videos = datedUploadsOf(world, channel, 3000)
  const bounds = {
    publishedAfter: instantOf(videos[2040]),
    publishedBefore: instantOf(videos[2007]),
  }
  const inside = videos.filter((video) => isInWindow(video, bounds))
  platform.log.reset()
  const { job, rows } = await buyer.asks({ urls: [channelUrl(channel)], ...bounds })

  assert.ok(inside.length > 25)
  assert.deepEqual(
    attempted(rows),
    inside.map(({ videoId }) => videoId),
  )
  // A search over a year of uploads, and at each edge some videos too near to be judged by their neighbours.
  const few = Math.ceil(Math.log2(1200)) + 1 + 24
  assert.ok(
    datesAsked(service) <= inside.length + few,
    `${datesAsked(service)} dates for ${inside.length} videos`,
  )
  assert.equal(withStatus(rows, 'skipped').length, 500)
  assert.ok(job.progress.discovered > 2040, 'videos passed over without a row are counted')
  assert.ok(
    (platform.log.counts().byKind.browse ?? 0) <= 26,
    'the list ends a page after the last that can matter',
  )
})

test('with few slots no more dates are asked for than slots justify', async () => {
  const buyer = await asker(service)
  const channel = world.channel('medium')
  const videos = datedUploadsOf(world, channel, 3000)
  platform.log.reset()
  const bounds = { publishedAfter: instantOf(videos[1199]) }
  const { rows } = await buyer.asks({ urls: [channelUrl(channel)], maxVideos: 3, ...bounds })
  assert.deepEqual(
    attempted(rows),
    videos.slice(0, 3).map(({ videoId }) => videoId),
  )
  assert.equal(datesAsked(service), 3)
  assert.equal(withStatus(rows, 'truncated').length, 97)
  for (const { status, errorMessage } of rows)
    if (status === 'truncated') assert.match(errorMessage, /it may be outside the requested dates/)

  const again = await buyer.asks({ urls: [channelUrl(channel)], maxVideos: 3, ...bounds })
  const got = new Set(withStatus(rows, 'success'))
  assert.deepEqual(withStatus(again.rows, 'unchanged'), [...got])
  assert.equal(attempted(again.rows).length, 3)
})

test('a playlist in no order is judged video by video', async () => {
  const buyer = await asker(service)
  const list = world.playlist('mid')
  const videos = Array.from({ length: list.length }, (_, at) => datedVideo(list.at(at)))
  const bounds = { publishedAfter: '2025-09-01', publishedBefore: '2026-06-30T23:59:59Z' }
  const { rows } = await buyer.asks({ urls: [playlistUrl(list)], ...bounds })
  const inside = videos.filter((video) => isInWindow(video, bounds))
  assert.ok(inside.length > 5)
  assert.deepEqual(
    attempted(rows),
    inside.map(({ videoId }) => videoId),
  )
  assert.equal(rows.length, 250)
  for (const row of rows.filter(({ status }) => status === 'skipped')) {
    assert.match(row.label, /Outside the dates|publish date unknown/)
  }
})

test('a channel read from its tabs keeps to the bounds in each of them', async () => {
  const buyer = await asker(service)
  const channel = world.channel('nolists')
  const videos = datedUploadsOf(world, channel, 3000)
  const bounds = { publishedAfter: instantOf(videos[20]), publishedBefore: instantOf(videos[3]) }
  const { rows } = await buyer.asks({ urls: [channelUrl(channel)], ...bounds })
  const inside = videos.filter((video) => isInWindow(video, bounds)).map(({ videoId }) => videoId)
  assert.deepEqual(attempted(rows).toSorted(), inside.toSorted())
})

test('named videos each get their row: within the dates, outside, or of unknown date', async () => {
  const buyer = await asker(service)
  const [inside, outside] = datedUploadsOf(world, world.channel('small'), 2)
  const hidden = world.special('private').videoId
  const { rows } = await buyer.asks({
    urls: [outside!.videoId, hidden, inside!.videoId],
    publishedAfter: instantOf(inside),
  })
  assert.deepEqual(
    rows.map(({ videoId, label }) => [videoId, label]),
    [
      [outside!.videoId, 'Outside the dates'],
      [hidden, 'Skipped: publish date unknown'],
      [inside!.videoId, 'Delivered'],
    ],
  )
  assert.equal(rows[2]?.publishedAt, inside?.publishedAt, 'as the platform spells it')
})

test('what keeps a date from being asked for is told as an obstacle, and asked again by the next job', async () => {
  const [video] = datedUploadsOf(world, world.channel('small'), 1)
  const { channelId } = world.channel('streams')
  const asks = { urls: [video!.videoId, channelId], maxVideos: 4, publishedAfter: '2001-01-01' }
  const statuses = {
    page_reload: 'blocked_suspect',
    bot_check: 'blocked_suspect',
    unknown_status: 'failed',
  }
  for (const [trick, status] of Object.entries(statuses)) {
    const buyer = await asker(service)
    const client = LIST_CLIENTS
    const rule = { do: trick as keyof typeof statuses, on: 'player', client } as const
    platform.apply({ faults: [rule] })
    const { job, rows } = await buyer.asks(asks)
    platform.clear()
    const met = rows.filter(({ status }) => status !== 'truncated')
    assert.deepEqual(new Set(met.map(({ status }) => status)), new Set([status]), trick)
    assert.equal(met.length, 4, 'as many as the job has places')
    assert.match(met[0]?.errorMessage, /date could not be asked for\. The platform/)
    assert.equal(job.billing.charged, '0.000')
    if (trick === 'page_reload') {
      const again = await buyer.asks(asks)
      assert.equal(again.rows[0]?.status, 'success')
    }
  }
})

test('bounds are exact where a channel is read from several lists, and end them early', async () => {
  const channel = world.channel('medium')
  const videos = datedUploadsOf(world, channel, 3000)
  platform.apply({
    faults: [{ do: 'not_found', on: 'browse', list: `VLUU${channel.channelId.slice(2)}` }],
  })
  for (const bounds of [
    { publishedAfter: instantOf(videos[30]) },
    { publishedBefore: instantOf(videos[60]), publishedAfter: instantOf(videos[90]) },
  ] satisfies Bounds[]) {
    const buyer = await asker(service)
    const inside = videos.filter((video) => isInWindow(video, bounds)).map(({ videoId }) => videoId)
    platform.log.reset()
    const { rows } = await buyer.asks({ urls: [channelUrl(channel)], ...bounds })
    assert.ok(inside.length >= 25)
    assert.deepEqual(attempted(rows).sort(), inside.sort(), JSON.stringify(bounds))
    assert.ok(
      (platform.log.counts().byKind.browse ?? 0) <= 1 + 8,
      `${platform.log.counts().byKind.browse} pages`,
    )
  }
  platform.clear()
})
