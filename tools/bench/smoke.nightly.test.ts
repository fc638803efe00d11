/** Smoke runs of the benchmarks: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../../src/store/migrate.ts'
import { RELEASES } from '../../test/support/releases.ts'
import * as api from './api.ts'
import * as channel from './channel.ts'
import * as command from './command.ts'
import * as files from './files.ts'
import * as growth from './growth.ts'
import * as memory from './memory.ts'
import * as migrations from './migrations.ts'
import * as search from './search.ts'
import { printedBy } from './stage/printed.ts'
import * as storage from './storage.ts'

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

test('files: the same archive is made three ways', async () => {
  const { result } = await printedBy(() => files.run(SMOKE))
  assert.equal(result.videos, 40)
  assert.ok(result.zipBytes > 100_000)
  for (const ms of Object.values(result.cpuMs)) assert.ok(ms > 0)
})

test('storage: a transcript is written, stored and read', async () => {
  const { result, text } = await printedBy(() => storage.run(SMOKE))
  const { life } = result
  assert.ok(life.walBytes > 0 && life.storedBytes > 0 && life.zipBytes > 0)
  assert.ok(life.renderMs > 0 && life.zipMs > 0 && life.lifeMs > life.renderMs)
  assert.match(text, /life, ms/)
})

test('search: every kind of question is answered over all transcripts', async () => {
  const { result, text } = await printedBy(() => search.run(SMOKE))
  assert.equal(result.transcripts, 60)
  assert.ok(result.bytesEach > 500 && result.addMs > 0 && result.wordsEach > 300)
  for (const { count, p50, p95 } of result.questions) assert.ok(count > 1 && p50 <= p95)
  assert.match(text, /ranked words/)
})

test('growth: every question is answered, of few, of many texts and of many jobs', async () => {
  const { result, text } = await printedBy(() => growth.run(SMOKE))
  const names = Object.keys(result.few)
  for (const times of [result.few, result.manyTexts, result.manyJobs])
    assert.ok(names.every((name) => (times[name] ?? 0) > 0))
  assert.match(text, /1,000 texts/)
})

test('api: our routes, the bare ones and those without a database answer the same requests', async () => {
  const { result } = await printedBy(() => api.run(SMOKE))
  for (const { ours, bare, withoutDatabase, shareOfBare } of Object.values(result.routes)) {
    for (const round of [ours, bare, withoutDatabase])
      assert.ok(round.perSecond > 0 && round.p50Ms > 0 && round.p99Ms >= round.p50Ms)
    assert.ok(Math.abs(shareOfBare - ours.perSecond / bare.perSecond) < 1e-9)
  }
})

test('migrations: each one since the oldest release is applied while others read and write', async () => {
  const { result, text } = await printedBy(() => migrations.run(SMOKE))
  const names = result.waits.map(({ name }) => name)
  const since = RELEASES[0]?.lastMigration ?? ''
  const files = (await readMigrations()).map(({ name }) => name).filter((name) => name > since)
  assert.deepEqual(names, files)
  assert.ok(result.statements > names.length, 'both sessions were at work')
  for (const { ms, waitMs } of result.waits) assert.ok(waitMs >= 0 && waitMs <= ms)
  assert.match(text, /nobody waits longer than 200 ms/)
})
