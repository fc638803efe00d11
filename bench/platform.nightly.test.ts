/** Smoke run of the benchmark of the platform's client: it measures what it says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as platformCost from './platform-cost.ts'
import { printedBy } from './stage/printed.ts'

test('platform-cost: every client gets the same videos, ours with two requests each', async () => {
  const { result } = await printedBy(() => platformCost.run({ smoke: true, long: false }))
  const {
    videos,
    ours,
    oursWithDate,
    oursUnmasked,
    youtubeiJs,
    youtubeTranscript,
    youtubeTranscriptPlus,
  } = result
  assert.equal(videos, 15)
  for (const client of [
    ours,
    oursWithDate,
    oursUnmasked,
    youtubeiJs,
    youtubeTranscript,
    youtubeTranscriptPlus,
  ]) {
    assert.equal(client.delivered, 15)
    assert.ok(client.captionBytes > 0)
  }
  assert.equal(ours.requests, 2)
  assert.equal(oursWithDate.requests, 3)
  assert.ok(ours.bytes < oursUnmasked.bytes, 'masks save bytes')
})
