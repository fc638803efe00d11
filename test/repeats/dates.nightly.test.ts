/** Date bounds that are open on one side, over a channel of 12,000. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import { asker, channelUrl, datedUploadsOf } from './asking-again.ts'
import { attempted, type Bounds, datesAsked, instantOf, isInWindow } from './date-windows.ts'

const service = await testService({ after })
const { platform } = service
const { world } = platform

test('an open bound on either side is exact, too, premieres out of order included', async () => {
  const channel = world.channel('medium')
  const videos = datedUploadsOf(world, channel, 3000)
  for (const bounds of [
    { publishedAfter: instantOf(videos[53]) },
    { publishedAfter: instantOf(videos[20]) },
    { publishedBefore: instantOf(videos[1180]) },
    { publishedBefore: instantOf(videos[1116]), publishedAfter: instantOf(videos[1140]) },
  ] satisfies Bounds[]) {
    const buyer = await asker(service)
    const inside = videos.filter((video) => isInWindow(video, bounds))
    platform.log.reset()
    const { rows } = await buyer.asks({ urls: [channelUrl(channel)], ...bounds })
    const named = JSON.stringify(bounds)
    assert.deepEqual(
      attempted(rows),
      inside.map(({ videoId }) => videoId),
      named,
    )
    assert.ok(
      datesAsked(service) <= inside.length + 36,
      `${datesAsked(service)} dates for ${inside.length} videos: ${named}`,
    )
  }
})
