/** Date bounds that are open on one side, over a channel of 12,000. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../conformance/http.ts'
import { testService } from '../support/service.ts'
import { asker, channelUrl, type DatedVideo, datedUploadsOf } from './asking-again.ts'

const service = await testService({ after })
const { platform } = service
const { world } = platform

type Bounds = { publishedAfter?: string; publishedBefore?: string }

function isInside(
  { publishedAt }: DatedVideo,
  { publishedAfter, publishedBefore }: Bounds,
): boolean {
  if (publishedAt === null) return false
  const at = Date.parse(publishedAt)
  const isAfter = publishedAfter === undefined || at >= Date.parse(publishedAfter)
  return isAfter && (publishedBefore === undefined || at <= Date.parse(publishedBefore))
}

/** The UTC instant of the video: a bound that just includes it. */
function instantOf(video: DatedVideo | undefined): string {
  return new Date(Date.parse(video?.publishedAt ?? '')).toISOString()
}

function attempted(rows: Json[]): string[] {
  return rows
    .filter(({ status }) => !['skipped', 'unchanged', 'truncated'].includes(status))
    .map(({ videoId }) => videoId)
}

function datesAsked(): number {
  return platform.log.counts().byKindAndClient['player WEB'] ?? 0
}

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
    const inside = videos.filter((video) => isInside(video, bounds))
    platform.log.reset()
    const { rows } = await buyer.asks({ urls: [channelUrl(channel)], ...bounds })
    const named = JSON.stringify(bounds)
    assert.deepEqual(
      attempted(rows),
      inside.map(({ videoId }) => videoId),
      named,
    )
    assert.ok(
      datesAsked() <= inside.length + 36,
      `${datesAsked()} dates for ${inside.length} videos: ${named}`,
    )
  }
})
