/**
 * Absences, by jobs of the real service: what some apps, or all of them, say of every video at once is never recorded
 * as a video's own, and a video that is gone or silent ends as such.
 */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import type { Customer } from '../../conformance/customer.ts'
import type { Json } from '../../conformance/http.ts'
import { channelUrl } from '../repeats/asking-again.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { nearPlatform, truthIds } from './near-platform.ts'

const CAPTIONS_APPS = ['VISIONOS', 'ANDROID', 'IOS']
/** What the platform may say of every video at once: that it is gone, or that it has no captions. */
const DENIALS = ['unavailable', 'hide_captions'] as const

const service = await testService({ after })
const { platform } = service
const { world, log } = platform
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

const denies = (trick: (typeof DENIALS)[number], apps: string[]): FaultRule[] => [
  { do: trick, on: 'player', client: apps },
]
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

test('what two apps deny of every video of a job, the third one delivers, from the first on', async (t) => {
  for (const [trick, size] of [
    ['unavailable', 6],
    ['unavailable', 12],
    ['hide_captions', 12],
  ] as const) {
    const fresh = await testService(t)
    fresh.platform.apply({ faults: denies(trick, ['VISIONOS', 'ANDROID']) })
    const urls = captioned.slice(0, size)
    assert.deepEqual(await asks(await fresh.customer(), urls), { success: size }, trick)
  }
})

test('what other processes had delivered bears witness in one that has just started', async (t) => {
  const apart = await testService(t, { env: { ROLES: 'api' } })
  const first = await apart.another({ ROLES: 'worker' })
  await asks(await apart.customer(), captioned.slice(0, 2))
  await first.close()
  apart.platform.apply({ faults: denies('unavailable', CAPTIONS_APPS) })
  await apart.another({ ROLES: 'worker' })
  const urls = captioned.slice(2, 8)
  assert.deepEqual(await asks(await apart.customer(), urls), { blocked_suspect: 6 })
})

test('where every app denies every video, no video is to blame, and a repeat gets them', async () => {
  const urls = captioned.slice(0, 12)
  for (const trick of DENIALS) {
    const customer = await service.customer()
    await asks(await service.customer(), captioned.slice(12, 15))
    platform.apply({ faults: denies(trick, CAPTIONS_APPS) })
    assert.deepEqual(await asks(customer, urls), { blocked_suspect: 12 }, trick)
    platform.clear()
    assert.deepEqual(await asks(customer, urls), { success: 12 }, trick)
  }
})

test('where all apps begin to deny every video in the middle of a job, no row says that it is gone', async () => {
  const urls = captioned.slice(0, 12)
  await asks(await service.customer(), captioned.slice(12, 15))
  for (const trick of DENIALS)
    for (const after of [1, 5, 9]) {
      platform.apply({
        faults: denies(trick, CAPTIONS_APPS).map((rule) => ({ ...rule, per: 'all', after })),
      })
      const statuses = Object.keys(await asks(await service.customer(), urls))
      const wrong = statuses.filter((each) => each !== 'success' && each !== 'blocked_suspect')
      assert.deepEqual(wrong, [], `${trick} after ${after} answers`)
    }
})

test('a list of dead videos, and a channel without captions, are told for what they are', async () => {
  const customer = await service.customer()
  await asks(customer, captioned.slice(0, 2))
  log.reset()
  assert.deepEqual(await asks(customer, gone(1)), { unavailable: 1 })
  assert.equal(players(), 4, 'each app is asked, and one of them for a witness')
  assert.deepEqual(await asks(customer, gone(50, 1)), { unavailable: 50 })
  const silent = await asks(customer, [channelUrl(world.channel('quiet'))])
  assert.deepEqual(Object.keys(silent), ['no_captions'])
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
