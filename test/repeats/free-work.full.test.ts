/** A long channel that an account without credit reads day after day. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Json } from '../../conformance/http.ts'
import { testService } from '../support/service.ts'
import { asker, channelUrl, datedUploadsOf } from './asking-again.ts'

const service = await testService(
  { after },
  { env: { FREE_CALLS_PER_DAY: '40', FREE_CALLS_PER_USD: '0' } },
)
const { platform, database } = service
const { world } = platform
const { pool } = database

const asked = (kind: string): number => platform.log.counts().byKind[kind] ?? 0
const sourceRows = (rows: Json[]): Json[] => rows.filter(({ videoId }) => videoId === null)
/** The clock of the allowance is the database's: a day passes by what it counted being yesterday's. */
const midnight = () =>
  pool.query(`
  delete from free_calls where day < (now() at time zone 'utc')::date;
  update free_calls set day = day - 1`)
/** Everything that others could share is forgotten. */
const forget = () => pool.query('truncate list_copy, list_page, channel_name, publish_date')

beforeEach(async () => {
  await forget()
  platform.log.reset()
})

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
