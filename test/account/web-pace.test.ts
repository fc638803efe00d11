/** What a job's page says of its progress: what is waited for, how fast it goes, and when people say it began. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const web = (name: string) => import(path.resolve(import.meta.dirname, '../../web/src', name))
const { durationWords, paceWords, waitedFor, withSample } = await web('pace.ts')
const { recentWords } = await web('format.ts')

const job = (discovered: number | null, processed: number, counts = {}, maxVideos = 500) => ({
  input: { maxVideos },
  progress: { discovered, processed, delivered: 0, counts },
})

test('a job waits for the videos that take a place, and never for more than its limit', () => {
  assert.deepEqual(waitedFor(job(null, 0)), { processed: 0, total: null })
  assert.deepEqual(waitedFor(job(100, 70, { success: 30, truncated: 40 }, 60)), {
    processed: 30,
    total: 60,
  })
  assert.deepEqual(waitedFor(job(42, 41, { success: 1, unchanged: 40 })), {
    processed: 1,
    total: 2,
  })
  assert.deepEqual(waitedFor(job(700, 10)), { processed: 10, total: 500 })
  assert.deepEqual(waitedFor(job(3, 5)), { processed: 5, total: 5 }, 'nor for less than is there')
})

test('the rate and the time left come from the last twenty seconds', () => {
  const samples = [
    { atMs: 0, processed: 0 },
    { atMs: 10_000, processed: 41 },
  ]
  assert.equal(paceWords(samples, { processed: 41, total: 110 }), '4.1 a second, about 17 s left')
  assert.equal(paceWords(samples, { processed: 41, total: 41 }), '4.1 a second')
  assert.equal(paceWords(samples, { processed: 41, total: null }), '4.1 a second')
  const slow = [
    { atMs: 0, processed: 0 },
    { atMs: 60_000, processed: 3 },
  ]
  assert.equal(paceWords(slow, { processed: 3, total: 13 }), '3 a minute, about 3 min left')
  const kept = withSample(samples, { atMs: 20_500, processed: 251 })
  assert.deepEqual(
    kept.map(({ atMs }: { atMs: number }) => atMs),
    [10_000, 20_500],
  )
  assert.match(paceWords(kept, { processed: 251, total: 300 }), /^20 a second/)
})

test('nothing is said of a rate before it is known, nor where nothing moves', () => {
  assert.equal(paceWords([], { processed: 0, total: 9 }), '')
  const still = [
    { atMs: 0, processed: 4 },
    { atMs: 9_000, processed: 4 },
  ]
  assert.equal(paceWords(still, { processed: 4, total: 9 }), '')
  const early = [
    { atMs: 0, processed: 0 },
    { atMs: 900, processed: 4 },
  ]
  assert.equal(paceWords(early, { processed: 4, total: 9 }), '')
})

test('a time is a few words long', () => {
  assert.deepEqual([0.2, 19, 89, 240, 7_200, 7_800].map(durationWords), [
    '1 s',
    '19 s',
    '89 s',
    '4 min',
    '2 h',
    '2 h 10 min',
  ])
})

test('a day is called as people call it', () => {
  const now = new Date(2026, 2, 1, 9, 30)
  const said = (...parts: [number, number, number, number, number]) =>
    recentWords(new Date(...parts), now)
  assert.match(said(2026, 2, 1, 8, 38), /^today, .*8/)
  assert.match(said(2026, 1, 28, 23, 59), /^yesterday, /)
  assert.match(said(2026, 1, 27, 8, 38), /27.*8/)
  assert.doesNotMatch(said(2026, 1, 27, 8, 38), /2026/)
  assert.match(said(2025, 11, 31, 8, 38), /2025$/)
})
