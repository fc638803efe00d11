/** A channel that publishes, deletes and captions by chance, and an account that follows it, all in memory. */
import {
  type AskedVideos,
  type FollowedAnswer,
  type FollowedOutcome,
  type FollowedVideo,
  isAskable,
} from '../../src/model/follow/followed-video.ts'
import type { LookAnswer, LookDecision, LookStart } from '../../src/model/follow/look.ts'
import { type CapUse, monthOf } from '../../src/model/follow/subscription.ts'
import { wantsNextPage } from '../../src/model/follow/new-videos.ts'
import { HOUR_MS } from './selection-world.ts'

export const PRICE_MICROS = 8_000n
export const BEGINNING_MS = Date.UTC(2026, 0, 20)
const PAGE = 5
/** Most pages, more than are ever needed between two looks. */
const PAGES_MAX = 20
/** Most refused videos that one look asks for. */
const ASKED_MAX = 3

export type Upload = {
  id: string
  /** Instants in real time; the account's clock may differ. */
  atMs: number
  captionsAtMs: number
  premieresAtMs: number
  /** Until then it is for members only. */
  openToAllAtMs: number
  deletedAtMs: number
}

export type FollowJob = {
  id: string
  month: string
  videoIds: string[]
  isOpen: boolean
  state: FollowedOutcome['jobState']
  rows: Map<string, FollowedAnswer>
  chargedMicros: bigint
}

export type FollowWorld = {
  random: () => number
  realMs: number
  /** How far the database's clock is ahead of real time. */
  skewMs: number
  isJumpy: boolean
  hasJumped: boolean
  uploads: Map<string, Upload>
  backlog: Set<string>
  start: LookStart
  nextLookAt: Date
  videos: FollowedVideo[]
  jobs: FollowJob[]
  delivered: Map<string, number>
  /** Videos that a job has had. */
  firstOrders: Set<string>
  capMicros: bigint
  balanceMicros: bigint
}

/** `jumping` is the probability that the world's clock jumps. */
export function openFollowWorld(seed: number, jumping: number): FollowWorld {
  const random = randomOf(seed)
  const old = Array.from({ length: Math.floor(random() * 40) }, (_, at) =>
    upload(`old${at}`, BEGINNING_MS - (40 - at) * 24 * HOUR_MS, random),
  )
  return {
    random,
    realMs: BEGINNING_MS,
    skewMs: 0,
    isJumpy: random() < jumping,
    hasJumped: false,
    uploads: new Map(old.map((one) => [one.id, one])),
    backlog: new Set(old.map(({ id }) => id)),
    start: {
      id: `sub${seed}`,
      look: 1,
      state: 'active',
      since: new Date(BEGINNING_MS),
      backlog: 0,
      known: null,
      foundAt: [],
      everyHours: random() < 0.2 ? 1 + Math.floor(random() * 48) : null,
      failures: 0,
      missing: 0,
    },
    nextLookAt: new Date(BEGINNING_MS),
    videos: [],
    jobs: [],
    delivered: new Map(),
    firstOrders: new Set(),
    capMicros: PRICE_MICROS * BigInt(1 + Math.floor(random() * 20)),
    balanceMicros: PRICE_MICROS * BigInt(Math.floor(random() * 30)),
  }
}

export function upload(id: string, atMs: number, random: () => number): Upload {
  const roll = random()
  const isLate = roll < 0.3
  return {
    id,
    atMs,
    captionsAtMs: isLate ? atMs + random() * 100 * HOUR_MS : roll > 0.95 ? Infinity : atMs,
    premieresAtMs: random() < 0.1 ? atMs + random() * 150 * HOUR_MS : atMs,
    openToAllAtMs: random() < 0.07 ? atMs + random() * 600 * HOUR_MS : atMs,
    deletedAtMs: random() < 0.15 ? atMs + random() * 300 * HOUR_MS : Infinity,
  }
}

export function clockOf({ realMs, skewMs }: FollowWorld): Date {
  return new Date(realMs + skewMs)
}

/** Reads the list as a look does: a page at a time, newest first, of what is there at the moment. */
export function readsList(world: FollowWorld): LookAnswer & { pages: number } {
  const { realMs, uploads, start } = world
  const all = [...uploads.values()]
    .filter(({ atMs, deletedAtMs }) => atMs <= realMs && deletedAtMs > realMs)
    .sort((a, b) => b.atMs - a.atMs)
    .map(({ id, atMs }) => ({ videoId: id, isOld: atMs < BEGINNING_MS - 36 * HOUR_MS }))
  for (let pages = 1; ; pages += 1) {
    const listed = all.slice(0, pages * PAGE)
    const list = { listed, isNewestFirst: true, isComplete: listed.length === all.length }
    if (list.isComplete || pages === PAGES_MAX || !wantsNextPage(start, list))
      return { kind: 'list', list, title: null, pages, asked: asksRefused(world) }
  }
}

