/** Smoke runs of the benchmarks that play with the whole service: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as channel from './channel.ts'
import * as command from './command.ts'
import * as growth from './growth.ts'
import * as latency from './latency.ts'
import * as mcp from './mcp.ts'
import * as memory from './memory.ts'
import * as profile from './profile.ts'
import * as scale from './scale.ts'
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

test('scale: every line delivers all videos, with old rows and without', async () => {
  const { result } = await printedBy(() => scale.run(SMOKE))
  assert.deepEqual(
    result.lines.map(({ workers, slots, oldRows }) => [workers, slots, oldRows]),
    [
      [1, 6, 0],
      [2, 6, 0],
      [1, 64, 0],
      [2, 64, 0],
      [1, 64, 100],
      [2, 64, 100],
    ],
  )
  for (const line of result.lines) {
    assert.equal(line.transcripts, result.lines[0]?.transcripts)
    assert.ok(line.transcripts > 0 && line.transcripts <= 8)
    assert.ok(line.statementsPerTranscript > 1)
    assert.ok(
      line.requestsPerSecond > 2 * line.transcriptsPerSecond,
      'two requests a transcript at least',
    )
  }
})

test('growth: both sides answer every request, over as many old jobs as it says', async () => {
  const { result, text } = await printedBy(() => growth.run(SMOKE))
  assert.deepEqual(
    result.steps.map(({ oldJobs, oldRows }) => [oldJobs, oldRows]),
    [[30, 90]],
  )
  for (const pace of result.steps.flatMap(({ few, many }) => [few, many])) {
    assert.equal(Object.keys(pace).length, 6)
    for (const [name, value] of Object.entries(pace)) assert.ok(value > 0, `${name} was measured`)
  }
  assert.match(text, /POST \/jobs/)
})

test('memory: the jobs run while the ZIPs are read, and the curve has its thirds', async () => {
  const { result, text } = await printedBy(() => memory.run(SMOKE))
  assert.equal(result.transcripts > 0 && result.transcripts <= 8, true)
  assert.ok(result.zipBytes > 5_000)
  for (const curve of [result.api, result.worker]) {
    assert.ok(curve.rssMb.length >= 3, 'sampled')
    assert.ok(Math.min(...curve.rssMb) > 20, 'megabytes of a process')
    assert.equal(curve.thirdsMb.length, 3)
    assert.equal(curve.isBounded, curve.growth <= memory.MEMORY_GROWTH_MAX)
  }
  assert.match(text, /[▁▂▃▄▅▆▇█]{3}/)
})

test('profile: time is found in the parts that deliver and that answer', async () => {
  const { result } = await printedBy(() => profile.run(SMOKE))
  assert.ok(result.transcripts > 0 && result.transcripts <= 4)
  assert.equal(result.requests, 10)
  assert.ok((result.worker.byPart['storing'] ?? 0) > 0)
  assert.ok((result.api.byPart['HTTP of Node'] ?? 0) > 0)
  for (const part of ['fetching', 'storing'])
    assert.ok(part in result.worker.byPart, `${part} took time`)
  for (const { byPart, busyMs } of [result.worker, result.api]) {
    const sum = Object.values(byPart).reduce((total, ms) => total + ms, 0)
    assert.ok(Math.abs(sum - busyMs) < 0.001, 'every busy sample belongs to one part')
  }
})

test('command: `get` writes its files, and its job is a part of its time', async () => {
  const { result, text } = await printedBy(() => command.run(SMOKE))
  const [get] = result.gets
  assert.ok(get !== undefined && get.files > 0 && get.files <= 6)
  assert.equal(get.beforeMs + get.jobMs + get.afterMs, get.ms)
  assert.ok(get.beforeMs > 0 && get.jobMs > 0 && get.afterMs > 0)
  assert.ok(result.helpMs > 0 && result.bareMs > 0)
  assert.ok(result.packedBytes < result.unpackedBytes)
  assert.match(text, /over the job/)
})

test('mcp: both eras answer with the balance, and cost the process something', async () => {
  const { result, text } = await printedBy(() => mcp.run(SMOKE))
  for (const { cpuMs, p50Ms, overRest } of Object.values(result.ways))
    assert.ok(cpuMs > 0 && p50Ms > 0 && overRest > 0)
  assert.equal(result.ways.rest.overRest, 1)
  assert.match(text, /get_balance, 2026-07-28/)
})
