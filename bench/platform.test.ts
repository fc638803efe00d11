/** Smoke runs of the benchmarks of the platform's client and of its stand-in: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as emulator from './emulator.ts'
import * as platformCost from './platform-cost.ts'
import { printedBy } from './stage/printed.ts'

test('platform-cost: every client gets the same videos, ours with two requests each', async () => {
  const { result } = await printedBy(() => platformCost.run({ smoke: true }))
  const { videos, ours, oursWithDate, oursUnmasked, youtubeiJs, youtubeTranscript, youtubeTranscriptPlus } = result
  assert.equal(videos, 15)
  for (const client of [ours, oursWithDate, oursUnmasked, youtubeiJs, youtubeTranscript, youtubeTranscriptPlus]) {
    assert.equal(client.delivered, 15)
    assert.ok(client.captionBytes > 0)
  }
  assert.equal(ours.requests, 2)
  assert.equal(oursWithDate.requests, 3)
  assert.ok(ours.bytes < oursUnmasked.bytes, 'masks save bytes')
})

test('emulator: it answers players, lists and captions', async () => {
  const { result } = await printedBy(() => emulator.run({ smoke: true }))
  for (const rate of [...Object.values(result.playerPerCpuSecond), result.playerPerSecond, result.listPagesPerCpuSecond, result.captionsPerCpuSecond]) {
    assert.ok(rate > 0)
  }
})