/** Asks for the first videos that are due after an order in vain; now and then there is an outage. */
function asksRefused(world: FollowWorld): AskedVideos {
  const due = world.videos.filter((video) => isAskable(video, clockOf(world)))
  const answers = due.slice(0, ASKED_MAX).map(({ videoId }) => {
    const answer = world.random() < 0.1 ? OBSTACLE : rowOf(uploadOf(world, videoId), world.realMs)
    return [videoId, answer] as const
  })
  return { answers: new Map(answers), isMore: due.length > ASKED_MAX }
}

function uploadOf({ uploads }: FollowWorld, id: string): Upload {
  const one = uploads.get(id)
  if (one === undefined) throw new Error(`${id} was never published`)
  return one
}

/** Runs the job as a worker would now; some of it meets an outage. */
export function runsJob(world: FollowWorld, job: FollowJob): void {
  const { random, realMs } = world
  const fails = random() < 0.1
  const isBlocked = random() < 0.15
  for (const id of job.videoIds) {
    if (fails && random() < 0.5) continue
    const row = isBlocked ? OBSTACLE : rowOf(uploadOf(world, id), realMs)
    job.rows.set(id, row)
    if (row.status !== 'success') continue
    job.chargedMicros += PRICE_MICROS
    world.delivered.set(id, (world.delivered.get(id) ?? 0) + 1)
  }
  job.isOpen = false
  job.state = fails ? 'failed' : 'finished'
  world.balanceMicros -= job.chargedMicros
}

const OBSTACLE: FollowedAnswer = { status: 'blocked_suspect', reason: null, startsAt: null }

function rowOf(one: Upload, nowMs: number): FollowedAnswer {
  const startsAt = null
  if (one.deletedAtMs <= nowMs) return { status: 'unavailable', reason: 'removed', startsAt }
  if (one.openToAllAtMs > nowMs) return { status: 'unavailable', reason: 'members_only', startsAt }
  if (one.premieresAtMs > nowMs)
    return { status: 'unavailable', reason: 'upcoming', startsAt: new Date(one.premieresAtMs) }
  if (Math.max(one.captionsAtMs, one.premieresAtMs) > nowMs)
    return { status: 'no_captions', reason: null, startsAt }
  return { status: 'success', reason: null, startsAt }
}

export function spentIn({ jobs }: FollowWorld, month: string): bigint {
  return jobs.filter((job) => job.month === month).reduce((sum, job) => sum + costOf(job), 0n)
}

/** Returns what a month's jobs charged of the cap. */
export function capUseIn({ jobs, capMicros }: FollowWorld, month: string): CapUse {
  const ended = jobs.filter((job) => job.month === month && !job.isOpen)
  return { capMicros, chargedMicros: ended.reduce((sum, job) => sum + job.chargedMicros, 0n) }
}

export function heldBy({ jobs }: FollowWorld): bigint {
  return jobs.filter(({ isOpen }) => isOpen).reduce((sum, job) => sum + costOf(job), 0n)
}

function costOf({ isOpen, videoIds, chargedMicros }: FollowJob): bigint {
  return isOpen ? PRICE_MICROS * BigInt(videoIds.length) : chargedMicros
}

/** Applies the commit of a look. */
export function commits(world: FollowWorld, decision: LookDecision): void {
  const { order, videos, nextLookAt, ...next } = decision
  let jobId: string | null = null
  if (order.length > 0) {
    jobId = `job${world.jobs.length}`
    world.jobs.push({
      id: jobId,
      month: monthOf(clockOf(world)),
      videoIds: order,
      isOpen: true,
      state: 'queued',
      rows: new Map(),
      chargedMicros: 0n,
    })
    for (const id of order) world.firstOrders.add(id)
  }
  world.videos = videos.map((video) =>
    order.includes(video.videoId) ? { ...video, jobId } : video,
  )
  const { known, foundAt, failures, missing, state } = next
  // The backlog is everything that the first look finds.
  if (world.start.known === null && known !== null)
    world.backlog = new Set(
      [...world.uploads.values()].flatMap(({ id, atMs }) => (atMs <= world.realMs ? [id] : [])),
    )
  world.start = { ...world.start, known, foundAt, failures, missing, state }
  world.start.look += 1
  world.nextLookAt = nextLookAt ?? new Date(8.64e15)
}

/** Returns random numbers by mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
