/** Smoke runs of the longer benchmarks of what is stored and how it is served: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from './api.ts'
import * as coldStart from './cold-start.ts'
import * as migrations from './migrations.ts'
import * as partitions from './partitions.ts'
import * as library from './library.ts'
import * as repeats from './repeats.ts'
import * as verify from './verify.ts'
import { printedBy } from './stage/printed.ts'

const SMOKE = { smoke: true, long: false }

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
  // One entry an account is its first credit.
  assert.deepEqual([tenth.entries, whole.entries], [200 + 10, 2_000 + 10])
  assert.deepEqual([tenth.differences, whole.differences], [0, 0])
  assert.ok(tenth.peakMb > 20 && growth < 2)
})

test('partitions: the steps are taken while others read and write', async () => {
  const { result, text } = await printedBy(() => partitions.run(SMOKE))
  const { byMonth, byAccount } = result
  assert.deepEqual([byMonth.took.length, byAccount.took.length], [5, 4])
  for (const { statements } of [byMonth, byAccount])
    assert.ok(statements > 0, 'somebody was at work')
  assert.match(text, /2000 rows with transcripts/)
  assert.match(text, /2000 rows of history, 2000 of the ledger/)
})

test('migrations: each one since 1.0.0 is applied while others read and write', async () => {
  const { result, text } = await printedBy(() => migrations.run(SMOKE))
  const names = result.waits.map(({ name }) => name)
  assert.deepEqual(
    [names[0], names.includes('0031-accounts-at-work.sql')],
    ['0016-weather.sql', true],
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
