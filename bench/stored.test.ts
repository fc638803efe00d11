/** Smoke runs of the benchmarks of what is stored and how it is served: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from './api.ts'
import * as coldStart from './cold-start.ts'
import * as downloads from './downloads.ts'
import * as files from './files.ts'
import * as ledger from './ledger.ts'
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

test('verify: the command adds up what was written, a tenth and the whole', async () => {
  const {
    result: { tenth, whole, growth },
  } = await printedBy(() => verify.run(SMOKE))
  // One entry an account is its first credit.
  assert.deepEqual([tenth.entries, whole.entries], [200 + 10, 2_000 + 10])
  assert.deepEqual([tenth.differences, whole.differences], [0, 0])
  assert.ok(tenth.peakMb > 20 && growth < 2)
})

test('repeats: an unchanged channel is listed and nothing else is asked', async () => {
  const { result } = await printedBy(() => repeats.run(SMOKE))
  assert.equal(result.videos, 1_200)
  assert.equal(result.requests['browse'], 12)
  assert.equal(result.requests['timedtext'], undefined)
  assert.ok(result.unchangedRows > 1_000)
  assert.ok(result.heapGrowthBytes < 20e6, `${result.heapGrowthBytes} bytes`)
})

test('files: the same archive is made three ways, ours with the least CPU', async () => {
  const { result } = await printedBy(() => files.run(SMOKE))
  assert.equal(result.videos, 40)
  assert.ok(result.zipBytes > 100_000)
  assert.ok(
    result.cpuMs.ours > 0 && result.cpuMs.ours < result.cpuMs.yazl,
    'nothing is compressed again',
  )
})

test('downloads: a page is read as it is, as gzip and from the bare loop', async () => {
  const { result } = await printedBy(() => downloads.run(SMOKE))
  assert.equal(result.rows, 20)
  assert.ok(result.gzipBytes < result.pageBytes / 2)
  assert.ok(result.ours > 0 && result.oursGzip > 0 && result.bare > 0)
  assert.ok(Math.abs(result.shareOfBare - result.ours / result.bare) < 1e-9)
})

test('cold-start: the embedded database starts with a new folder and with an old one', async () => {
  const { result } = await printedBy(() => coldStart.run(SMOKE))
  assert.ok(result.newFolderMs > 0 && result.oldFolderMs > 0 && result.stopMs > 0)
})
