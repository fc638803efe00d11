/** Videos that a job takes up, situation by situation; repeats as a whole are in test/simulation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DateBounds, exactly, NO_BOUNDS } from './date-bounds.ts'
import type { HistoryEntry } from './history.ts'
import {
  type Candidate,
  closePage,
  finish,
  newPlan,
  offer,
  openSelection,
  type Selection,
  SKIPPED_ROWS_MAX,
  takeIndex,
  wantsMore,
} from './selection.ts'

const MARCH: DateBounds = {
  ...NO_BOUNDS,
  afterAt: new Date('2026-03-01T00:00:00Z'),
  beforeAt: new Date('2026-03-31T23:59:59.999Z'),
}
const IN_MARCH = exactly('2026-03-10T00:00:00Z')
const IN_MAY = exactly('2026-05-10T00:00:00Z')
const DELIVERED: HistoryEntry = { kind: 'delivered', jobId: 'j1' }

const open = (slots: number, bounds = NO_BOUNDS) =>
  openSelection({ slots, bounds, plan: newPlan() })
const listed = (videoId: string, part: Partial<Candidate> = {}): Candidate => ({
  videoId,
  isNamed: false,
  isPlanned: false,
  history: null,
  owned: null,
  date: { kind: 'unasked' },
  ...part,
})
const named = (videoId: string, part: Partial<Candidate> = {}) =>
  listed(videoId, { isNamed: true, ...part })
/** Returns a definite no, `day` days into 2026. */
const no = (day: number, publishedAt: string | null = null): { history: HistoryEntry } => ({
  history: { kind: 'negative', attemptedAt: new Date(Date.UTC(2026, 0, day)), publishedAt },
})
const tried = (tries: number): { history: HistoryEntry } => ({
  history: { kind: 'transient', tries, attemptedAt: new Date('2026-01-01'), publishedAt: null },
})
/** Returns the decisions in short, such as `take 1, pass`. */
function decisions(selection: Selection, candidates: Candidate[]): string {
  const words = candidates.map((candidate) => {
    const decision = offer(selection, candidate)
    return 'index' in decision ? `${decision.kind} ${decision.index}` : decision.kind
  })
  return words.join(', ')
}
const ending = (selection: Selection) =>
  finish(selection).map(({ kind, index, videoId }) => `${kind} ${index} ${videoId}`)

test('videos are taken in listing order until the slots are full, the rest is truncated', () => {
  const selection = open(2)
  const kinds = decisions(
    selection,
    ['a', 'b', 'c', 'd'].map((id) => listed(id)),
  )
  assert.equal(kinds, 'take 1, take 2, truncated 3, truncated 4')
  assert(!wantsMore(selection))
  assert.deepEqual(ending(selection), [])
})

test('delivered videos are unchanged without limit and use no slot', () => {
  const selection = open(1)
  const candidates = ['a', 'b', 'c'].map((id) => listed(id, { history: DELIVERED }))
  assert.equal(decisions(selection, candidates), 'unchanged 1, unchanged 2, unchanged 3')
  assert(wantsMore(selection))
  const decision = offer(selection, named('d', { history: DELIVERED }))
  assert.deepEqual(decision, {
    kind: 'unchanged',
    index: 4,
    earlierJobId: 'j1',
    ownedSince: null,
  })
})

test('a text of another order is unchanged where the job leaves it out, and its own order comes first', () => {
  const deliveredAt = new Date('2026-02-01T10:00:00Z')
  const track = { languageCode: 'en', trackKind: 'asr' as const }
  const wished = { wishedLanguage: 'en', wishedTrack: null }
  const owned = { jobId: 'j9', index: 3, ...track, ...wished, deliveredAt }
  const selection = open(1, MARCH)
  const first = offer(selection, listed('a', { owned, date: IN_MAY }))
  const unchanged = { kind: 'unchanged', index: 1, earlierJobId: 'j9', ownedSince: deliveredAt }
  assert.deepEqual(first, unchanged, 'whatever the bounds say')
  const both = offer(selection, listed('b', { owned, history: DELIVERED }))
  assert.deepEqual(both, { ...unchanged, index: 2, earlierJobId: 'j1', ownedSince: null })
  assert.equal(decisions(selection, [listed('c', { ...no(1), owned })]), 'unchanged 3')
  assert(wantsMore(selection), 'no slot is used')
})

