/**
 * Following over random publishing, outages, crashes, clocks, caps and balances: every new video with captions is
 * bought exactly once, in order of age, or waits for money; no month costs more than its cap.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FollowedOutcome } from '../../src/model/follow/followed-video.ts'
import {
  decideLook,
  decideQuietly,
  isQuiet,
  type LookAnswer,
  type LookDecision,
  mustReadList,
} from '../../src/model/follow/look.ts'
import { isCapUsed, monthOf } from '../../src/model/follow/subscription.ts'
import { affordable } from '../../src/model/money/money.ts'
import {
  capUseIn,
  clockOf,
  commits,
  type FollowWorld,
  heldBy,
  openFollowWorld,
  PRICE_MICROS,
  readsList,
  runsJob,
  spentIn,
  upload,
} from './following-world.ts'
import { HOUR_MS } from './selection-world.ts'
import { isSeedFixed } from '../support/seed.ts'

const WORLDS = 40
const ACTS = 180
const CALM_LOOKS = 80
const LATE_MS = 48 * HOUR_MS
/** Share of worlds in which the clock jumps. */
const JUMPING = 0.5

/** How often each situation of this test came up. */
const reached = {
  crashedLooks: 0,
  failedLooks: 0,
  furtherPages: 0,
  capReached: 0,
  capLowered: 0,
  unasked: 0,
  outOfMoney: 0,
  lateCaptions: 0,
  premieres: 0,
  membersFirst: 0,
  givenUp: 0,
  deletedAfterFound: 0,
  failedJobs: 0,
  clockWentBack: 0,
  monthsWithPurchases: 0,
  busy: 0,
}

test('every new video with captions is bought exactly once, in order of age, or waits for money', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const world = openFollowWorld(seed, JUMPING)
      looks(world)
      for (let act = 0; act < ACTS; act += 1) acts(world, act)
      calmsDown(world)
      checkEnd(world)
    }),
    { numRuns: WORLDS },
  )
  if (isSeedFixed)
    for (const [situation, times] of Object.entries(reached)) assert.ok(times > 0, situation)
})

function acts(world: FollowWorld, act: number): void {
  const { random } = world
  world.realMs += random() * 8 * HOUR_MS
  const roll = random()
  if (roll < 0.4) publishes(world, act)
  else if (roll < 0.44) changesCap(world)
  else if (roll < 0.5) world.balanceMicros += PRICE_MICROS * BigInt(Math.floor(random() * 12))
  else if (roll < 0.51 && world.isJumpy) {
    world.hasJumped = true
    world.skewMs = (random() - 0.5) * 80 * 24 * HOUR_MS
    reached.clockWentBack += 1
    // A look that was due in a far future is due once the clock is right again, or the owner asks.
    world.nextLookAt = clockOf(world)
  }
  for (const job of world.jobs) if (job.isOpen && random() < 0.7) ends(world, job)
  if (clockOf(world) >= world.nextLookAt) looks(world)
}

function publishes(world: FollowWorld, act: number): void {
  const count = world.random() < 0.03 ? 12 : 1
  for (let at = 0; at < count; at += 1) {
    const one = upload(`v${act}-${at}`, world.realMs - (count - at), world.random)
    world.uploads.set(one.id, one)
  }
}

function changesCap(world: FollowWorld): void {
  const before = world.capMicros
  world.capMicros = PRICE_MICROS * BigInt(1 + Math.floor(world.random() * 40))
  if (world.capMicros < before) reached.capLowered += 1
}

function ends(world: FollowWorld, job: FollowWorld['jobs'][number]): void {
  runsJob(world, job)
  if (job.state === 'failed') reached.failedJobs += 1
  const { state } = world.start
  if (state === 'active' && isCapUsed(capUseIn(world, monthOf(clockOf(world)))))
    world.nextLookAt = clockOf(world) // the end of the job says so
}

function looks(world: FollowWorld, isCalm = false): void {
  const { random } = world
  const fails = !isCalm && random() < 0.1
  const read = readsList(world)
  const cap = capUseIn(world, monthOf(clockOf(world)))
  const isUnasked = !mustReadList({ ...world.start, ...cap })
  const listed: LookAnswer = fails ? { kind: 'failed' } : read
  const answer: LookAnswer = isUnasked ? { kind: 'unasked' } : listed
  if (isUnasked) reached.unasked += 1
  if (read.pages > 1 && world.start.known !== null) reached.furtherPages += 1
  if (fails) reached.failedLooks += 1

  const decision = decides(world, answer)
  if (!isCalm && random() < 0.1) {
    reached.crashedLooks += 1 // the look's transaction never committed, and its lease runs out
    world.nextLookAt = new Date(clockOf(world).getTime() + HOUR_MS / 12)
    world.start.look += 1
    return
  }
  checkOrder(world, decision)
  if (answer.kind === 'list' || isUnasked)
    assert.equal(decision.state === 'cap_reached' || !isCapUsed(cap), true, 'a used cap is told')
  countDecision(world, decision)
  commits(world, decision)
  const month = monthOf(clockOf(world))
  if (decision.order.length > 0)
    assert.ok(spentIn(world, month) <= world.capMicros, 'the cap of the month holds')
  assert.ok(heldBy(world) <= world.balanceMicros, 'no money is promised twice')
}

