/** A row of the selection names a reason only where it holds whatever is still unknown of the video's date. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { isSeedFixed, SEED } from '../../../test/support/seed.ts'
import { type DateBounds, exactly, type KnownDate, NO_BOUNDS } from './date-bounds.ts'
import type { HistoryEntry } from './history.ts'
import { type Candidate, type Decision, newPlan, offer, openSelection } from './selection.ts'

const DAY_MS = 86_400_000
const DAYS = 40
const dayAt = (day: number): Date => new Date(Date.UTC(2026, 2, 1) + day * DAY_MS)
const exactDay = (day: number): KnownDate => exactly(dayAt(day).toISOString())
const OBSTACLE = { kind: 'blocked', text: 'Blocked.', retryAfterMs: null } as const
const day = fc.integer({ min: 0, max: DAYS })

const bounds: fc.Arbitrary<DateBounds> = fc.oneof(
  fc.constant(NO_BOUNDS),
  fc.record({ from: fc.option(day), until: fc.option(day) }).map(({ from, until }) => ({
    ...NO_BOUNDS,
    afterAt: from === null ? null : dayAt(from),
    beforeAt: until === null ? null : dayAt(until),
  })),
)
const history: fc.Arbitrary<HistoryEntry | null> = fc.constantFrom(
  null,
  { kind: 'delivered', jobId: 'j1' },
  { kind: 'negative', attemptedAt: dayAt(0), publishedAt: null },
  { kind: 'transient', tries: 1, attemptedAt: dayAt(0), publishedAt: null },
)

/** Knowledge of the date, with all that it may prove to be. */
const EVERY_DAY = Array.from({ length: DAYS + 1 }, (_, at) => at)
const known: fc.Arbitrary<{ date: KnownDate; proves: readonly KnownDate[] }> = fc.oneof(
  fc.constant({
    date: { kind: 'unasked' } as const,
    proves: [...EVERY_DAY.map(exactDay), { kind: 'undated' } as const],
  }),
  fc.constant({
    date: { kind: 'obstructed', obstacle: OBSTACLE } as const,
    proves: [...EVERY_DAY.map(exactDay), { kind: 'undated' } as const],
  }),
  fc.tuple(day, day).map(([one, other]) => {
    const [from, until] = [Math.min(one, other), Math.max(one, other)]
    const date = { kind: 'between', fromAt: dayAt(from), untilAt: dayAt(until) } as const
    return { date, proves: EVERY_DAY.slice(from, until + 1).map(exactDay) }
  }),
  day.map((at) => ({ date: exactDay(at), proves: [exactDay(at)] })),
)

const reached = { skipped: 0, full: 0, open: 0, unchanged: 0 }
after(() => {
  if (isSeedFixed) for (const [name, times] of Object.entries(reached)) assert.ok(times > 0, name)
})

test('a reason that is named holds whatever the date proves to be', () => {
  const situation = fc.record({
    bounds,
    history,
    known,
    isNamed: fc.boolean(),
    isFull: fc.boolean(),
  })
  fc.assert(
    fc.property(situation, ({ bounds, history, known: { date, proves }, isNamed, isFull }) => {
      const decided = (date: KnownDate): Decision => {
        const plan = { ...newPlan(), slotsTaken: isFull ? 1 : 0 }
        const one: Candidate = {
          videoId: 'a',
          isNamed,
          isPlanned: false,
          history,
          owned: null,
          date,
        }
        return offer(openSelection({ slots: 1, bounds, plan }), one)
      }
      const now = decided(date)
      const later = proves.map(decided)
      if (now.kind === 'truncated' && now.reason === 'date_open') {
        reached.open += 1
        for (const { kind } of later) assert.ok(kind === 'truncated' || kind === 'skipped', kind)
      } else if (now.kind === 'unchanged' || now.kind === 'skipped' || now.kind === 'truncated') {
        reached[now.kind === 'truncated' ? 'full' : now.kind] += 1
        for (const one of later) assert.deepEqual(one, now)
      }
    }),
    { seed: SEED, numRuns: 2_000 },
  )
})
