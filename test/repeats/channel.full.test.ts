/** Asking again for a channel: each repeat goes on where the account left off, and nothing twice. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import { asker, channelUrl, deliverable, uploadsOf, withStatus } from './asking-again.ts'

const service = await testService({ after })
const { platform } = service
const { world } = platform

test('repeats deliver a channel in order, each video once, until nothing is left', async () => {
  const buyer = await asker(service)
  const channel = world.channel('small')
  const videos = uploadsOf(world, channel)
  const urls = [channelUrl(channel)]
  const got: string[] = []
  for (let start = 0; start < videos.length; start += 6) {
    const { job, rows } = await buyer.asks({ urls, maxVideos: 6 })
    const taken = rows.filter(({ status }) => status !== 'unchanged' && status !== 'truncated')
    assert.deepEqual(
      taken.map(({ videoId }) => videoId),
      videos.slice(start, start + 6).map(({ videoId }) => videoId),
    )
    assert.deepEqual(withStatus(rows, 'unchanged'), got)
    got.push(...withStatus(rows, 'success'))
    assert.equal(job.progress.discovered, videos.length, 'one page holds them all')
  }
  assert.deepEqual(got, deliverable(videos))

  const { rows } = await buyer.asks({ urls, maxVideos: 6 })
  assert.deepEqual(withStatus(rows, 'unchanged'), got)
  assert.deepEqual(withStatus(rows, 'success'), [])
})

test('who waits for the end of a job is told that its URLs hold more', async () => {
  const buyer = await service.customer('1')
  const channel = world.channel('small')
  const order = { urls: [channelUrl(channel)], maxVideos: 5 }
  const waiting = { Prefer: 'wait=60' }
  const key = { 'Idempotency-Key': 'waited for' }
  const ended = await buyer.startsJob(order, { ...waiting, ...key })
  const { goesOn } = await buyer.gets(`/library/${channel.channelId}`)
  assert.ok(goesOn.videos > 0)
  const more = `${goesOn.videos} videos left, for at most $${goesOn.costAtMost.replace(/0$/, '')}`
  assert.deepEqual(ended['notices'], [
    `This job has ended with more to come: ${more}. Send the same URLs again to continue.`,
  ])
  // This start does not wait for the end: a replay repeats the notices of the start.
  const { status, body } = await buyer.asks('POST', '/jobs', { body: order, headers: key })
  assert.deepEqual([status, body['notices']], [200, []])
  const bounds = { maxVideos: 1, publishedAfter: '2001-01-01' }
  const bounded = await buyer.startsJob({ ...order, ...bounds }, waiting)
  assert.match(bounded['notices'].at(-1), /reached its limit of 1 video, and there may be more/)
  const rest = await buyer.startsJob({ urls: order.urls }, waiting)
  assert.ok(!rest['notices'].join().includes('more'))
})

test('an unchanged row names the earlier job and tells all about the video but its text', async () => {
  const buyer = await asker(service)
  const channel = world.channel('spanish')
  const urls = [channelUrl(channel)]
  const first = await buyer.asks({ urls, maxVideos: 4 })
  const { job, rows } = await buyer.asks({ urls, maxVideos: 4, language: 'en' })

  const [row] = rows
  const truth = uploadsOf(world, channel).find(({ videoId }) => videoId === row?.videoId)
  assert.equal(row?.status, 'unchanged')
  assert.equal(row?.label, `Delivered by the earlier job ${first.job.id}`)
  assert.deepEqual(
    [row?.title, row?.channelName, row?.publishedAt],
    [truth?.title, truth?.channelName, truth?.publishedAt],
  )
  assert.equal(row?.url, `https://www.youtube.com/watch?v=${row?.videoId}`)
  assert.deepEqual(
    [row?.text, row?.segments, row?.files, row?.errorMessage],
    [null, null, {}, null],
  )
  assert.match(job.notices.join(' '), /language original.*unchanged.*whatever the language/s)
  assert.deepEqual(first.job.notices, [])
})

test('a new upload comes first on a repeat, then the older ones', async () => {
  const buyer = await asker(service)
  const channel = world.channel('german')
  const urls = [channelUrl(channel)]
  const before = uploadsOf(world, channel)
  await buyer.asks({ urls, maxVideos: 5 })
  const fresh = [world.publish(channel), world.publish(channel)]
    .map(({ videoId }) => videoId)
    .reverse()

  const { rows } = await buyer.asks({ urls, maxVideos: 5 })
  const taken = rows.filter(({ status }) => status !== 'unchanged' && status !== 'truncated')
  const older = before.slice(5, 8).map(({ videoId }) => videoId)
  assert.deepEqual(
    taken.map(({ videoId }) => videoId),
    [...fresh, ...older],
  )
})

test('videos without captions are not asked for again as long as others wait for their first turn', async () => {
  const buyer = await asker(service)
  const [quiet, small] = [world.channel('quiet'), world.channel('small')]
  const urls = [channelUrl(quiet), channelUrl(small)]
  const wanted = deliverable(uploadsOf(world, small))
  const got: string[] = []
  // The youngest videos of the quiet channel may still get captions, and have a second turn for that.
  for (let turns = 0; got.length < wanted.length; turns += 1) {
    assert.ok(turns < 6, `after ${turns} repeats ${got.length} of ${wanted.length} are there`)
    const { rows } = await buyer.asks({ urls, maxVideos: 10 })
    got.push(...withStatus(rows, 'success'))
  }
  assert.deepEqual(got, wanted)

  const asked = new Set<string>()
  for (const _ of [1, 2, 3]) {
    const { rows } = await buyer.asks({ urls, maxVideos: 10 })
    for (const videoId of withStatus(rows, 'no_captions')) asked.add(videoId)
    const late = rows.filter(({ status }) => status === 'no_captions').map(({ index }) => index)
    assert.ok(Math.min(...late) > wanted.length, 'asked for again only after all others')
  }
  const silent = [...uploadsOf(world, quiet), ...uploadsOf(world, small)].filter(
    ({ status }) => status === 'no_captions',
  )
  assert.equal(
    asked.size,
    silent.length,
    'with slots left over each is asked for again in its turn',
  )
})

test('what a block kept back is delivered by the repeat after it', async () => {
  const buyer = await asker(service)
  const channel = world.channel('renamed')
  const videos = uploadsOf(world, channel)
  const hit = deliverable(videos).slice(2, 5)
  platform.apply({ faults: [{ do: 'unknown_status', on: 'player', video: hit }] })
  const urls = [channelUrl(channel)]
  const first = await buyer.asks({ urls, maxVideos: 10 })
  platform.clear()
  assert.deepEqual(
    [...withStatus(first.rows, 'failed'), ...withStatus(first.rows, 'blocked_suspect')].sort(),
    hit.toSorted(),
  )

  const { rows } = await buyer.asks({ urls, maxVideos: 10 })
  assert.deepEqual(withStatus(rows, 'success').slice(0, 3), hit)
  assert.deepEqual(withStatus(rows, 'unchanged'), withStatus(first.rows, 'success'))
})

test('another spelling is another set: its videos are delivered and charged again', async () => {
  const buyer = await asker(service)
  const channel = world.channel('small')
  const first = await buyer.asks({ urls: [channelUrl(channel)], maxVideos: 3 })
  const second = await buyer.asks({
    urls: [`https://www.youtube.com/${channel.handle}`],
    maxVideos: 3,
  })
  assert.deepEqual(withStatus(second.rows, 'success'), withStatus(first.rows, 'success'))
})

test('the first transcripts are there before the list is read to its end', async () => {
  const buyer = await asker(service)
  platform.apply({ faults: [{ do: 'latency', on: 'browse', after: 1, per: 'all', ms: 5000 }] })
  const key = await buyer.key()
  const job = await key.startsJob({ urls: [channelUrl(world.channel('medium'))], maxVideos: 201 })
  let progress = job.progress
  while (progress.delivered === 0)
    ({ progress } = await (await buyer.key()).gets(`/jobs/${job.id}`))
  platform.clear()
  assert.equal(progress.discovered, 100, 'only the first page is listed')
  await (await buyer.key()).asks('POST', `/jobs/${job.id}/cancel`)
  await (await buyer.key()).waitsFor(job)
})
