/** Batches: every part comes, none for ever, and all jobs together take no more than was ordered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { atOnce } from '../transcripts/steps.ts'
import { LIMITS } from '../../config/config.ts'
import { afterJob, type BatchJob, type BatchPlace, nextOrder, partCount } from './batch.ts'
import { readingOrder, readOrder } from './read-order.ts'
import { lineTexts } from '../../../test/support/orders.ts'

const START: BatchPlace = { part: 0, slot: 0, taken: 0, failures: 0 }

function order(lines: number, maxVideos: number) {
  const urls = Array.from({ length: lines }, (_, at) => `@channel${at}`)
  return atOnce(readingOrder({ urls, maxVideos }, { kind: 'batch', owned: 'skip' }))
}

function job(given: Partial<BatchJob>): BatchJob {
  const none = { slotsUsed: 0, delivered: 0, truncated: 0 }
  return { id: 'job', state: 'finished', maxVideos: 500, ...none, ...given }
}

test('a job that used all its slots is followed by one of the same part, any other by the next part', () => {
  const ordered = order(60, 5_000)
  const cut = afterJob(ordered, START, job({ slotsUsed: 500, delivered: 450 }))
  assert.deepEqual(cut, { place: { part: 0, slot: 1, taken: 500, failures: 0 }, end: null })
  const named = afterJob(ordered, cut.place, job({ slotsUsed: 20, truncated: 3 }))
  assert.deepEqual(named.place, { part: 0, slot: 2, taken: 520, failures: 0 })
  const over = afterJob(ordered, named.place, job({ slotsUsed: 20 }))
  assert.deepEqual(over.place, { part: 1, slot: 3, taken: 540, failures: 0 })
  const { end } = afterJob(ordered, over.place, job({ slotsUsed: 0, truncated: 9 }))
  assert.deepEqual(end, { state: 'finished', notice: null }, 'what no job can take ends it, too')
})

test('a list of videos that were all taken leaves nothing, and says so', () => {
  const urls = Array.from({ length: 60 }, (_, at) => `aaaaaaaaa${String(at).padStart(2, '0')}`)
  const ordered = atOnce(readingOrder({ urls, maxVideos: 60 }, { kind: 'batch', owned: 'skip' }))
  const place = { part: 1, slot: 1, taken: 50, failures: 0 }
  const last = job({ maxVideos: 10, slotsUsed: 10, delivered: 9 })
  const atLimit = { state: 'finished', notice: null, isAtLimit: true }
  assert.deepEqual(afterJob(ordered, place, last).end, atLimit)
  const cut = afterJob({ ...ordered, maxVideos: 55 }, place, {
    ...last,
    maxVideos: 5,
    slotsUsed: 5,
  })
  assert.deepEqual(cut.end, atLimit)
})

test('three failures in a row stop a batch, and a cancelled job does; what they delivered counts', () => {
  const ordered = order(60, 5_000)
  const failed = job({ state: 'failed', slotsUsed: 500, delivered: 7 })
  const first = afterJob(ordered, START, failed)
  assert.deepEqual(first, { place: { part: 0, slot: 1, taken: 7, failures: 1 }, end: null })
  const second = afterJob(ordered, first.place, { ...failed, state: 'interrupted' })
  assert.equal(afterJob(ordered, second.place, failed).end?.state, 'stopped')
  assert.equal(afterJob(ordered, second.place, job({})).place.failures, 0)
  assert.match(afterJob(ordered, START, job({ state: 'cancelled' })).end?.notice ?? '', /cancelled/)
})

test('parts are the lines in their order, with the URL sets that jobs of them would have', () => {
  const ordered = order(120, 1_000)
  assert.equal(partCount(120), 3)
  const parts = [0, 1, 2].map((part) => nextOrder(ordered, { ...START, part, taken: 700 }))
  assert.deepEqual(
    parts.flatMap(({ lines }) => lines),
    ordered.lines,
  )
  assert.ok(parts.every(({ maxVideos }) => maxVideos === 300))
  const set = atOnce(
    readingOrder(
      { urls: lineTexts(ordered.lines.slice(50, 100)) },
      { kind: 'batch', owned: 'skip' },
    ),
  )
  assert.equal(parts[1]?.urlSetHash, set.urlSetHash)
})

test('a part continues what releases up to 1.0 read in its lines, as a job with these lines does', () => {
  const urls = ['https://youtu.be/AAAAAAAAAAA?ab_channel=a,@bcd', 'https://youtu.be/BBBBBBBBBBB']
  const job = readOrder({ urls })
  const part = nextOrder(atOnce(readingOrder({ urls }, { kind: 'batch', owned: 'again' })), START)
  assert.equal(job.earlierSetHashes.length, 1)
  assert.deepEqual(part.earlierSetHashes, job.earlierSetHashes)
})

test('whatever jobs do, a batch ends, and they take no more than it allows', () => {
  const jobs = fc.array(
    fc.record({
      state: fc.constantFrom('finished' as const, 'failed' as const, 'interrupted' as const),
      used: fc.nat({ max: LIMITS.videosMax }),
      delivered: fc.nat({ max: LIMITS.videosMax }),
      truncated: fc.nat({ max: 2 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  const whole = order(300, 1)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 3_000 }),
      jobs,
      (lines, maxVideos, made) => {
        const ordered = { ...whole, lines: whole.lines.slice(0, lines), maxVideos }
        let place = START
        for (let at = 0; ; at += 1) {
          const request = nextOrder(ordered, place)
          const { state, used, delivered, truncated } = made[at] ?? NOTHING
          const slotsUsed = Math.min(used, request.maxVideos)
          const one = { slotsUsed, delivered: Math.min(delivered, slotsUsed), truncated }
          const next = afterJob(
            ordered,
            place,
            job({ state, ...one, maxVideos: request.maxVideos }),
          )
          assert.ok(next.place.taken <= maxVideos && next.place.slot === place.slot + 1)
          if (next.end !== null) break
          assert.ok(next.place.part < partCount(lines) && next.place.taken < maxVideos)
          place = next.place
          assert.ok(at < made.length + partCount(lines), 'it ends')
        }
      },
    ),
  )
})

const NOTHING = { state: 'finished' as const, used: 0, delivered: 0, truncated: 0 }
