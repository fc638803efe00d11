/** A long channel that an account without credit reads day after day. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asker, channelUrl, datedUploadsOf } from './asking-again.ts'
import { sourceRows, startFreeWork } from './free-work-service.ts'

const { service, asked, midnight, forget } = await startFreeWork({ after })
const { platform } = service
const { world } = platform

/** Bounds that let in only the oldest `count` videos of a channel. */
function oldest(
  channelKey: string,
  count: number,
  length: number,
): { publishedBefore: string; videoIds: string[] } {
  const videos = datedUploadsOf(world, world.channel(channelKey), length).filter(
    ({ publishedAt }) => publishedAt !== null,
  )
  const last = videos.slice(-count)
  return {
    publishedBefore: new Date(last[0]?.publishedAt ?? '').toISOString(),
    videoIds: last.map(({ videoId }) => videoId),
  }
}

test('the same URLs go on day after day until the oldest videos of a long channel are delivered', async () => {
  const buyer = await asker(service, '0.4')
  const { publishedBefore, videoIds } = oldest('large', 10, 12_000)
  const body = { urls: [channelUrl(world.channel('large'))], publishedBefore, maxVideos: 50 }
  const seen = new Set<string>()
  let days = 0
  for (; days < 30; days += 1) {
    platform.log.reset()
    const { rows } = await buyer.asks(body)
    if (days === 0) assert.ok(asked('browse') + asked('player') <= 40, 'a day has its allowance')
    for (const row of rows)
      if (row.videoId !== null && row.status !== 'skipped') seen.add(row.videoId)
    if (sourceRows(rows).length === 0) break
    await midnight()
    await forget()
  }
  assert.ok(days > 1 && days < 15, `${days} days`)
  assert.deepEqual(
    videoIds.filter((videoId) => !seen.has(videoId)),
    [],
  )
})
