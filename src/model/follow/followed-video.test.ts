/** A followed video after its jobs: delivered, refused for good, or asked for again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RowStatus } from '../jobs/video-row.ts'
import {
  afterQuestion,
  afterOutcome,
  type FollowedAnswer,
  type FollowedOutcome,
  type FollowedVideo,
  isAskable,
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
  return { jobState: 'finished', status, ...more }
}

function answers(status: RowStatus, more: Partial<FollowedAnswer> = {}): FollowedAnswer {
  return { status, reason: null, startsAt: null, ...more }
}

/** Returns the hours after finding at which a job, or from then on looks, learn of the video. */
function triesOf(outcome: FollowedOutcome, answer: FollowedAnswer): number[] {
  const tries = [0]
  let video = afterOutcome(ordered, outcome, FOUND)
  while (video !== null) {
    assert.ok(!isDue(video, video.dueAt), 'no job takes it unasked')
    const { dueAt } = video
    assert.ok(isAskable(video, dueAt) && !isAskable(video, new Date(dueAt.getTime() - 1)))
    tries.push((dueAt.getTime() - FOUND.getTime()) / HOUR)
    video = afterQuestion(video, answer, dueAt)
  }
  return tries
}

test('captions that are missing are asked for again for three days, then no more', () => {
  const tries = triesOf(says('no_captions'), answers('no_captions'))
  assert.deepEqual(tries, [0, 2, 6, 14, 30, 54, 78])
})

test('where captions would come, a job takes the video; one in vain is repeated less and less', () => {
  let video: FollowedVideo | null = ordered
  const jobs = [0]
  while (video !== null) {
    const at = hours(jobs.at(-1) ?? 0)
    video = afterOutcome({ ...video, jobId: 'j' }, says('blocked_suspect'), at)
    if (video === null) break
    video = afterQuestion(video, answers('success'), video.dueAt)
    assert.ok(video !== null && isDue(video, video.dueAt))
    jobs.push((video.dueAt.getTime() - FOUND.getTime()) / HOUR)
  }
  assert.deepEqual(jobs, [0, 2, 6, 14, 30, 62, 126, 254, 446, 638, 830])
})

test('a premiere is left alone until it begins, however far ahead, and one without a date is not', () => {
  const [soon, far] = [hours(1), hours(40 * 24)]
  const upcoming = (startsAt: Date | null) =>
    answers('unavailable', { reason: 'upcoming', startsAt })
  const first = afterOutcome(ordered, says('unavailable'), FOUND)
  assert.ok(first !== null)
  const told = afterQuestion(first, upcoming(far), hours(2))
  assert.deepEqual([told?.dueAt, told?.until], [far, hours(70 * 24)])
  assert.deepEqual(afterQuestion(first, upcoming(soon), hours(2))?.dueAt, hours(6), 'it is late')
  assert.deepEqual(afterQuestion(first, upcoming(hours(1e5)), hours(2))?.dueAt, hours(6), 'one day')
  assert.ok(told !== null)
  let postponed: FollowedVideo | null = told
  for (let times = 0; postponed !== null; times += 1) {
    assert.ok(times < TRIES_MAX, 'one that is postponed again and again ends, too')
    postponed = afterQuestion(postponed, upcoming(hours(1e3 + times)), postponed.dueAt)
  }
})

test('its three days begin when it is first asked for, and a late look takes none of its tries', () => {
  const waited = afterOutcome(ordered, says('no_captions'), hours(100))
  assert.ok(waited !== null)
  assert.deepEqual([waited.dueAt, waited.until], [hours(102), hours(172)])
  const late = afterOutcome({ ...waited, jobId: 'j' }, says('no_captions'), hours(180))
  assert.ok(late !== null)
  assert.deepEqual(late.dueAt, hours(184))
  assert.equal(afterOutcome({ ...late, jobId: 'j' }, says('no_captions'), hours(184)), null)
})

test('a final answer ends it', () => {
  for (const status of ['success', 'unchanged', 'skipped', 'invalid_url'] as const)
    assert.equal(afterOutcome(ordered, says(status), FOUND), null, status)
  assert.equal(afterOutcome(ordered, says(null, { jobState: 'cancelled' }), FOUND), null)
})

test('a doubt, an obstacle and a failed job are asked about for a month, and cost none of the three days', () => {
  for (const [outcome, answer] of [
    [says('unavailable'), answers('unavailable', { reason: 'upcoming' })],
    [says('private'), answers('private', { reason: 'private', isDoubted: true })],
    [says('blocked_suspect'), answers('blocked_suspect')],
    [says('failed'), answers('failed')],
    [says(null, { jobState: 'failed' }), answers('failed')],
    [says(null, { jobState: 'interrupted' }), answers('failed')],
  ] as const) {
    const last = triesOf(outcome, answer).at(-1) ?? 0
    assert.ok(last >= 30 * 24 && last < 32 * 24, String(last))
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
  assert.ok(!isAskable({ ...found, tries: 1 }, hours(-1)))
  assert.ok(!isDue(ordered, hours(1)))
})
