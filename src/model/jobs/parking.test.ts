/** Parking of jobs: by hand, and in a simulated worker where every job ends whatever the crowd. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whims } from '../../../test/simulation/selection-world.ts'
import { chooseParked, type Holder, WAITING_MS } from './parking.ts'

const holder = (accountId: string, rest: Partial<Holder> = {}): Holder => ({
  accountId,
  isParking: false,
  isListing: false,
  undeliveredMs: 0,
  ...rest,
})

/** Returns the place of the parked job among the holders, or null. */
function parks(holders: Holder[], accountId: string, own = 0, isFull = false): number | null {
  const places: Record<string, number> = { [accountId]: own }
  for (const one of holders) places[one.accountId] = (places[one.accountId] ?? 0) + 1
  if (own > 0) places[accountId] = own
  const parked = chooseParked(holders, { accountId, isFull, places })
  return parked === null ? null : holders.indexOf(parked)
}

test('an account that holds at least two places more parks the job that delivered nothing for the longest', () => {
  const holders = [
    holder('x', { undeliveredMs: 5 }),
    holder('x', { undeliveredMs: 9 }),
    holder('y', { undeliveredMs: 99 }),
  ]
  assert.equal(parks(holders, 'new'), 1)
  assert.equal(parks(holders, 'new', 1), null)
})

test('a job that only lists or waits is parked where its account holds more, or for a job of its own', () => {
  const lists = { isListing: true }
  assert.equal(parks([holder('x'), holder('y', lists)], 'new'), 1)
  assert.equal(parks([holder('x'), holder('y', { undeliveredMs: WAITING_MS })], 'new'), 1)
  assert.equal(parks([holder('x', lists)], 'z', 1), null)
  assert.equal(parks([holder('x', lists)], 'x', 1), 0)
  assert.equal(parks([holder('x'), holder('y')], 'new'), null, 'who delivers goes on')
})

test('an account that is full has room made by its own jobs alone, and one that is parking counts no more', () => {
  const lists = { isListing: true }
  assert.equal(parks([holder('y', lists), holder('x', lists)], 'x', 1, true), 1)
  assert.equal(parks([holder('y', lists), holder('x')], 'x', 1, true), null)
  assert.equal(parks([holder('y', { ...lists, isParking: true })], 'new'), null)
})

test('every job ends, and who brings little ends at once, however many others bring endless work', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const whim = whims(seed)
    const slots = 1 + whim(8)
    const accounts = 1 + whim(12)
    const crowd = Array.from({ length: 24 }, () => ({
      accountId: `crowd-${whim(accounts)}`,
      left: 15 + whim(25),
    }))
    const ended = simulate(
      crowd.map((job) => ({ ...job, arrivesAt: 0 })),
      { accountId: 'small', left: 1, arrivesAt: 20 + whim(20) },
      slots,
    )
    assert.ok(ended.steps <= 24 * 40 + 50, 'all of them ended')
    assert.ok(
      ended.waitSteps <= 2,
      `with ${slots} slots and ${accounts} accounts the small one took ${ended.waitSteps} steps`,
    )
  }
})

type Arrival = { accountId: string; left: number; arrivesAt: number }
const LEAD_OF_NEWCOMERS = 1000

type Simulated = Arrival & {
  since: number
  servedAt: number | null
  pages: number
  place: 'out' | 'waits' | 'holds' | 'ended'
}

/**
 * Simulates a worker until all jobs have ended. In a step, every job that holds a place lists a page; jobs wait in the
 * order of job-queue.ts. Returns the steps of all jobs, and those that the small one waited.
 */
function simulate(
  crowd: Arrival[],
  small: Arrival,
  max: number,
): { steps: number; waitSteps: number } {
  const jobs: Simulated[] = [...crowd, small].map((job) => ({
    ...job,
    since: job.arrivesAt,
    servedAt: null,
    pages: 0,
    place: 'out',
  }))
  const at = (place: Simulated['place']): Simulated[] => jobs.filter((job) => job.place === place)
  const held = (accountId: string): number =>
    at('holds').filter((job) => job.accountId === accountId).length
  const lastServed = (job: Simulated): number =>
    jobs
      .filter(({ accountId, servedAt }) => accountId === job.accountId && servedAt !== null)
      .reduce((last, { servedAt }) => Math.max(last, servedAt ?? 0), job.since - LEAD_OF_NEWCOMERS)
  const next = (): Simulated | undefined =>
    at('waits').sort(
      (a, b) =>
        held(a.accountId) - held(b.accountId) || lastServed(a) - lastServed(b) || a.since - b.since,
    )[0]

  let waitSteps = 0
  for (let step = 0; ; step += 1) {
    assert.ok(step < 10_000, 'it goes on')
    for (const job of at('out')) if (job.arrivesAt <= step) job.place = 'waits'
    for (let first = next(); first !== undefined && at('holds').length < max; first = next())
      Object.assign(first, { place: 'holds', pages: 0 })
    const first = next()
    const holders = at('holds').map((job) => ({
      job,
      accountId: job.accountId,
      isParking: false,
      isListing: job.pages > 0,
      undeliveredMs: job.pages,
    }))
    const places = Object.fromEntries(jobs.map(({ accountId }) => [accountId, held(accountId)]))
    const parked =
      first === undefined
        ? null
        : chooseParked(holders, { accountId: first.accountId, isFull: false, places })
    for (const job of at('holds')) {
      job.pages += 1
      job.left -= 1
      if (job.left === 0) job.place = 'ended'
      else if (job === parked?.job) Object.assign(job, { place: 'waits', since: step })
      if (job.place !== 'holds') job.servedAt = step
      if (job.left === 0 && job.accountId === 'small') waitSteps = step - job.arrivesAt
    }
    if (jobs.every(({ place }) => place === 'ended')) return { steps: step, waitSteps }
  }
}
