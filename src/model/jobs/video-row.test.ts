/** Words of a row: every status and reason has its own, and says whether it used a slot. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REFUSAL_REASONS } from '../platform/refusal.ts'
import {
  errorMessageOf,
  isAttempt,
  labelOf,
  ROW_STATUSES,
  type RowFacts,
  STATUS_OF_REFUSAL,
} from './video-row.ts'

const ROW: RowFacts = {
  status: 'success',
  reason: null,
  isSource: false,
  missedLanguage: null,
  missedTrack: null,
  oddity: null,
  languageCode: 'en',
  earlierJobId: null,
  ownedSince: null,
}

test('the statuses are those of the contract', () => {
  assert.deepEqual([...ROW_STATUSES].sort(), [
    'blocked_suspect',
    'failed',
    'invalid_url',
    'language_not_available',
    'no_captions',
    'private',
    'skipped',
    'success',
    'truncated',
    'unavailable',
    'unchanged',
  ])
})

test('a slot is used by every video whose captions were attempted, and by nothing else', () => {
  assert.deepEqual(ROW_STATUSES.filter(isAttempt), [
    'success',
    'no_captions',
    'language_not_available',
    'private',
    'unavailable',
    'blocked_suspect',
    'failed',
  ])
})

test('an unchanged row names the earlier job, and a fallback both languages', () => {
  const unchanged = labelOf({ ...ROW, status: 'unchanged', earlierJobId: 'job_7' })
  assert.equal(unchanged, 'Delivered by the earlier job job_7')
  const ownedSince = new Date('2026-11-25T23:59:00Z')
  const owned = labelOf({ ...ROW, status: 'unchanged', earlierJobId: 'job_7', ownedSince })
  assert.equal(owned, 'In your library since 2026-11-25')
  const fallback = labelOf({ ...ROW, missedLanguage: 'de', languageCode: 'pt-BR' })
  assert.equal(fallback, 'Delivered in pt-BR, the original language: no captions in de')
  const first = labelOf({ ...ROW, missedLanguage: 'original', languageCode: 'de' })
  assert.equal(first, 'Delivered in de, the first language listed: nothing tells the original one')
  assert.equal(labelOf(ROW), 'Delivered')
  const odd = labelOf({ ...ROW, oddity: 'one_cue' })
  assert.equal(odd, "Delivered; the creator's captions are one single cue, whose time says nothing")
  const noAsr = labelOf({ ...ROW, missedTrack: 'asr' })
  assert.equal(noAsr, "Delivered; the creator's captions, as there are no automatic ones in en")
  const neither = labelOf({ ...ROW, missedTrack: 'manual', missedLanguage: 'de' })
  assert.equal(
    neither,
    'Delivered in en, the original language: no captions in de; automatic captions, as the creator published none in en',
  )
})

test('every refusal has a status that used a slot, its own label and its own sentence', () => {
  const rows = REFUSAL_REASONS.map((reason) => ({
    ...ROW,
    status: STATUS_OF_REFUSAL[reason],
    reason,
    languageCode: null,
  }))
  assert(rows.every((row) => isAttempt(row.status) && row.status !== 'success'))
  assert.equal(new Set(rows.map(labelOf)).size, REFUSAL_REASONS.length)
  assert.equal(new Set(rows.map(errorMessageOf)).size, REFUSAL_REASONS.length)
})

test('a cause that one app alone named says so in its label and sentence, after the usual words', () => {
  const doubted: RowFacts = { ...ROW, status: 'unavailable', reason: 'removed', isDoubted: true }
  assert.equal(labelOf(doubted), 'Removed from the platform, by the word of one app alone')
  assert.match(errorMessageOf(doubted) ?? '', /was removed.+Only one of the platform's apps/)
  const again = errorMessageOf({ ...doubted, reason: 'upcoming' }) ?? ''
  assert.equal(again.split('Try again later.').length, 2, again)
})

test('only a delivered or unchanged row goes without an error message', () => {
  const silent = ROW_STATUSES.filter((status) => errorMessageOf({ ...ROW, status }) === null)
  assert.deepEqual(silent, ['success', 'unchanged'])
  assert(ROW_STATUSES.every((status) => labelOf({ ...ROW, status }).length > 3))
})

test('a skipped video says whether its date is outside the bounds or unknown', () => {
  const unknown: RowFacts = { ...ROW, status: 'skipped', reason: 'date_unknown' }
  assert.equal(errorMessageOf(unknown), 'publish date unknown')
  const outside: RowFacts = { ...ROW, status: 'skipped', reason: 'out_of_bounds' }
  assert.equal(labelOf(outside), 'Outside the dates')
  assert.notEqual(errorMessageOf(outside), errorMessageOf(unknown))
})

test('a source row speaks of the list, not of a video', () => {
  for (const status of ['blocked_suspect', 'failed'] as const) {
    assert.match(labelOf({ ...ROW, status, isSource: true }), /^List cut short/)
    assert.doesNotMatch(labelOf({ ...ROW, status }), /list/i)
  }
})
