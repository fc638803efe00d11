/** Repeats over generated lists: they always make progress, and each video is delivered and paid once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DateBounds, NO_BOUNDS } from '../../src/model/jobs/date-bounds.ts'
import { checkSelectedRows, checkSelection, countSituations, reached } from './selection-checks.ts'
import { type Account, type Job, newJob, runSelection, type Trouble } from './selection-job.ts'
import { answerOf, expected, isInside, type Log, withOwned } from './selection-model.ts'
import {
  type Change,
  change,
  CHANGES,
  DAY_MS,
  HOUR_MS,
  isDeliverable,
  type Nature,
  type Source,
  START_MS,
  type ModelVideo,
  type Whim,
  whims,
  type SelectionWorld,
} from './selection-world.ts'
import { isSeedFixed, SEED } from '../support/seed.ts'

const WORLDS = 1_500

const nature: fc.Arbitrary<Nature> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'captions', failures: 0 } as const) },
  { weight: 4, arbitrary: fc.constant({ kind: 'none' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'private' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'broken' } as const) },
  { weight: 2, arbitrary: fc.nat(4).map((failures) => ({ kind: 'captions', failures }) as const) },
  {
    weight: 1,
    arbitrary: fc.nat(200).map((hours) => {
      return { kind: 'live', untilMs: START_MS + hours * HOUR_MS } as const
    }),
  },
)

const setting = fc.record({
  videos: fc.array(
    fc.record({
      nature,
      ageHours: fc.nat(30 * 24),
      listDate: fc.constantFrom('exact', 'between', 'nothing'),
      isUntold: fc.nat(9).map((n) => n === 0),
      isOwned: fc.nat(3).map((n) => n === 0),
      /** 0-5 are in the channel, 6-7 in the playlist, 8 in both, 9 named, 10 named and listed. */
      home: fc.nat(10),
    }),
    { minLength: 1, maxLength: 30 },
  ),
  slots: fc.integer({ min: 1, max: 8 }),
  pageSize: fc.integer({ min: 1, max: 7 }),
  hasBounds: fc.boolean(),
  repeats: fc.nat(6),
  trouble: fc.record({
    crashOneIn: fc.constantFrom(0, 4, 12),
    cancelOneIn: fc.constantFrom(0, 0, 15),
    disturbOneIn: fc.constantFrom(0, 0, 8),
  }),
  seed: fc.nat(),
})
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never

type Life = {
  world: SelectionWorld
  account: Account
  owned: ReadonlySet<string>
  log: Log
  firstNatures: Map<string, Nature['kind']>
  whim: Whim
  given: Setting
  jobs: number
}

test('repeats deliver and charge everything deliverable once, and always get on', (t) => {
  t.diagnostic(`seed ${SEED}`)
  fc.assert(fc.property(setting, live), { numRuns: WORLDS, seed: SEED })
  t.diagnostic(JSON.stringify(reached))
  if (isSeedFixed)
    for (const [name, count] of Object.entries(reached)) assert(count > 0, `never reached: ${name}`)
})

const COUNTER_OF: Record<Change, keyof typeof reached> = {
  upload: 'uploads',
  delete: 'deletions',
  reorder: 'reorders',
  captions: 'captionsAdded',
  duplicate: 'copies',
}

/** Lives through an account's repeats in a world that changes, then in one that does not. */
function live(given: Setting): void {
  const whim = whims(given.seed)
  const world = worldOf(given)
  const owned = ownedIn(given)
  const account: Account = {
    history: new Map(),
    owned,
    delivered: new Map(),
    chargedTranscripts: 0,
  }
  const natures = [...world.videos].map(([id, one]) => [id, one.nature.kind] as const)
  const firstNatures = new Map(natures)
  const life: Life = { world, account, owned, log: new Map(), firstNatures, whim, given, jobs: 0 }

  for (let i = 0; i < given.repeats; i += 1) {
    const skipsOwned = whim(2) === 0
    repeat(life, { bounds: boundsOf(given, whim), trouble: given.trouble, skipsOwned })
    for (let changes = whim(4); changes > 0; changes -= 1) {
      const kind = CHANGES[whim(CHANGES.length)]!
      if (change(world, kind, whim)) reached[COUNTER_OF[kind]] += 1
    }
    world.nowMs += (1 + whim(5 * 24)) * HOUR_MS
  }
  world.nowMs += 30 * DAY_MS
  getToTheEnd(life)
}

