/** Smoke runs of the benchmarks of what is stored and how it is served: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from './api.ts'
import * as coldStart from './cold-start.ts'
import * as downloads from './downloads.ts'
import * as files from './files.ts'
import * as follow from './follow.ts'
import * as ledger from './ledger.ts'
import * as library from './library.ts'
import * as migrations from './migrations.ts'
import * as repeats from './repeats.ts'
import * as search from './search.ts'
import * as storage from './storage.ts'
import * as streams from './streams.ts'
import * as verify from './verify.ts'
import { printedBy } from './stage/printed.ts'

const SMOKE = { smoke: true, long: false }

test('ledger: one hot account and many go through reserve and settlement', async () => {
  const { result } = await printedBy(() => ledger.run(SMOKE))
  assert.deepEqual(
    result.rates.map(({ accounts }) => accounts),
    [1, 50],
  )
  for (const { bare, ledger: ours, jobs } of result.rates)
    assert.ok(bare > 0 && ours > 0 && jobs > 0)
  for (const { ledger: ratio } of result.ratios) assert.ok(ratio > 0 && ratio < 10)
})

test('follow: everything that is due is looked at once, and costs some CPU', async () => {
  const { result } = await printedBy(() => follow.run(SMOKE))
  assert.equal(result.looks, 59, 'and one that prepared the statements')
  assert.ok(result.cpuMsPerLook > 0 && result.hourlyShare > 0)
})

test('files: the same archive is made three ways', async () => {
  const { result } = await printedBy(() => files.run(SMOKE))
  assert.equal(result.videos, 40)
  assert.ok(result.zipBytes > 100_000)
  for (const ms of Object.values(result.cpuMs)) assert.ok(ms > 0)
})

test('downloads: a page is read as it is, as gzip and from the bare loop', async () => {
  const { result } = await printedBy(() => downloads.run(SMOKE))
  assert.equal(result.rows, 20)
  assert.ok(result.gzipBytes < result.pageBytes / 2)
  assert.ok(result.ours > 0 && result.oursGzip > 0 && result.bare > 0)
  assert.ok(Math.abs(result.shareOfBare - result.ours / result.bare) < 1e-9)
})

test('storage: a transcript is written, stored and read', async () => {
  const { result, text } = await printedBy(() => storage.run(SMOKE))
  const { life } = result
  assert.ok(life.walBytes > 0 && life.storedBytes > 0 && life.zipBytes > 0)
  assert.ok(life.renderMs > 0 && life.zipMs > 0 && life.lifeMs > life.renderMs)
  assert.match(text, /life, ms/)
})

test('streams: all are open at the end, and cost statements by the second, not by the stream', async () => {
  const { result } = await printedBy(() => streams.run(SMOKE))
  assert.equal(result.streams, 10)
  assert.ok(result.statementsPerSecond > 0.5 && result.statementsPerSecond < 10)
  assert.ok(result.cpuShare > 0 && Number.isFinite(result.growthMb))
})

test('search: every kind of question is answered over all transcripts', async () => {
  const { result, text } = await printedBy(() => search.run(SMOKE))
  assert.equal(result.transcripts, 60)
  assert.ok(result.bytesEach > 500 && result.addMs > 0 && result.wordsEach > 300)
  for (const { count, p50, p95 } of result.questions) assert.ok(count > 1 && p50 <= p95)
  assert.match(text, /ranked words/)
})

test('api: our routes, the bare ones and those without a database answer the same requests', async () => {
  const { result } = await printedBy(() => api.run(SMOKE))
  for (const { ours, bare, withoutDatabase, shareOfBare } of Object.values(result.routes)) {
    for (const round of [ours, bare, withoutDatabase])
      assert.ok(round.perSecond > 0 && round.p50Ms > 0 && round.p99Ms >= round.p50Ms)
    assert.ok(Math.abs(shareOfBare - ours.perSecond / bare.perSecond) < 1e-9)
  }
})

test('verify: the command adds up what was written, a tenth and the whole', async () => {
  const {
    result: { tenth, whole, growth },
  } = await printedBy(() => verify.run(SMOKE))
  // Each account has one more entry: its first credit.
  assert.deepEqual([tenth.entries, whole.entries], [200 + 10, 2_000 + 10])
  assert.deepEqual([tenth.differences, whole.differences], [0, 0])
  assert.ok(tenth.peakMb > 20 && growth < 2)
})

test('migrations: each one since the oldest release is applied while others read and write', async () => {
  const { result, text } = await printedBy(() => migrations.run(SMOKE))
  const names = result.waits.map(({ name }) => name)
  assert.deepEqual(
    [names[0], names.includes('0073-jobs-by-what-started-them.sql')],
    ['0069-apps-sent-in-clear.sql', true],
  )
  assert.ok(result.statements > names.length, 'both sessions were at work')
  for (const { ms, waitMs } of result.waits) assert.ok(waitMs >= 0 && waitMs <= ms)
  assert.match(text, /nobody waits longer than 200 ms/)
})

test('repeats: an unchanged channel is listed and nothing else is asked', async () => {
  const { result } = await printedBy(() => repeats.run(SMOKE))
  assert.equal(result.videos, 1_200)
  assert.equal(result.requests['browse'], 12)
  assert.equal(result.requests['timedtext'], undefined)
  assert.ok(result.unchangedRows > 1_000)
  assert.ok(result.heapGrowthBytes < 20e6, `${result.heapGrowthBytes} bytes`)
})

test('cold-start: the embedded database starts with a new folder and with an old one', async () => {
  const { result } = await printedBy(() => coldStart.run(SMOKE))
  assert.ok(result.newFolderMs > 0 && result.oldFolderMs > 0 && result.stopMs > 0)
})

test('library: collections, videos and ZIPs are those that were made', async () => {
  const { result, text } = await printedBy(() => library.run(SMOKE))
  assert.ok(result.listMs > 0 && result.pageMs > 0)
  const [texts, all] = result.zips
  assert.ok(texts !== undefined && all !== undefined)
  assert.ok(texts.bytes > 60 * 10_000 && all.bytes > texts.bytes)
  for (const { firstByteMs, cpuMs } of result.zips) assert.ok(firstByteMs > 0 && cpuMs > 0)
  assert.match(text, /4 collections, 120 videos/)
})
