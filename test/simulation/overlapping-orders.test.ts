/**
 * Two orders of one account, interleaved between plan and record, both leaving out what is owned: no text is bought
 * twice, and a slot that comes back is used, as if the order had listed later. The order's own loop is the worker's in
 * short: a video that only a slot can take waits as long as a row may give one back.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NO_BOUNDS } from '../../src/model/jobs/date-bounds.ts'
import type { OwnedText } from '../../src/model/jobs/owned-text.ts'
import {
  closePage,
  returnSlots,
  newPlan,
  offer,
  openSelection,
  peek,
  type Plan,
  type Selection,
  wantsMore,
} from '../../src/model/jobs/selection.ts'

const RUNS = 2_000

type Status = 'planned' | 'success' | 'no_captions' | 'unchanged' | 'truncated'

/** One order: what its database rows would hold, and its selection as long as its worker lives. */
type Order = {
  jobId: string
  videoIds: string[]
  slots: number
  plan: Plan
  /** Slots in use, as `job.slots_used` counts them. */
  slotsUsed: number
  rows: Map<string, Status>
  next: number
  selection: Selection | null
}

type Account = { captions: Set<string>; owned: Map<string, OwnedText> }

const setting = fc.record({
  videos: fc.integer({ min: 1, max: 12 }),
  withoutCaptions: fc.array(fc.nat(11), { maxLength: 4 }),
  /** Where each order's list begins: both name the same videos, in an order of their own. */
  turns: fc.tuple(fc.nat(11), fc.nat(11)),
  slots: fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })),
  steps: fc.infiniteStream(fc.nat(9)),
})

test('two orders that overlap buy each text once, and leave no slot unused that a video waits for', () => {
  let returned = 0
  const property = fc.property(setting, (given) => {
    const ids = Array.from({ length: given.videos }, (_, at) => `v${at}`)
    const none = new Set(given.withoutCaptions.map((at) => `v${at}`))
    const account: Account = {
      captions: new Set(ids.filter((id) => !none.has(id))),
      owned: new Map(),
    }
    const orders = given.turns.map((turn, at) => {
      const from = turn % ids.length
      return newOrder(`job_${at}`, [...ids.slice(from), ...ids.slice(0, from)], given.slots[at]!)
    })
    const whims = given.steps[Symbol.iterator]()
    while (orders.some(isOpen)) {
      const whim = whims.next().value ?? 0
      const order = orders[whim % 2]!
      if (whim < 4) plan(account, order)
      else if (whim < 9) returned += record(account, order)
      else order.selection = null // its worker is lost
    }
    check(account, orders)
  })
  fc.assert(property, { numRuns: RUNS })
  assert.ok(returned > RUNS / 10, `${returned} slots came back`)
})

function newOrder(jobId: string, videoIds: string[], slots: number): Order {
  const rows = new Map<string, Status>()
  return { jobId, videoIds, slots, plan: newPlan(), slotsUsed: 0, rows, next: 0, selection: null }
}

const waiting = ({ rows }: Order): string[] =>
  [...rows].flatMap(([videoId, status]) => (status === 'planned' ? [videoId] : []))

const isOpen = (order: Order): boolean =>
  order.next < order.videoIds.length || waiting(order).length > 0

/** Plans the next video and commits, unless it waits for a slot. */
function plan(account: Account, order: Order): void {
  const videoId = order.videoIds[order.next]
  if (videoId === undefined) return
  const returned = order.plan.slotsTaken - order.slotsUsed
  const { slots } = order
  const selection = (order.selection ??= openSelection({
    slots: slots + returned,
    bounds: NO_BOUNDS,
    plan: order.plan,
  }))
  returnSlots(selection, slots + returned - selection.slots)
  const owned = account.owned.get(videoId) ?? null
  const known = { isNamed: false, isPlanned: order.rows.has(videoId), history: null }
  const candidate = { ...known, videoId, owned, date: { kind: 'unasked' } as const }
  const isFull = !wantsMore(selection) && peek(selection, candidate) === 'truncated'
  if (isFull && waiting(order).length > 0) return
  const decision = offer(selection, candidate)
  assert(decision.kind === 'take' || decision.kind === 'unchanged' || decision.kind === 'truncated')
  order.rows.set(videoId, decision.kind === 'take' ? 'planned' : decision.kind)
  order.plan = closePage(selection)
  if (decision.kind === 'take') order.slotsUsed += 1
  order.next += 1
}

/** Records a row: what another order has delivered meanwhile is not bought. Returns the slots that came back. */
function record(account: Account, order: Order): number {
  const [videoId] = waiting(order)
  if (videoId === undefined) return 0
  if (account.owned.has(videoId)) {
    order.rows.set(videoId, 'unchanged')
    order.slotsUsed -= 1
    return 1
  }
  const isDelivered = account.captions.has(videoId)
  order.rows.set(videoId, isDelivered ? 'success' : 'no_captions')
  const text = { jobId: order.jobId, index: 1, languageCode: 'en', trackKind: 'manual' as const }
  const wished = { wishedLanguage: 'original', wishedTrack: null }
  if (isDelivered) account.owned.set(videoId, { ...text, ...wished, deliveredAt: new Date(0) })
  return 0
}

function check({ captions, owned }: Account, orders: Order[]): void {
  const bought = orders.flatMap(({ rows }) => idsWith(rows, 'success'))
  assert.equal(new Set(bought).size, bought.length, 'no text is bought twice')
  assert.deepEqual(bought.toSorted(), [...owned.keys()].toSorted())
  for (const { rows, slots, slotsUsed, videoIds } of orders) {
    const used = idsWith(rows, 'success').length + idsWith(rows, 'no_captions').length
    assert.equal(slotsUsed, used)
    assert.ok(used <= slots)
    assert.equal(rows.size, videoIds.length, 'each video has its row')
    const left = idsWith(rows, 'truncated')
    assert.ok(left.length === 0 || used === slots, 'what is left out found no slot')
    for (const videoId of idsWith(rows, 'unchanged')) assert.ok(captions.has(videoId))
  }
}

function idsWith(rows: ReadonlyMap<string, Status>, wanted: Status): string[] {
  return [...rows].flatMap(([videoId, status]) => (status === wanted ? [videoId] : []))
}