function decides(world: FollowWorld, answer: LookAnswer): LookDecision {
  const now = clockOf(world)
  const { start, videos } = world
  if (videos.length === 0 && isQuiet(start, answer))
    return { ...decideQuietly(start, answer, now), videos: [], order: [], found: 0, mail: null }
  const spentMicros = spentIn(world, monthOf(now))
  const isBusy = world.jobs.some(({ isOpen }) => isOpen)
  const held = heldBy(world)
  return decideLook(start, answer, {
    now,
    videos,
    outcomes: outcomesOf(world),
    delivered: new Set(world.delivered.keys()),
    money: {
      capLeft: affordable(world.capMicros - spentMicros),
      affordable: Number((world.balanceMicros - held) / PRICE_MICROS),
      isHeld: held > 0n,
      isBusy,
      isCapUsed: isCapUsed(capUseIn(world, monthOf(now))),
    },
  })
}

function outcomesOf({ videos, jobs }: FollowWorld): Map<string, FollowedOutcome> {
  return new Map(
    videos.flatMap(({ videoId, jobId }) => {
      const job = jobs.find(({ id }) => id === jobId)
      if (job === undefined) return []
      const { status = null } = job.rows.get(videoId) ?? {}
      return [[videoId, { jobState: job.state, status }] as const]
    }),
  )
}

/** Checks that videos are ordered oldest first, and none before an older one that was never ordered. */
function checkOrder(world: FollowWorld, { order, videos }: LookDecision): void {
  const ageOf = (id: string): number => world.uploads.get(id)?.atMs ?? 0
  const fresh = order.filter((id) => !world.firstOrders.has(id))
  const left = videos
    .map(({ videoId }) => videoId)
    .filter((id) => !order.includes(id) && !world.firstOrders.has(id))
  assert.deepEqual(
    fresh.toSorted((a, b) => ageOf(a) - ageOf(b)),
    fresh,
    'in order of age',
  )
  for (const id of fresh)
    for (const waiting of left) assert.ok(ageOf(id) < ageOf(waiting), `${waiting} waits, ${id} not`)
}

function countDecision(world: FollowWorld, { state, videos, notice }: LookDecision): void {
  if (state === 'cap_reached') reached.capReached += 1
  if (state === 'out_of_money') reached.outOfMoney += 1
  if (notice === null && world.jobs.some(({ isOpen }) => isOpen)) reached.busy += 1
  const after = new Set(videos.map(({ videoId }) => videoId))
  for (const { videoId, tries } of world.videos) {
    if (after.has(videoId)) continue
    const isDelivered = world.delivered.has(videoId)
    const one = world.uploads.get(videoId)
    if (one === undefined) continue
    if (isDelivered && tries > 0 && one.captionsAtMs > one.atMs) reached.lateCaptions += 1
    if (isDelivered && one.premieresAtMs > one.atMs) reached.premieres += 1
    if (isDelivered && one.openToAllAtMs > one.atMs) reached.membersFirst += 1
    if (!isDelivered && one.deletedAtMs < world.realMs) reached.deletedAfterFound += 1
    if (!isDelivered && one.captionsAtMs === Infinity) reached.givenUp += 1
  }
}

/** Ends publishing, sets the clock right, and for the last part gives enough money and cap. */
function calmsDown(world: FollowWorld): void {
  world.skewMs = 0
  for (let round = 0; round < CALM_LOOKS; round += 1) {
    if (round === CALM_LOOKS / 2) {
      world.capMicros = PRICE_MICROS * 10_000n
      world.balanceMicros += PRICE_MICROS * 10_000n
    }
    for (const job of world.jobs) if (job.isOpen) ends(world, job)
    world.realMs += 12 * HOUR_MS
    looks(world, true)
  }
  for (const job of world.jobs) if (job.isOpen) ends(world, job)
  world.realMs += HOUR_MS
  looks(world, true)
  reached.monthsWithPurchases += new Set(world.jobs.map(({ month }) => month)).size > 1 ? 1 : 0
}

function checkEnd(world: FollowWorld): void {
  for (const [id, times] of world.delivered) assert.equal(times, 1, `${id} is bought once`)
  for (const id of world.delivered.keys()) assert.ok(!world.backlog.has(id), `${id} is backlog`)
  const waiting = new Set(world.videos.map(({ videoId }) => videoId))
  for (const one of world.uploads.values()) {
    const { atMs, captionsAtMs, premieresAtMs, openToAllAtMs } = one
    const lateMs = captionsAtMs - Math.max(atMs, premieresAtMs, openToAllAtMs)
    // Their month is counted from what the clock said.
    const isOpened = openToAllAtMs === atMs || !world.hasJumped
    // Captions that come within two days must be met, too, where the clock never jumped.
    const isMet = lateMs <= (world.hasJumped ? 0 : LATE_MS)
    const isLasting = one.deletedAtMs === Infinity && isOpened && isMet
    if (world.backlog.has(one.id) || !isLasting) continue
    assert.ok(world.delivered.has(one.id) || waiting.has(one.id), `${one.id} was not bought`)
  }
}
