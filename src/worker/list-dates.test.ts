/** The binary search for the bounds in a newest-first list: right for every list, and with few questions. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { readListDate } from '../platform/youtube/list-date.ts'
import { type DateBounds, judgeDate, type KnownDate, NO_BOUNDS } from '../model/jobs/date-bounds.ts'
import { type DateProbe, narrowDates } from './list-dates.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000

/** Returns a channel as its list shows it: exact ages in days, newest first, and the list's own words. */
function listed(agesDays: number[]): { at: Date[]; dates: KnownDate[] } {
  const at = agesDays.map((age) => new Date(NOW.getTime() - age * DAY_MS))
  const dates = agesDays.map((age): KnownDate => {
    const interval = readListDate(wordsFor(age), NOW)
    return interval === null ? { kind: 'unasked' } : { kind: 'between', ...interval }
  })
  return { at, dates }
}

function wordsFor(age: number): string {
  if (age < 1) return `${Math.floor(age * 24)} hours ago`
  if (age < 7) return `${Math.floor(age)} days ago`
  if (age < 28) return `${Math.floor(age / 7)} weeks ago`
  return age < 365
    ? `${Math.floor(age / 30.5)} months ago`
    : `${Math.floor(age / 365.25)} years ago`
}

function asker(at: Date[]): { probe: DateProbe; asked: number[] } {
  const asked: number[] = []
  return {
    asked,
    probe: async (index) => {
      asked.push(index)
      return { kind: 'exact', at: at[index]! }
    },
  }
}

test('of 5,000 videos of one channel a bound costs a handful of exact dates, not thousands', async () => {
  const { at, dates } = listed(Array.from({ length: 5000 }, (_, index) => index * 0.6))
  const bounds: DateBounds = { ...NO_BOUNDS, afterAt: at[3333]!, beforeAt: at[3300]! }
  const { probe, asked } = asker(at)
  const narrowed = await narrowDates(dates, bounds, probe)

  const left = narrowed.filter((date) => judgeDate(bounds, date) === 'undecided')
  assert.ok(
    asked.length <= 2 * (Math.ceil(Math.log2(5000)) + 1),
    `${asked.length} dates were asked for`,
  )
  assert.ok(
    asked.length + left.length <= 34 + 2 * 2 + 2 * 14,
    'besides those inside, few are left to ask',
  )
})

test('narrowing never puts a video of an ordered list on the wrong side of the bounds', async () => {
  const ages = fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), {
    minLength: 1,
    maxLength: 120,
  })
  const ends = fc.tuple(
    fc.option(fc.integer({ min: 0, max: 3000 })),
    fc.option(fc.integer({ min: 0, max: 3000 })),
  )
  await fc.assert(
    fc.asyncProperty(ages, ends, fc.boolean(), async (unsorted, [after, before], hasWords) => {
      const sorted = [...unsorted].sort((a, b) => a - b)
      const { at, dates } = listed(sorted)
      const known = hasWords ? dates : dates.map((): KnownDate => ({ kind: 'unasked' }))
      const instant = (days: number | null) =>
        days === null ? null : new Date(NOW.getTime() - days * DAY_MS)
      const bounds: DateBounds = {
        ...NO_BOUNDS,
        afterAt: instant(after),
        beforeAt: instant(before),
      }
      const { probe } = asker(at)
      const narrowed = await narrowDates(known, bounds, probe)
      for (const [index, date] of narrowed.entries()) {
        const verdict = judgeDate(bounds, date)
        const truth = judgeDate(bounds, { kind: 'exact', at: at[index]! })
        assert.ok(
          verdict === 'undecided' || verdict === truth,
          `${index}: ${verdict}, in truth ${truth}`,
        )
      }
    }),
    { numRuns: 300 },
  )
})

test('videos without a date speak for nobody, and the search goes round them', async () => {
  const { at, dates } = listed(Array.from({ length: 300 }, (_, index) => 400 + index))
  const bounds: DateBounds = { ...NO_BOUNDS, afterAt: at[200]!, beforeAt: null }
  const narrowed = await narrowDates(dates, bounds, async (index) => {
    return index % 3 === 0 ? { kind: 'exact', at: at[index]! } : { kind: 'undated' }
  })
  const outside = narrowed.filter((date) => judgeDate(bounds, date) === 'outside').length
  assert.ok(outside > 80, `${outside} of the 99 older ones were recognised`)
  for (const [index, date] of narrowed.entries()) {
    if (judgeDate(bounds, date) === 'outside') assert.ok(index > 200, `${index} is inside`)
  }
})

test('where dates cannot be asked for, few are asked for, and none speaks for others wrongly', async () => {
  const { at, dates } = listed(Array.from({ length: 300 }, (_, index) => 400 + index))
  const obstacle = { kind: 'blocked', text: 'Blocked.', retryAfterMs: null } as const
  for (const bounds of [
    { ...NO_BOUNDS, afterAt: at[200]! },
    { ...NO_BOUNDS, beforeAt: at[200]! },
  ] satisfies DateBounds[]) {
    for (const share of [1, 2, 3]) {
      const asked: number[] = []
      const narrowed = await narrowDates(dates, bounds, async (index) => {
        asked.push(index)
        return index % share === 0
          ? { kind: 'obstructed', obstacle }
          : { kind: 'exact', at: at[index]! }
      })
      assert.ok(asked.length <= 10, `${asked.length} were asked for`)
      for (const [index, date] of narrowed.entries()) {
        const truth = judgeDate(bounds, { kind: 'exact', at: at[index]! })
        if (judgeDate(bounds, date) === 'outside') assert.equal(truth, 'outside', `${index}`)
      }
    }
  }
})

test('few undecided videos are left to be asked for one by one', async () => {
  const { at, dates } = listed([400, 410, 420, 430])
  const { probe, asked } = asker(at)
  await narrowDates(dates, { afterAt: at[2]!, beforeAt: null }, probe)
  assert.deepEqual(asked, [])
})
