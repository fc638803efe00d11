/** Field masks that the platform refuses, or that hide what is there, cost a request and never a video. */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import type { MaskFault } from '../../src/platform/youtube/field-masks.ts'
import { type Near, nearPlatform } from './near-platform.ts'

const KEYS = ['both', 'asr', 'manual', 'dubs']

async function underMasks(t: test.TestContext, faults: FaultRule[]) {
  const told: MaskFault[] = []
  const limits = { requestMs: 10_000, retryPauseMs: 1 }
  const near = await nearPlatform(
    t,
    { faults },
    { limits, onMasksOff: (fault) => told.push(fault) },
  )
  return { near, told }
}

/** Returns the calls that one more video took, and whether it came. */
async function fetched(near: Near, key: string, wantsDate = false): Promise<string[]> {
  near.requests.length = 0
  const { videoId } = near.emulator.world.special(key)
  const answer = await near.fetch(videoId, 'original', wantsDate)
  assert.equal(answer.kind, 'fetched', key)
  if (wantsDate) assert.notEqual(answer.facts.publishedAt, null, key)
  return near.requests
    .filter(({ call }) => call === 'player' || call === 'date')
    .map(({ call, client, outcome }) => `${call} ${client} ${outcome}`)
}

test('a mask that is refused is left out at once, and for good after two videos', async (t) => {
  const { near, told } = await underMasks(t, [{ do: 'bad_request', on: 'player', masked: true }])
  const twice = ['player VISIONOS bad_request', 'player VISIONOS ok']
  assert.deepEqual(await fetched(near, 'both'), twice)
  assert.deepEqual(await fetched(near, 'both'), twice, 'one video, however often, is no evidence')
  assert.deepEqual(told, [])
  assert.deepEqual(await fetched(near, 'asr'), twice)
  assert.deepEqual(told, ['refused'])
  assert.deepEqual(await fetched(near, 'manual'), ['player VISIONOS ok'])
  assert.deepEqual((await fetched(near, 'dubs', true)).sort(), [
    'date WEB ok',
    'player VISIONOS ok',
  ])
  assert.deepEqual(told, ['refused'])
})

test('masks that hide captions are noticed by two videos and switched off', async (t) => {
  const { near, told } = await underMasks(t, [{ do: 'hide_captions', on: 'player', masked: true }])
  const proved = ['player VISIONOS ok', 'player ANDROID ok', 'player VISIONOS ok']
  assert.deepEqual(await fetched(near, 'both'), proved)
  assert.deepEqual(told, [])
  assert.deepEqual(await fetched(near, 'asr'), proved)
  assert.deepEqual(told, ['hiding'])
  assert.deepEqual(await fetched(near, 'manual'), ['player VISIONOS ok'])
})

test('masks that hide publish dates cost no date', async (t) => {
  const { near, told } = await underMasks(t, [
    { do: 'missing_keys', on: 'player', client: 'WEB', masked: true },
  ])
  for (const key of KEYS.slice(0, 2)) await fetched(near, key, true)
  assert.equal(told.length, 1)
})

test('a client that lists less than another is no reason to doubt the mask', async (t) => {
  const { near, told } = await underMasks(t, [
    { do: 'hide_captions', on: 'player', client: 'VISIONOS' },
  ])
  const [first, ...others] = KEYS
  const asked = ['player VISIONOS ok', 'player ANDROID ok']
  assert.deepEqual(await fetched(near, first ?? ''), [...asked, 'player VISIONOS ok'], 'the proof')
  for (const key of others)
    assert.deepEqual(await fetched(near, key), asked, 'it holds for a while')
  assert.deepEqual(told, [])
})

test('where nothing else is wrong a mask is used for ever', async (t) => {
  const { near, told } = await underMasks(t, [])
  for (const key of [...KEYS, 'android-only']) await fetched(near, key)
  assert.deepEqual(told, [])
})
