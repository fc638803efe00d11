/** Smoke runs of the benchmarks of what is stored and how it is served: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as downloads from './downloads.ts'
import * as files from './files.ts'
import * as ledger from './ledger.ts'
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
