/** Pages of several lists become one in time that grows as the pages do, however many videos a reply holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partOf, type Dated } from '../../src/platform/youtube/list-cursor.ts'
import { datePage, takeNewest } from '../../src/platform/youtube/list-order.ts'

/** More videos than the smallest items of the largest reply. */
const VIDEOS = 48_000
const SIZES_APART = 8
/** A product of a page's videos with their dates takes 64 times as long for 8 times as many. */
const FACTOR_MAX = SIZES_APART * 3
const RUNS = 5
const NOW = Date.UTC(2026, 10, 20)

async function orders(count: number): Promise<void> {
  const videos = Array.from({ length: count }, (_, at) => ({
    videoId: String(at),
    title: null,
    channelName: null,
    publishedText: at % 2 === 0 ? '1 day ago' : null,
    isMembersOnly: false,
  }))
  const waiting: Dated[] = await datePage(videos, async () => null, NOW)
  assert.equal(waiting.length, count)
  const part = partOf({ playlistId: 'UU', channelId: null, tab: null })
  const taken = takeNewest([0, 1, 2].map(() => ({ ...part, isOver: true, waiting })))
  assert.equal(taken.videos.length, 3 * count)
}

async function leastMs(count: number): Promise<number> {
  let least = Infinity
  for (let run = 0; run < RUNS; run += 1) {
    const at = performance.now()
    await orders(count)
    least = Math.min(least, performance.now() - at)
  }
  return least
}

test('eight times as many videos take in proportion', async (t) => {
  const smallMs = await leastMs(VIDEOS / SIZES_APART)
  const largeMs = await leastMs(VIDEOS)
  t.diagnostic(`${smallMs.toFixed(1)} ms, ${largeMs.toFixed(1)} ms`)
  assert.ok(largeMs <= smallMs * FACTOR_MAX, `${smallMs} ms, ${largeMs} ms`)
})
