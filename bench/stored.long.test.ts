/** Smoke runs of the benchmarks of what is stored and how it is served: they measure what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as downloads from './downloads.ts'
import * as files from './files.ts'
import * as follow from './follow.ts'
import * as ledger from './ledger.ts'
import * as streams from './streams.ts'
import * as search from './search.ts'
import * as storage from './storage.ts'
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

test('files: the same archive is made three ways, ours with the least CPU', async () => {
  const { result } = await printedBy(() => files.run(SMOKE))
  assert.equal(result.videos, 40)
  assert.ok(result.zipBytes > 100_000)
  assert.ok(
    result.cpuMs.ours > 0 && result.cpuMs.ours < result.cpuMs.yazl,
    'one search for all forms takes less than four',
  )
})

test('downloads: a page is read as it is, as gzip and from the bare loop', async () => {
  const { result } = await printedBy(() => downloads.run(SMOKE))
  assert.equal(result.rows, 20)
  assert.ok(result.gzipBytes < result.pageBytes / 2)
  assert.ok(result.ours > 0 && result.oursGzip > 0 && result.bare > 0)
  assert.ok(Math.abs(result.shareOfBare - result.ours / result.bare) < 1e-9)
})

test('storage: bodies take a quarter of the bytes of members, and give as large a ZIP', async () => {
  const { result, text } = await printedBy(() => storage.run(SMOKE))
  const { members, body } = result
  assert.ok(body.walBytes < members.walBytes / 2 && body.storedBytes < members.storedBytes / 2)
  assert.equal(body.zipBytes, members.zipBytes)
  for (const cost of [members, body])
    assert.ok(cost.renderMs > 0 && cost.zipMs > 0 && cost.lifeMs > cost.renderMs)
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
