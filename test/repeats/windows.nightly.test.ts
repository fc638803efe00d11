/** Hundreds of date windows over a channel with premieres out of order: each exact, none expensive. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { isSeedFixed } from '../support/seed.ts'
import { testService } from '../support/service.ts'
import { asker, channelUrl, datedUploadsOf } from './asking-again.ts'

const service = await testService({ after })
const { platform } = service
const { world } = platform
const RUNS = 150
const SLOTS = 6
const OTHER_ROWS = ['skipped', 'unchanged', 'truncated']

test('any window over a channel takes its first videos, in order, with few questions', async () => {
  const channel = world.channel('medium')
  const videos = datedUploadsOf(world, channel, 1200)
  const instants = videos.flatMap(({ publishedAt }) =>
    publishedAt === null ? [] : [Date.parse(publishedAt)],
  )
  const reached = { full: 0, part: 0 }
  const shift = fc.constantFrom(-1000, 0, 1000)
  const edge = fc.option(fc.tuple(fc.nat(instants.length - 1), shift))
  const near = fc.option(fc.tuple(fc.oneof(fc.nat(12), fc.nat(instants.length - 1)), shift))

  await fc.assert(
    fc.asyncProperty(edge, near, async (one, two) => {
      const start = one?.[0] ?? 0
      const first = one === null ? null : instants[start]! + one[1]
      const second = two === null ? null : instants[(start + two[0]) % instants.length]! + two[1]
      const [from, to] =
        first != null && second != null && first > second ? [second, first] : [first, second]
      const bounds = {
        ...(from == null ? {} : { publishedAfter: new Date(from).toISOString() }),
        ...(to == null ? {} : { publishedBefore: new Date(to).toISOString() }),
      }
      const isBounded = Object.keys(bounds).length > 0
      const inside = videos.filter(({ publishedAt }) => {
        if (publishedAt === null) return !isBounded
        const at = Date.parse(publishedAt)
        return at >= (from ?? -Infinity) && at <= (to ?? Infinity)
      })
      const wanted = inside.slice(0, SLOTS).map(({ videoId }) => videoId)

      platform.log.reset()
      const buyer = await asker(service)
      const { rows } = await buyer.asks({
        urls: [channelUrl(channel)],
        maxVideos: SLOTS,
        ...bounds,
      })
      const taken = rows
        .filter(({ status }) => !OTHER_ROWS.includes(status))
        .map(({ videoId }) => videoId)
      assert.deepEqual(taken, wanted)
      const dates = platform.log.counts().byKindAndClient['player WEB'] ?? 0
      const few = Math.ceil(Math.log2(1200)) + 1 + 16
      assert.ok(dates <= wanted.length + few, `${dates} dates for ${wanted.length} videos`)
      reached[wanted.length === SLOTS ? 'full' : 'part'] += 1
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  if (isSeedFixed) assert.ok(reached.full > 10 && reached.part > 10, JSON.stringify(reached))
})