function getToTheEnd(life: Life): void {
  const { world, account, given } = life
  const bounds = boundsOf(given, life.whim)
  const trouble = { crashOneIn: given.trouble.crashOneIn, cancelOneIn: 0, disturbOneIn: 0 }
  const listed = world.sources.flatMap((one) => (one.kind === 'named' ? one.videoId : one.videoIds))
  const isDue = (videoId: string) => {
    const video = world.videos.get(videoId)!
    return isDeliverable(video) && isInside(bounds, video) && !account.delivered.has(videoId)
  }

  // Each video has two first turns; after them each round through all that wait uses up one failure.
  const failures = [...world.videos.values()].map(failuresLeft)
  const rounds = 2 + Math.max(...failures)
  const repeatsMax = (2 + rounds) * Math.ceil(new Set(listed).size / given.slots)
  for (let i = 0; listed.some(isDue); i += 1) {
    assert(i < repeatsMax, `${listed.filter(isDue).join(', ')} still due after ${i} repeats`)
    repeat(life, { bounds, trouble })
    world.nowMs += HOUR_MS
  }

  const charged = account.chargedTranscripts
  repeat(life, { bounds, trouble })
  assert.equal(account.chargedTranscripts, charged, 'nothing is left to charge')
  assert(
    [...account.delivered.values()].every((times) => times === 1),
    'delivered once each',
  )
  assert.equal(charged, account.delivered.size, 'charged once each')
}

type Repeat = { bounds: DateBounds; trouble: Trouble; skipsOwned?: boolean }

function repeat(life: Life, { bounds, trouble, skipsOwned = false }: Repeat): void {
  const { world, account, whim, owned } = life
  const { slots, pageSize } = life.given
  const past = { ...life, log: skipsOwned ? withOwned(life.log, owned) : life.log }
  const should = expected(past, { slots, bounds, pageSize })
  life.jobs += 1
  const job = newJob({ jobId: `j${life.jobs}`, slots, bounds, pageSize, skipsOwned })
  const isWhole = runSelection({ world, account, job, whim, trouble })

  checkSelectedRows(past, job)
  if (!isWhole) reached.cancelled += 1
  else if (!job.isDisturbed) checkSelection(past, job, should)
  countSituations(past, job, should)
  noteAttempts(life, job)
}

function noteAttempts({ world, log }: Life, job: Job): void {
  for (const { videoId, kind, status } of job.rows.values()) {
    if (kind !== 'take' || status === null) continue
    const answer = answerOf(world.videos.get(videoId)!, status, world.nowMs)
    log.set(videoId, [...(log.get(videoId) ?? []), { atMs: world.nowMs, status, answer }])
  }
}

function worldOf(given: Setting): SelectionWorld {
  const videos = given.videos
    .map(({ ageHours, ...rest }, i) => {
      return { ...rest, videoId: `v${i}`, publishedMs: START_MS - ageHours * HOUR_MS, attempts: 0 }
    })
    .toSorted((a, b) => b.publishedMs - a.publishedMs)
  const home = (...homes: number[]) =>
    videos.filter((one) => homes.includes(one.home)).map(({ videoId }) => videoId)
  const lists: Source[] = [
    { kind: 'list', isChannel: true, videoIds: home(0, 1, 2, 3, 4, 5, 8, 10) },
    { kind: 'list', isChannel: false, videoIds: home(8, 7, 6).reverse() },
  ]
  const named: Source[] = home(9, 10).map((videoId) => ({ kind: 'named', videoId }))
  const cut = given.seed % (named.length + 1)
  const sources = [...named.slice(0, cut), ...lists, ...named.slice(cut)]
  return { nowMs: START_MS, videos: new Map(videos.map((one) => [one.videoId, one])), sources }
}

function ownedIn({ videos }: Setting): ReadonlySet<string> {
  return new Set(videos.flatMap(({ isOwned }, i) => (isOwned ? [`v${i}`] : [])))
}

function boundsOf({ hasBounds }: Setting, whim: Whim): DateBounds {
  if (!hasBounds) return NO_BOUNDS
  const afterMs = START_MS - whim(25 * 24) * HOUR_MS
  const beforeMs = afterMs + whim(60 * 24) * HOUR_MS
  return {
    ...NO_BOUNDS,
    afterAt: whim(3) === 0 ? null : new Date(afterMs),
    beforeAt: whim(3) === 0 ? null : new Date(beforeMs),
  }
}

function failuresLeft({ nature: one, attempts }: ModelVideo): number {
  return one.kind === 'captions' ? Math.max(one.failures - attempts, 0) : 0
}