test('a delivered video is unchanged also outside the bounds, also beyond the slots', () => {
  const selection = open(1, MARCH)
  const candidates = [
    listed('a', { date: IN_MARCH }),
    listed('b', { history: DELIVERED }),
    named('c', { history: DELIVERED, date: IN_MAY }),
  ]
  assert.equal(decisions(selection, candidates), 'take 1, unchanged 2, unchanged 3')
})

test('one failure in passing leaves a video its turn, two count as a definite no', () => {
  const selection = open(3)
  const candidates = [listed('a', tried(2)), listed('b', tried(1)), listed('c')]
  assert.equal(decisions(selection, candidates), 'later, take 1, take 2')
  assert.deepEqual(ending(selection), ['take 3 a'])
})

test('slots left over go to definite answers, the oldest first, after all other rows', () => {
  const selection = open(4)
  const candidates = [
    listed('a', no(5)),
    listed('b', no(3)),
    listed('c'),
    listed('d', no(3)),
    listed('e', no(9)),
    listed('f', { history: DELIVERED }),
  ]
  assert.equal(decisions(selection, candidates), 'later, later, take 1, later, pass, unchanged 2')
  assert.deepEqual(ending(selection), ['take 3 b', 'take 4 d', 'take 5 a'])
  assert.deepEqual(ending(selection), [])
})

test('definite answers are not asked for again when the slots are needed', () => {
  const selection = open(2)
  const candidates = [listed('a', no(1)), listed('b', no(2)), listed('c'), listed('d')]
  const after = [listed('e', no(1)), listed('f')]
  const kinds = decisions(selection, [...candidates, ...after])
  assert.equal(kinds, 'later, later, take 1, take 2, pass, truncated 3')
  assert.deepEqual(ending(selection), [])
})

test('a named video always gets a row: beyond the slots it is truncated', () => {
  const selection = open(1)
  const candidates = [named('a', no(2)), named('b', no(1)), named('c', no(3)), named('d')]
  assert.equal(decisions(selection, candidates), 'later, later, later, take 1')
  assert.equal(decisions(selection, [named('e'), named('f', no(1))]), 'truncated 2, truncated 3')
  assert.deepEqual(ending(selection), ['truncated 4 a', 'truncated 5 c', 'truncated 6 b'])
})

test('a video listed before and named later is one video with one row', () => {
  const selection = open(1)
  assert.equal(decisions(selection, [listed('a', no(2)), named('a', no(2))]), 'later, pass')
  assert.equal(decisions(selection, [listed('b', no(5)), named('b', no(5))]), 'pass, later')
  assert.equal(decisions(selection, [named('b', no(5))]), 'pass')
  assert.deepEqual(ending(selection), ['take 1 a', 'truncated 2 b'])
  const other = open(1)
  const kinds = decisions(other, [listed('a', no(2)), named('a', no(2)), listed('c')])
  assert.equal(kinds, 'later, pass, take 1')
  assert.deepEqual(ending(other), ['truncated 2 a'])
  assert.equal(selection.plan.discovered, 2)
})

test('a video has one row at its first position, within a page and over pages', () => {
  const selection = open(5)
  assert.equal(decisions(selection, [listed('a'), listed('a'), named('a')]), 'take 1, pass, pass')
  closePage(selection)
  const kinds = decisions(selection, [listed('a', { isPlanned: true }), listed('b')])
  assert.equal(kinds, 'pass, take 2')
  assert.equal(selection.plan.discovered, 2)
})

test('bounds skip what is outside or undated and ask where only the exact date can tell', () => {
  const between = (from: string, until: string) =>
    ({ kind: 'between', fromAt: new Date(from), untilAt: new Date(until) }) as const
  const selection = open(2, MARCH)
  const candidates = [
    listed('a', { date: IN_MAY }),
    listed('b', { date: between('2026-04-02', '2026-05-01') }),
    listed('c', { date: between('2026-03-02', '2026-03-09') }),
    listed('c', { date: IN_MARCH }),
    listed('d'),
    listed('d', { date: { kind: 'undated' } }),
    named('e', { date: IN_MARCH }),
    // The slots are full: a listed video is not worth a request, a named one is.
    listed('f'),
    named('g'),
    named('g', { date: IN_MAY }),
  ]
  const early = decisions(selection, candidates.slice(0, 4))
  assert.equal(early, 'skipped 1, skipped 2, ask_date, take 3')
  const late = decisions(selection, candidates.slice(4))
  assert.equal(late, 'ask_date, skipped 4, take 5, truncated 6, ask_date, skipped 7')
  assert.equal(selection.plan.discovered, 7)
})

