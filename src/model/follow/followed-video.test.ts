/** A followed video after its jobs: delivered, refused for good, or asked for again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  afterOutcome,
  type FollowedOutcome,
  isDue,
  newlyFound,
  TRIES_MAX,
} from './followed-video.ts'

const HOUR = 3_600_000
const FOUND = new Date('2026-03-01T12:00:00Z')
const hours = (count: number): Date => new Date(FOUND.getTime() + count * HOUR)
const found = newlyFound('v', 1, FOUND)
const ordered = { ...found, jobId: 'j' }

function says(
  status: FollowedOutcome['status'],
  more: Partial<FollowedOutcome> = {},
): FollowedOutcome {
  return { jobState: 'finished', status, isTransient: false, ...more }
}

/**
 * Returns the hours after finding at which the video is asked for, if every job says the same as soon as it is asked.
 */
function triesOf(outcome: FollowedOutcome, max = 100): number[] {
  const tries = [0]
  let video: typeof found | null = ordered
  while (tries.length < max) {
    const at = hours(tries.at(-1) ?? 0)
    video = afterOutcome({ ...video, jobId: 'j' }, outcome, at)
    if (video === null) return tries
    assert.ok(!isDue(video, at) && isDue(video, video.dueAt))
    tries.push((video.dueAt.getTime() - FOUND.getTime()) / HOUR)
  }
  return tries
}

test('captions that are missing are asked for again for three days, then no more', () => {
  assert.deepEqual(triesOf(says('no_captions')), [0, 2, 6, 14, 30, 54, 72])
})

test('its three days begin when it is first asked for, and a late look takes none of its tries', () => {
  const waited = afterOutcome(ordered, says('no_captions'), hours(100))
  assert.ok(waited !== null)
  assert.deepEqual([waited.dueAt, waited.youngUntil], [hours(102), hours(172)])
  const late = afterOutcome({ ...waited, jobId: 'j' }, says('no_captions'), hours(180))
  assert.ok(late !== null)
  assert.deepEqual(late.dueAt, hours(184))
  assert.equal(afterOutcome({ ...late, jobId: 'j' }, says('no_captions'), hours(184)), null)
})

test('a final answer ends it', () => {
  for (const status of ['success', 'private', 'language_not_available', 'unavailable'] as const)
    assert.equal(afterOutcome(ordered, says(status), FOUND), null, status)
  assert.equal(afterOutcome(ordered, says(null, { jobState: 'cancelled' }), FOUND), null)
})

test('a premiere, a doubt, an obstacle and a failed job are asked about for a month, and cost none of the three days', () => {
  for (const outcome of [
    says('unavailable', { isTransient: true }),
    says('private', { isTransient: true }),
    says('blocked_suspect'),
    says('failed'),
    says(null, { jobState: 'failed' }),
    says(null, { jobState: 'interrupted' }),
  ]) {
    const tries = triesOf(outcome)
    assert.equal(tries.length, TRIES_MAX + 1)
    assert.ok((tries.at(-1) ?? 0) > 30 * 24 && (tries.at(-1) ?? 0) < 32 * 24)
  }
  const blocked = afterOutcome(ordered, says('blocked_suspect'), hours(71))
  assert.ok(blocked !== null)
  assert.notEqual(afterOutcome({ ...blocked, jobId: 'j' }, says('no_captions'), hours(100)), null)
})

test('an open job changes nothing', () => {
  for (const jobState of ['queued', 'running', 'cancelling'] as const)
    assert.equal(afterOutcome(ordered, says('success', { jobState }), hours(200)), ordered)
})

test('a video that no job had is due even after the clock was set back', () => {
  assert.ok(isDue(found, hours(-1000)))
  assert.ok(!isDue({ ...found, tries: 1 }, hours(-1)))
  assert.ok(!isDue(ordered, hours(1)))
})
