/** Twelve repeats of a hundred over a channel of 1,200: all videos of the emulator's world, in order, each once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import { asker, channelUrl, deliverable, uploadsOf, withStatus } from './asking-again.ts'

const service = await testService({ after })
const { world } = service.platform

test('twelve repeats of a hundred deliver a channel of 1,200 in order, each video once', async () => {
  const buyer = await asker(service)
  const channel = world.channel('medium')
  const videos = uploadsOf(world, channel)
  const statusOf = new Map(videos.map(({ videoId, status }) => [videoId, status]))
  const urls = [channelUrl(channel)]
  const before = await buyer.balanceMicros()
  const got: string[] = []
  const takenOnce: string[] = []
  for (let repeat = 1; repeat <= 12; repeat += 1) {
    const { rows } = await buyer.asks({ urls, maxVideos: 100 })
    const taken = rows.filter(({ status }) => status !== 'unchanged' && status !== 'truncated')
    assert.equal(taken.length, 100, `repeat ${repeat} uses its slots`)
    for (const { videoId, status } of taken) assert.equal(status, statusOf.get(videoId), videoId)
    assert.deepEqual(withStatus(rows, 'unchanged'), got, `repeat ${repeat} names what is there`)
    const again = taken.filter(({ videoId }) => takenOnce.includes(videoId))
    assert.ok(
      again.every(({ status }) => status === 'no_captions'),
      'only a young video may have a second turn',
    )
    takenOnce.push(...taken.filter((row) => !again.includes(row)).map(({ videoId }) => videoId))
    got.push(...withStatus(rows, 'success'))
  }
  const second = 1200 - takenOnce.length
  assert.ok(second <= 2, `${second} slots went to second turns`)
  assert.deepEqual(
    takenOnce,
    videos.slice(0, 1200 - second).map(({ videoId }) => videoId),
    'newest first, each once',
  )
  assert.deepEqual(got, deliverable(videos.slice(0, 1200 - second)))
  assert.equal(before - (await buyer.balanceMicros()), got.length * 8000)

  const last = await buyer.asks({ urls, maxVideos: 100 })
  assert.deepEqual([...got, ...withStatus(last.rows, 'success')], deliverable(videos))
})

test('blocks, cut lists and new uploads in between change nothing of what is delivered in the end', async () => {
  const { platform } = service
  const buyer = await asker(service)
  const channel = world.channel('large')
  const list = 'UU' + channel.channelId.slice(2)
  const urls = [`https://www.youtube.com/playlist?list=${list}`]
  const got: string[] = []
  const troubles = [
    { faults: [{ do: 'bot_check', on: 'player', probability: 0.3 } as const] },
    { faults: [{ do: 'empty', on: 'timedtext', probability: 0.4 } as const] },
    {
      faults: [{ do: 'new_upload', on: 'browse', channel: 'large', times: 2, per: 'all' } as const],
    },
    { faults: [{ do: 'unknown_alert', on: 'browse', after: 1, per: 'all' } as const] },
    { faults: [{ do: 'server_error', probability: 0.2 } as const] },
    { faults: [{ do: 'repeated_page', on: 'browse', every: 2, per: 'all' } as const] },
  ]
  for (const trouble of troubles) {
    platform.log.reset()
    platform.apply(trouble)
    const { rows } = await buyer.asks({ urls, maxVideos: 60 })
    platform.clear()
    const kind = trouble.faults[0]!.do
    assert.ok((platform.log.counts().byFault[kind] ?? 0) > 0, `${kind} was met`)
    got.push(...withStatus(rows, 'success'))
  }
  for (let repeat = 0; repeat < 4; repeat += 1) {
    const { rows } = await buyer.asks({ urls, maxVideos: 60 })
    got.push(...withStatus(rows, 'success'))
  }
  assert.equal(new Set(got).size, got.length, 'nothing was delivered twice')
  const uploads = world.uploads(channel, null)
  const newest = Array.from({ length: 300 }, (_, at) => uploads.at(at))
  const missing = newest
    .filter(({ state, tracks }) => state === 'ok' && tracks.length > 0)
    .filter(({ videoId }) => !got.includes(videoId))
    .map(({ upload }) => upload)
  assert.deepEqual(missing, [], 'what was kept back came later')
})
