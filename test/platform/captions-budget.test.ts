/** The captions that a route bears in a day, as a budget in memory and in the database learns them. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { BUDGET_TERMS, memoryBudget } from '../support/memory-budget.ts'
import {
  CAPTIONS_TOLD_MIN,
  type RouteBudget,
  type RouteTerms,
} from '../../src/model/platform/route-budget.ts'
import { egressBudget } from '../../src/store/egress-routes.ts'
import { testDatabase } from '../support/database.ts'

/** When the clocks of both budgets begin, which stand still unless a test sets them. */
const NOW = new Date('2026-11-25T12:00:00Z')

type Clock = { now: Date }

const BUDGETS: [string, (t: TestContext, clock: Clock) => Promise<RouteBudget>][] = [
  [
    'in memory',
    async (_, clock) =>
      memoryBudget(
        () => clock.now.getTime(),
        () => 0,
      ),
  ],
  [
    'in the database',
    async (t, clock) =>
      egressBudget(
        (await testDatabase(t)).db,
        () => 0,
        () => clock.now,
      ),
  ],
]

const HOUR_MS = 3_600_000

/** Terms of a route whose blocks tell of a day, without a rest. */
const LEARNING: RouteTerms = {
  ...BUDGET_TERMS,
  restMs: { first: 0, longest: 0 },
  learnsCaptions: true,
}

for (const [where, open] of BUDGETS) {
  const told = (captions: number) => ({ answered: 0, hasDelivered: false, captions })

  test(`${where}: after a block a route stays a fifth below the captions of the day before it, and grows again`, async (t) => {
    const clock = { now: NOW }
    const budget = await open(t, clock)
    const take = async (captions = 0, terms: RouteTerms = LEARNING) => {
      const lease = await budget.take(terms, told(captions))
      assert.ok(lease.kind === 'leased')
      return { roomInMs: Math.round(lease.roomInMs), epoch: lease.identity.epoch }
    }
    const block = async (captions: number, more = {}) => {
      const { epoch } = await take()
      await budget.reportBlock(LEARNING, {
        epoch,
        suspicion: null,
        hasDelivered: false,
        retryAfterMs: null,
        captions,
        isRefusal: true,
        ...more,
      })
    }
    const room = async (captions = 0) => (await take(captions)).roomInMs

    assert.equal(await room(5_000), 0, 'no bound before the first block')
    clock.now = new Date(NOW.getTime() + 25 * HOUR_MS)
    await block(CAPTIONS_TOLD_MIN - 1)
    assert.equal(await room(), 0, 'a block after a few captions is not of the day')
    await block(101, { isRefusal: false })
    assert.equal(await room(), 0, 'nor is a proxy that is out of reach')

    await block(50) // 250 came in the day
    assert.equal(await room(), 24 * HOUR_MS, 'the day’s 200 are spent')
    clock.now = new Date(clock.now.getTime() + 23.5 * HOUR_MS)
    assert.equal(await room(), 0.5 * HOUR_MS)
    clock.now = new Date(clock.now.getTime() + 0.5 * HOUR_MS)
    assert.equal(await room(199), 0)
    assert.equal(await room(20), 0, 'each that came has added a tenth')
    assert.ok((await room(4)) > 0, '223 of 222')
    const byHand = { ...LEARNING, captionsPerDay: 500 }
    assert.equal((await take(0, byHand)).roomInMs, 0, 'what is set by hand goes before it')
    assert.ok((await take(0, { ...LEARNING, captionsPerDay: 50 })).roomInMs > 0)
    assert.ok((await room()) > 0, 'and is forgotten with the setting')
  })

  test(`${where}: a rotating proxy learns nothing of a day`, async (t) => {
    const budget = await open(t, { now: NOW })
    const rotating = { ...LEARNING, learnsCaptions: false }
    const { identity } = await budget.take(rotating, told(500))
    const { epoch } = identity
    await budget.reportBlock(rotating, {
      epoch,
      suspicion: null,
      hasDelivered: false,
      retryAfterMs: null,
      isRefusal: true,
    })
    const lease = await budget.take(rotating, told(0))
    assert.equal(lease.kind === 'leased' && lease.roomInMs, 0)
  })
}
