/**
 * Absences, by jobs of the real service: what some apps, or all of them, say of every video at once is never recorded
 * as a video's own, and a video that is gone or silent ends as such.
 */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { channelUrl } from '../repeats/asking-again.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { nearPlatform, truthIds } from './near-platform.ts'

const CAPTIONS_APPS = ['VISIONOS', 'ANDROID', 'IOS']

const service = await testService({ after }, { env: { ROLES: 'api' } })
const { platform } = service
const { world, log } = platform
const worker = await service.another({ ROLES: 'worker' })
const captioned = truthIds(world, { channel: world.channel('spanish').channelId }).filter(
  (videoId) => {
    const video = world.video(videoId)
    return video?.state === 'ok' && video.tracks.length > 0
  },
)

beforeEach(() => {
  platform.clear()
  log.reset()
})

/** Lets apps deny every video, in both ways: half of `videos` are gone, and all else is without captions. */
const denies = (apps: string[], videos: string[], rest: Partial<FaultRule> = {}): FaultRule[] => {
  const half = videos.filter((_, at) => at % 2 === 0)
  const rule = { on: 'player', client: apps, ...rest } as const
  return [
    { ...rule, do: 'unavailable', video: half },
    { ...rule, do: 'hide_captions' },
  ]
}
const players = (): number => log.counts().byKind['player'] ?? 0

/** Returns how many rows of each status the job has. */
function counted(rows: Json[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function asks(customer: Customer, urls: string[]): Promise<Record<string, number>> {
  return counted((await customer.orders({ urls })).rows)
}

const gone = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `gone${String(from + at).padStart(6, '0')}A`)

test('where nothing was delivered yet, a video is gone once every app has said so', async () => {
  const customer = await service.customer()
  assert.deepEqual(await asks(customer, gone(1)), { unavailable: 1 })
  assert.equal(players(), 3)
})

test('what two apps deny of every video of a job, the third one delivers, from the first on', async () => {
  const urls = captioned.slice(0, 24)
  platform.apply({ faults: denies(['VISIONOS', 'ANDROID'], urls) })
  assert.deepEqual(await asks(await service.customer(), urls), { success: 24 })
})

test('where every app denies every video, no video is to blame, and a repeat gets them', async () => {
  const urls = captioned.slice(0, 12)
  const customer = await service.customer()
  platform.apply({ faults: denies(CAPTIONS_APPS, urls) })
  assert.deepEqual(await asks(customer, urls), { blocked_suspect: 12 })
  platform.clear()
  assert.deepEqual(await asks(customer, urls), { success: 12 })
})

test('where all apps begin to deny every video in the middle of a job, no row says that it is gone', async () => {
  const urls = captioned.slice(0, 12)
  for (const after of [1, 9]) {
    platform.apply({ faults: denies(CAPTIONS_APPS, urls, { per: 'all', after }) })
    const statuses = Object.keys(await asks(await service.customer(), urls))
    const wrong = statuses.filter((each) => each !== 'success' && each !== 'blocked_suspect')
    assert.deepEqual(wrong, [], `after ${after} answers`)
  }
})

test('a list of dead videos, and a channel without captions, are told for what they are', async () => {
  const customer = await service.customer()
  assert.deepEqual(await asks(customer, gone(1)), { unavailable: 1 })
  assert.equal(players(), 4, 'each app is asked, and one of them for a witness')
  assert.deepEqual(await asks(customer, gone(50, 1)), { unavailable: 50 })
  const silent = await asks(customer, [channelUrl(world.channel('quiet'))])
  assert.deepEqual(Object.keys(silent), ['no_captions'])
})

test('what other processes had delivered bears witness in one that has just started', async () => {
  await worker.close()
  platform.apply({ faults: denies(CAPTIONS_APPS, captioned) })
  await service.another({ ROLES: 'worker' })
  assert.deepEqual(await asks(await service.customer(), captioned.slice(0, 6)), {
    blocked_suspect: 6,
  })
})

test('what some apps say of every video is not believed of any', async (t) => {
  const gone = (...client: string[]): FaultRule => ({ do: 'unavailable', on: 'player', client })
  const two = gone('VISIONOS', 'ANDROID')
  const all = gone('VISIONOS', 'ANDROID', 'IOS')
  const odd: FaultRule = { do: 'unknown_status', on: 'player', client: 'IOS' }
  const near = await nearPlatform(t)
  const { videoId } = near.emulator.world.special('both')
  const sees = async (...faults: FaultRule[]): Promise<string> => {
    near.emulator.apply({ faults })
    return outcome(await near.fetch(videoId))
  }
  assert.equal(await sees(two, odd), 'failed', 'one app has no say, and there is no witness')
  assert.equal(await sees(all), 'refused', 'all agree, and there is no witness')
  assert.equal(await sees(two), 'fetched', 'the third app has it')
  assert.equal(await sees(all), 'refused', 'a video is no witness of itself')
  near.emulator.clear()
  await near.fetch(near.emulator.world.special('asr').videoId)
  assert.equal(await sees(all), 'blocked', 'they deny the witness, too')
  assert.equal(await sees({ ...all, video: videoId }), 'refused', 'they deny this one alone')
  assert.equal(await sees({ ...two, video: videoId }), 'fetched')
})

test('a witness that was deleted meanwhile is no block, since another one is asked', async (t) => {
  const near = await nearPlatform(t)
  const { world } = near.emulator
  const deleted = world.special('deleted').videoId
  for (const key of ['asr', 'manual']) await near.fetch(world.special(key).videoId)
  world.revise(world.special('manual').videoId, { state: 'not_found' })
  assert.equal(outcome(await near.fetch(deleted)), 'refused')
  world.revise(world.special('asr').videoId, { state: 'not_found' })
  assert.equal(outcome(await near.fetch(deleted)), 'blocked', 'nothing else was ever delivered')
  await near.fetch(world.special('both').videoId)
  assert.equal(outcome(await near.fetch(deleted)), 'refused')
})

test('a witness that was asked for before a video was denied says nothing of that video', async (t) => {
  const near = await nearPlatform(t, {}, { limits: { requestMs: 60_000 } })
  const { world, log } = near.emulator
  const witness = world.special('asr').videoId
  const players = (): number => log.counts().byKind['player'] ?? 0
  await near.fetch(witness)
  log.reset()
  const denied: FaultRule = { do: 'unavailable', on: 'player', per: 'all' }
  const held: FaultRule = { do: 'hold', on: 'player', video: witness, times: 1 }
  near.emulator.apply({ faults: [held, { ...denied, after: 4 }] })
  const deleted = near.fetch(world.special('deleted').videoId)
  await until('the witness of the deleted video is on its way', async () => players() === 3)
  await until('it is asked for', async () => {
    log.reset()
    return log.counts().inFlightMax === 1
  })
  const other = near.fetch(world.special('both').videoId)
  await until('all apps have denied the other video', async () => players() === 3)
  near.emulator.apply({ faults: [denied] })
  assert.deepEqual([outcome(await deleted), outcome(await other)], ['refused', 'blocked'])
})

function outcome(answer: VideoAnswer): string {
  return answer.kind === 'obstructed' ? answer.obstacle.kind : answer.kind
}