test('a skipped row says why', () => {
  const selection = open(1, MARCH)
  const dates = [IN_MAY, exactly(null)]
  const reasons = dates.map((date, i) => offer(selection, named(`${i}`, { date })))
  assert.deepEqual(reasons, [
    { kind: 'skipped', index: 1, reason: 'out_of_bounds' },
    { kind: 'skipped', index: 2, reason: 'date_unknown' },
  ])
})

test('a video whose date could not be asked for is told as obstructed and uses a slot', () => {
  const obstacle = { kind: 'blocked', text: 'Blocked.', retryAfterMs: null } as const
  const date = { kind: 'obstructed', obstacle } as const
  const selection = open(2, MARCH)
  assert.deepEqual(offer(selection, listed('a', { date })), {
    kind: 'obstructed',
    index: 1,
    obstacle,
  })
  const candidates = [
    listed('b', { ...no(1), date }),
    listed('c', { ...no(1, '2026-03-10T00:00:00Z'), date }),
    named('d', { ...no(1), date }),
    named('e', { date }),
  ]
  assert.equal(decisions(selection, candidates), 'pass, later, obstructed 2, truncated 3')
  assert.equal(selection.plan.slotsTaken, 2)
})

test('a date learnt by an earlier attempt is not asked for again', () => {
  const selection = open(1, MARCH)
  const candidates = [
    listed('a', no(1, '2026-03-10T00:00:00Z')),
    listed('b', no(1, '2026-05-10T00:00:00Z')),
    listed('c', no(1, 'unreadable')),
    listed('d', no(0)),
  ]
  assert.equal(decisions(selection, candidates), 'later, skipped 1, pass, ask_date')
})

test('of listed videos at most 500 are skipped with a row, all of them are counted', () => {
  const selection = open(1, MARCH)
  const outside = Array.from({ length: SKIPPED_ROWS_MAX + 100 }, (_, i) =>
    listed(`v${i}`, { date: IN_MAY }),
  )
  const kinds = outside.map((candidate) => offer(selection, candidate).kind)
  assert.equal(kinds.filter((kind) => kind === 'skipped').length, SKIPPED_ROWS_MAX)
  assert.equal(kinds.indexOf('pass'), SKIPPED_ROWS_MAX)
  assert.equal(decisions(selection, [named('n', { date: IN_MAY })]), 'skipped 501')
  assert.equal(decisions(selection, [named('v599', { date: IN_MAY })]), 'skipped 502')
  assert.equal(decisions(selection, [listed('v598', { date: IN_MAY })]), 'pass')
  assert.equal(selection.plan.discovered, SKIPPED_ROWS_MAX + 101)
})

test('a source row takes the next index and no slot', () => {
  const selection = open(1)
  assert.equal(takeIndex(selection), 1)
  assert.equal(selection.plan.discovered, 1, 'it is counted as processed, too')
  assert.equal(decisions(selection, [listed('a')]), 'take 2')
})

test('a selection opened from a stored plan goes on as if nothing had happened', () => {
  const first = [listed('a', no(4)), listed('b'), listed('c', no(2)), named('d', no(9))]
  const second = [listed('e'), listed('b', { isPlanned: true }), listed('a', no(4))]
  const whole = open(4)
  decisions(whole, first)
  closePage(whole)

  const broken = open(4)
  decisions(broken, first)
  const stored = JSON.parse(JSON.stringify(closePage(broken)))
  decisions(broken, [listed('x'), listed('y')]) // lost with the worker
  const resumed = openSelection({ slots: 4, bounds: NO_BOUNDS, plan: stored })
  assert.equal(decisions(resumed, second), decisions(whole, second))
  assert.deepEqual(ending(resumed), ending(whole))
  assert.deepEqual(resumed.plan, whole.plan)
})

test('a list of 100,000 definite answers keeps a small plan', () => {
  const selection = open(500)
  for (let i = 0; i < 100_000; i += 1) {
    offer(selection, listed(`video-${i}`, no((i * 7919) % 100_000)))
    if (i % 100 === 99) closePage(selection)
  }
  const stored = JSON.stringify(closePage(selection))
  assert(stored.length < 40_000, `${stored.length} bytes`)
  assert.equal(selection.plan.discovered, 100_000)
  const taken = finish(selection)
  assert.equal(taken.length, 500)
  assert.deepEqual(taken[0], { kind: 'take', index: 1, videoId: 'video-0' })
})
