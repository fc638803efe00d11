/** Smoke runs of the benchmarks that play with the whole service: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as channel from './channel.ts'
import * as latency from './latency.ts'
import { printedBy } from './stage/printed.ts'

const SMOKE = { smoke: true, long: false }

test('channel: all ways deliver the same videos, and ours asks the platform no more than the bare loop', async () => {
  const { result, text } = await printedBy(() => channel.run(SMOKE))
  const [{ ours, bare, youtubeiJs, youtubeTranscriptPlus, shareOfBare, latencyMs }] =
    result.latencies as [channel.AtLatency]
  assert.equal(latencyMs, 0)
  assert.deepEqual(
    [ours, bare, youtubeiJs, youtubeTranscriptPlus].map((way) => way?.delivered),
    [6, 6, 6, 6],
  )
  // One page of the list, then player, captions and date of each.
  assert.equal(bare.requests, 1 + 3 * 6)
  assert.equal(ours.requests, bare.requests)
  assert.ok(ours.zipBytes > 10_000, 'the ZIP was read')
  assert.ok(ours.statements > 6, 'statements were counted')
  assert.ok(Math.abs(shareOfBare - bare.ms / ours.ms) < 1e-9)
  assert.ok(
    Math.abs(ours.jobMs + ours.filesMs - ours.ms) < 1,
    'the job and its files are the whole',
  )
  assert.match(text, /of the bare loop/)
})

test('latency: each job delivers its video, and the bare loop is the quickest', async () => {
  const { result, text } = await printedBy(() => latency.run(SMOKE))
  assert.equal(result.jobs, 3)
  assert.ok(result.acceptedMs < result.finalMs)
  assert.ok(result.bareMs > 0 && result.bareMs < result.finalMs)
  assert.ok(Math.abs(result.firstTextOverBareMs - (result.firstTextMs - result.bareMs)) < 1e-9)
  assert.match(text, /first text readable/)
})
