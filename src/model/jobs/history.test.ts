/** The memory of a video, outcome by outcome, and the retry priority that follows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HistoryEntry, historyAfter, type Outcome, retryPriority } from './history.ts'
import { ROW_STATUSES } from './video-row.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const EARLIER = new Date('2026-11-19T12:00:00Z')
const OLD = '2020-01-01T00:00:00Z'
const DELIVERED: HistoryEntry = { kind: 'delivered', jobId: 'j1' }
const NEGATIVE: HistoryEntry = { kind: 'negative', attemptedAt: EARLIER, publishedAt: OLD }
const ONCE: HistoryEntry = { kind: 'transient', tries: 1, attemptedAt: EARLIER, publishedAt: OLD }

const outcome = (part: Partial<Outcome>): Outcome => ({
  jobId: 'j2',
  status: 'failed',
  reason: null,
  publishedAt: OLD,
  ...part,
})
const negative = { kind: 'negative', attemptedAt: NOW, publishedAt: OLD }
const transient = (tries: number) => ({
  kind: 'transient',
  tries,
  attemptedAt: NOW,
  publishedAt: OLD,
})

test('each outcome is remembered as delivered, as a definite no, or as a try', () => {
  const cases: [HistoryEntry | null, Partial<Outcome>, object | null][] = [
    [null, { status: 'success' }, { kind: 'delivered', jobId: 'j2' }],
    [NEGATIVE, { status: 'success' }, { kind: 'delivered', jobId: 'j2' }],
    [ONCE, { status: 'success' }, { kind: 'delivered', jobId: 'j2' }],
    [null, { status: 'no_captions', reason: 'no_captions' }, negative],
    [null, { status: 'language_not_available' }, negative],
    [null, { status: 'private', reason: 'private' }, negative],
    [null, { status: 'unavailable', reason: 'members_only' }, negative],
    [ONCE, { status: 'private', reason: 'private' }, negative],
    [null, { status: 'private', reason: 'private', isDoubted: true }, transient(1)],
    [NEGATIVE, { status: 'private', reason: 'private', isDoubted: true }, negative],
    [null, { status: 'failed' }, transient(1)],
    [null, { status: 'blocked_suspect' }, transient(1)],
    [ONCE, { status: 'blocked_suspect' }, transient(2)],
    [null, { status: 'no_captions', reason: 'live_now' }, transient(1)],
    [null, { status: 'no_captions', reason: 'processing' }, transient(1)],
    [null, { status: 'unavailable', reason: 'upcoming' }, transient(1)],
    [NEGATIVE, { status: 'blocked_suspect' }, negative],
    [NEGATIVE, { status: 'no_captions', reason: 'live_now' }, negative],
  ]
  for (const [previous, part, expected] of cases) {
    assert.deepEqual(historyAfter(previous, outcome(part), NOW), expected, JSON.stringify(part))
  }
})

test('missing captions of a video younger than 72 hours count as a failure in passing', () => {
  const cases: [string | null, 'transient' | 'negative'][] = [
    ['2026-11-17T12:00:00.001Z', 'transient'],
    ['2026-11-17T12:00:00.000Z', 'negative'],
    ['2026-11-20T14:00:00+02:00', 'transient'],
    ['2026-11-17T13:00:00+02:00', 'negative'],
    [null, 'negative'],
    ['unreadable', 'negative'],
  ]
  for (const [publishedAt, kind] of cases) {
    const entry = historyAfter(null, outcome({ status: 'no_captions', publishedAt }), NOW)
    assert.equal(entry?.kind, kind, String(publishedAt))
  }
  const young = outcome({ status: 'private', publishedAt: NOW.toISOString() })
  assert.equal(historyAfter(null, young, NOW)?.kind, 'negative')
})

test('what was delivered stays delivered by the first job', () => {
  for (const status of ROW_STATUSES) {
    assert.equal(historyAfter(DELIVERED, outcome({ status }), NOW), DELIVERED)
  }
})

test('a row without an attempt leaves no mark', () => {
  for (const status of ['unchanged', 'skipped', 'truncated', 'invalid_url'] as const) {
    assert.equal(historyAfter(null, outcome({ status }), NOW), null)
    assert.equal(historyAfter(NEGATIVE, outcome({ status }), NOW), NEGATIVE)
    assert.equal(historyAfter(ONCE, outcome({ status }), NOW), ONCE)
  }
})

test('a publish date once known is kept where a later answer has none', () => {
  const entry = historyAfter(ONCE, outcome({ publishedAt: null }), NOW)
  assert.deepEqual(entry, transient(2))
})

test('never attempted and once failed come first, definite answers and two failures last', () => {
  assert.equal(retryPriority(null), 'first')
  assert.equal(retryPriority(ONCE), 'first')
  assert.equal(retryPriority({ ...ONCE, tries: 2 }), 'last')
  assert.equal(retryPriority(NEGATIVE), 'last')
  assert.equal(retryPriority(DELIVERED), 'never')
})
