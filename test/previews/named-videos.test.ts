/** Videos that a preview's lines name: each has its title, and says how the account's last try of it ended. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import { testService } from '../support/service.ts'
import { startsFrom, views } from './previewing.ts'

/** A quarter of an account's day may be spent on titles. */
const TITLES_MAX = 30
const env = { FREE_CALLS_PER_DAY: String(4 * TITLES_MAX), FREE_CALLS_PER_USD: '0' }
const { platform, customer, database } = await testService({ after }, { env })
const { world, log } = platform
const uploads = uploadsOf(world, world.channel('medium'))
const good = uploads.filter(({ status }) => status === 'success').map(({ videoId }) => videoId)
const titleOf = (videoId: string): string => world.video(videoId)!.title
const linesOf = ({ sources }: Json): Json => sources.map(({ title }: Json) => title)
const asked = (): number => log.counts().byKind['player'] ?? 0
const [NEW = '', OTHER = ''] = good
const PRIVATE = world.special('private').videoId
const SILENT = uploads.find(({ status }) => status === 'no_captions')!.videoId

beforeEach(() => log.reset())

test('a video that nobody ordered has its title, by one call; one without a title stays new', async () => {
  const buyer = await customer()
  const preview = await views(buyer, { urls: [NEW, PRIVATE] })
  const [video, refused] = preview['sources']
  assert.deepEqual([video.title, video.wouldTake, video.error], [titleOf(NEW), 1, null])
  assert.notEqual(video.channelName, null)
  assert.deepEqual([refused.title, refused.wouldTake, refused.error], [null, 1, null])
  assert.equal(refused.tried, undefined)
  assert.equal(preview['costAtMost'], '0.016')
  const again = await views(buyer, { urls: [NEW, PRIVATE], maxVideos: 1 })
  assert.deepEqual(linesOf(again), [titleOf(NEW), null])
})

test('titles use a quarter of the day’s calls, so that lists are still read', async () => {
  const buyer = await customer()
  const urls = good.slice(0, 50)
  assert.equal(urls.length, 50)
  const named = linesOf(await views(buyer, { urls })).filter((title: unknown) => title !== null)
  assert.ok(named.length > TITLES_MAX / 2 && named.length <= TITLES_MAX, String(named.length))
  assert.ok(asked() <= TITLES_MAX, String(asked()))
  const list = await views(buyer, { urls: [`@${world.channel('small').handle!.slice(1)}`] })
  assert.equal(list['sources'][0].videos, 24)
})

test('a line tried before by another order says how that ended; the sums are what a job does', async () => {
  const [buyer, stranger] = [await customer(), await customer()]
  const first = { urls: [PRIVATE, SILENT] }
  await startsFrom(stranger, 'prv_none', { urls: good.slice(10, 40) }) // most videos bring a text
  await startsFrom(buyer, 'prv_none', first)
  log.reset()
  const body = { urls: [NEW, PRIVATE, SILENT] }
  const preview = await views(buyer, body)
  const [fresh, refused, silent] = preview['sources']
  assert.equal(fresh.tried, undefined)
  assert.deepEqual([refused.tried.status, refused.tried.label], ['private', 'Private video'])
  assert.deepEqual([silent.tried.status, silent.title], ['no_captions', titleOf(SILENT)])
  assert.ok(Date.parse(silent.tried.at) <= Date.parse(preview['createdAt']))
  assert.equal(asked(), 1, 'only the new one is asked for')
  assert.deepEqual(
    [preview['wouldTake'], preview['costAtMost'], preview['costExpected']],
    [3, '0.024', '0.008'],
  )
  const { rows } = await startsFrom(buyer, preview['id'], body)
  assert.equal(rows.filter(({ status }) => status !== 'unchanged').length, preview['wouldTake'])

  const known = await views(buyer, first)
  assert.deepEqual(
    known['sources'].map(({ tried }: Json) => tried.status),
    ['private', 'no_captions'],
  )
  assert.deepEqual([known['wouldTake'], known['costExpected']], [2, '0.000'])

  const foreign = await views(stranger, body)
  assert.ok(foreign['sources'].every(({ tried }: Json) => tried === undefined))
})

test('a title that only another account’s row knows is not told', async () => {
  const [buyer, stranger] = [await customer(), await customer()]
  await startsFrom(buyer, 'prv_none', { urls: [PRIVATE] })
  await database.pool.query("update video_row set title = 'Ours alone' where video_id = $1", [
    PRIVATE,
  ])
  const body = { urls: [OTHER, PRIVATE] }
  assert.deepEqual(linesOf(await views(buyer, body)), [titleOf(OTHER), 'Ours alone'])
  assert.deepEqual(linesOf(await views(stranger, body)), [titleOf(OTHER), null])
})

test('a platform that answers nothing leaves lines without titles, and nothing false is said', async () => {
  const buyer = await customer()
  platform.apply({ faults: [{ do: 'too_many', on: 'player', per: 'all' }] })
  const urls = good.slice(0, 20)
  const preview = await views(buyer, { urls })
  platform.clear()
  assert.deepEqual(
    [...new Set(preview['sources'].map(({ title, error }: Json) => `${title} ${error}`))],
    ['null null'],
  )
  assert.equal(preview['wouldTake'], 20)
})
