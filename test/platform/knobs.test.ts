/** The emulator's remaining knobs: what a caller's country, slowness and short-lived addresses change. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { truthOfVideo } from '../../emulator/truth.ts'
import { passing } from '../support/until.ts'
import { nearPlatform } from './near-platform.ts'
import { segmentsOf } from '../support/segments-of.ts'

test('a video that is blocked in one country is delivered to a caller of another one', async (t) => {
  const near = await nearPlatform(t)
  const { videoId } = near.emulator.world.special('region')
  const here = await near.fetch(videoId)
  assert.equal(here.kind === 'refused' && here.refusal.reason, 'region_blocked')

  near.emulator.apply({ knobs: { countries: { '127.0.0.1': 'DE' } } })
  const there = await near.fetch(videoId)
  assert.equal(there.kind, 'fetched', JSON.stringify(there))
})

test('a caption address that expires before it is asked is asked for anew, once', async (t) => {
  const near = await nearPlatform(t)
  const { videoId } = near.emulator.world.special('asr')
  near.emulator.apply({ knobs: { timedtextLifeMs: 1 } })
  const expired = await near.fetch(videoId)
  assert.equal(expired.kind, 'obstructed', "an address that is over is never the video's fault")
  assert.ok(
    near.requests.filter(({ call }) => call === 'player').length >= 2,
    'it asks for a new address',
  )

  near.emulator.apply({ knobs: { timedtextLifeMs: 60_000 } })
  assert.equal((await near.fetch(videoId)).kind, 'fetched')
})

test('a slow platform only costs time: latency, jitter and a body that drips', async (t) => {
  const near = await nearPlatform(t, { knobs: { latencyMs: 60, jitterMs: 40 } })
  const video = near.emulator.world.special('manual')
  const isLate = passing(3 * 60)
  const answer = await near.fetch(video.videoId)
  assert.ok(isLate(), 'visitor, player and captions each took their time')
  const [track] = truthOfVideo(near.emulator.world, video).tracks
  assert.deepEqual(answer.kind === 'fetched' && segmentsOf(answer.transcript), track?.segments)

  near.emulator.apply({
    faults: [{ do: 'drip', on: 'timedtext', bytesPerSecond: 20_000 }],
    knobs: { latencyMs: 0, jitterMs: 0 },
  })
  const dripped = await near.fetch(video.videoId)
  assert.deepEqual(dripped.kind === 'fetched' && segmentsOf(dripped.transcript), track?.segments)
})

test("a body that drips longer than a request may take is given up, and is never the video's fault", async (t) => {
  const near = await nearPlatform(
    t,
    {},
    { limits: { requestMs: 300, patienceMs: 500, retryPauseMs: 1 } },
  )
  near.emulator.apply({ faults: [{ do: 'drip', on: 'timedtext', bytesPerSecond: 50 }] })
  const answer = await near.fetch(near.emulator.world.special('manual').videoId)
  assert.equal(answer.kind, 'obstructed')
})
