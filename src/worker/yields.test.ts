/** Who gives up a place: by hand, and in a simulated worker where every job ends whatever the crowd. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whims } from '../../test/simulation/selection-world.ts'
import { chooseYields, type Holder, type Waiting } from './yields.ts'

const holder = (accountId: string, rest: Partial<Holder> = {}): Holder => ({
  accountId,
  isYielding: false,
  hasHadEnough: false,
  hasHadPage: false,
  undeliveredMs: 0,
  ...rest,
})

function yields(
  holders: Holder[],
  waiters: Omit<Waiting, 'isNew'>[],
  full: string[] = [],
): number[] {
  const waiting = waiters.map((waiter) => ({ isNew: false, ...waiter }))
  const slots = new Map<string, number>()
  for (const { accountId } of holders) slots.set(accountId, (slots.get(accountId) ?? 0) + 1)
  return chooseYields({ holders, slots, waiting, full }).map((chosen) => holders.indexOf(chosen))
}

test('who has at least two more gives up the one without a delivery for the longest, at once', () => {
  const holders = [
    holder('x', { undeliveredMs: 5 }),
    holder('x', { undeliveredMs: 9 }),
    holder('y', { undeliveredMs: 99 }),
  ]
  assert.deepEqual(yields(holders, [{ accountId: 'new', slots: 0 }]), [1])
  assert.deepEqual(yields(holders, [{ accountId: 'new', slots: 1 }]), [])
})

test('who had its turn goes where its account has more, or for a job of its own', () => {
  const done = { hasHadEnough: true }
  assert.deepEqual(yields([holder('x'), holder('y', done)], [{ accountId: 'new', slots: 0 }]), [1])
  assert.deepEqual(yields([holder('x', done)], [{ accountId: 'z', slots: 1 }]), [])
  assert.deepEqual(yields([holder('x', done)], [{ accountId: 'x', slots: 1 }]), [0])
  assert.deepEqual(
    yields([holder('x', done), holder('y', done)], [{ accountId: 'x', slots: 1 }], ['x']),
    [0],
  )
})

test('a page without a delivery is turn enough for an account that has nothing at work', () => {
  const holders = [holder('x'), holder('y', { hasHadPage: true })]
  const waiter = { accountId: 'new', slots: 0 }
  const isNew: Waiting = { ...waiter, isNew: true }
  assert.deepEqual([yields(holders, [isNew]), yields(holders, [waiter])], [[1], []])
})

test('those on their way out make room for the first, and each that waits moves one at most', () => {
  const many = Array.from({ length: 4 }, () => holder('x'))
  const [first, ...rest] = many
  assert.ok(first !== undefined)
  const two = [
    { accountId: 'new', slots: 0 },
    { accountId: 'other', slots: 0 },
  ]
  assert.equal(yields(many, two).length, 2)
  assert.equal(yields([{ ...first, isYielding: true }, ...rest], two).length, 1)
  assert.deepEqual(yields([{ ...first, isYielding: true }, ...rest], two.slice(1)), [])
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
type Simulated = Arrival & {
  since: number
  servedAt: number | null
  pages: number
  isYielding: boolean
  place: 'out' | 'waits' | 'holds' | 'ended'
}

const TURN_PAGES = 5
const LEAD_OF_NEWCOMERS = 1000

/** A step is a page of every job that holds a place, in the order of task-order.ts; returns when all have ended. */
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
    isYielding: false,
    place: 'out',
  }))
  const at = (place: Simulated['place']): Simulated[] => jobs.filter((job) => job.place === place)
  const held = (accountId: string): number =>
    at('holds').filter((job) => job.accountId === accountId).length
  const servedAt = (accountId: string): number | null => {
    const times = [...at('holds'), ...at('waits')]
      .filter((job) => job.accountId === accountId)
      .flatMap((job) => job.servedAt ?? [])
    return times.length === 0 ? null : Math.max(...times)
  }
  const inOrder = () =>
    at('waits')
      .map((job) => {
        const before = at('waits').filter(
          (other) =>
            other.accountId === job.accountId &&
            (other.since < job.since ||
              (other.since === job.since && jobs.indexOf(other) < jobs.indexOf(job))),
        )
        return {
          job,
          accountId: job.accountId,
          slots: held(job.accountId) + before.length,
          isNew: servedAt(job.accountId) === null,
          rank: servedAt(job.accountId) ?? job.since - LEAD_OF_NEWCOMERS,
        }
      })
      .sort((a, b) => a.slots - b.slots || a.rank - b.rank || a.job.since - b.job.since)

  let waitSteps = 0
  for (let step = 0; ; step += 1) {
    assert.ok(step < 10_000, 'it goes on')
    for (const job of at('out')) if (job.arrivesAt <= step) job.place = 'waits'
    for (
      let [first] = inOrder();
      first !== undefined && at('holds').length < max;
      [first] = inOrder()
    ) {
      Object.assign(first.job, { place: 'holds', servedAt: step, pages: 0, isYielding: false })
    }
    const holders = at('holds').map((job) => ({
      job,
      accountId: job.accountId,
      isYielding: false,
      hasHadEnough: job.pages >= TURN_PAGES,
      hasHadPage: job.pages > 0,
      undeliveredMs: job.pages,
    }))
    const slots = new Map(holders.map(({ accountId }) => [accountId, held(accountId)]))
    for (const { job } of chooseYields({ holders, slots, waiting: inOrder(), full: [] }))
      job.isYielding = true
    for (const job of at('holds')) {
      job.pages += 1
      job.left -= 1
      if (job.left === 0) job.place = 'ended'
      else if (job.isYielding) Object.assign(job, { place: 'waits', since: step })
      if (job.left === 0 && job.accountId === 'small') waitSteps = step - job.arrivesAt
    }
    if (jobs.every(({ place }) => place === 'ended')) return { steps: step, waitSteps }
  }
}
