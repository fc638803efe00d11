/**
 * A refusal for now is not one for good: whatever is said of a followed video, it is asked for as long as the table
 * says, at most once a day beyond the first tries, and found when the answer changes before; and no job but the first
 * one brings nothing.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AskedVideos,
  type FollowedAnswer,
  type FollowedVideo,
  isAskable,
  newlyFound,
} from '../../src/model/follow/followed-video.ts'
import { decideLook } from '../../src/model/follow/look.ts'
import { WAITING_VIDEOS_MAX } from '../../src/model/follow/subscription.ts'
import { ASKED_AGAIN, outcomeOf } from '../../src/model/jobs/asked-again.ts'
import { historyAfter } from '../../src/model/jobs/history.ts'
import {
  isAttempt,
  ROW_STATUSES,
  type RowReason,
  STATUS_OF_REFUSAL,
} from '../../src/model/jobs/video-row.ts'
import { REFUSAL_REASONS } from '../../src/model/platform/refusal.ts'
import { HOUR_MS } from './selection-world.ts'

const BEGINNING_MS = Date.UTC(2026, 0, 20)
const DAY_MS = 24 * HOUR_MS
/** Delays of the first tries are shorter than a day. */
const FIRST_TRIES = 5
const OLD = '2020-01-01T00:00:00Z'

const OTHER_REASONS: Record<Exclude<RowReason, keyof typeof STATUS_OF_REFUSAL>, true> = {
  out_of_bounds: true,
  date_unknown: true,
  list_cut: true,
  list_repeated: true,
  tab_absent: true,
  allowance_spent: true,
  date_open: true,
  same_video: true,
}
const REASONS: readonly (RowReason | null)[] = [
  null,
  ...REFUSAL_REASONS,
  ...(Object.keys(OTHER_REASONS) as (keyof typeof OTHER_REASONS)[]),
]

/** Every status with every reason, as answers. */
const ANSWERS: FollowedAnswer[] = ROW_STATUSES.flatMap((status) =>
  REASONS.map((reason) => ({ status, reason, startsAt: null })),
)
const REFUSED = ANSWERS.filter((answer) => answer.status !== 'success')
const OFFERED: FollowedAnswer = { status: 'success', reason: null, startsAt: null }

type Course = {
  /** Instants of questions, in hours. */
  asked: number[]
  /** Instants of jobs, in hours; the first one is at 0. */
  jobs: number[]
  isFound: boolean
  /** When nothing is awaited any more, in hours. */
  endHours: number
}

/** Follows one video by looks alone: each comes when the one before said, and jobs answer at once. */
function followed(answerAt: (hours: number) => FollowedAnswer, daysMax = 150): Course {
  const course: Course = { asked: [], jobs: [], isFound: false, endHours: 0 }
  let videos: FollowedVideo[] = []
  const start = { ...START, known: [] as string[] }
  let nowMs = BEGINNING_MS
  for (let look = 1; nowMs < BEGINNING_MS + daysMax * DAY_MS; look += 1) {
    const [now, hours] = [new Date(nowMs), (nowMs - BEGINNING_MS) / HOUR_MS]
    const outcomes = videos.flatMap(({ videoId, jobId }) =>
      jobId === null
        ? []
        : [
            [
              videoId,
              { jobState: 'finished' as const, status: answerAt(Number(jobId)).status },
            ] as const,
          ],
    )
    const due = videos.filter((video) => isAskable(video, now))
    if (due.length > 0) course.asked.push(hours)
    const asked: AskedVideos = {
      answers: new Map(due.map(({ videoId }) => [videoId, answerAt(hours)])),
      isMore: false,
    }
    const listed = [{ videoId: 'v', isOld: false }]
    const list = { listed, isComplete: true, isNewestFirst: true }
    const answer = { kind: 'list' as const, list, title: null, asked }
    const facts = {
      now,
      videos,
      outcomes: new Map(outcomes),
      delivered: new Set<string>(),
      money: MONEY,
    }
    const decision = decideLook({ ...start, look }, answer, facts)
    if (decision.order.length > 0) course.jobs.push(hours)
    course.isFound ||= decision.order.length > 0 && answerAt(hours).status === 'success'
    start.known = decision.known ?? []
    if (videos.length > 0 && decision.videos.length === 0) {
      course.endHours = hours
      return course
    }
    videos = decision.videos.map((video) =>
      decision.order.includes(video.videoId) ? { ...video, jobId: String(hours) } : video,
    )
    nowMs = decision.nextLookAt?.getTime() ?? Infinity
  }
  return assert.fail(`it is followed for ever: ${JSON.stringify(answerAt(0))}`)
}

const START = {
  id: 'sub_1',
  state: 'active' as const,
  since: new Date(BEGINNING_MS),
  backlog: 0,
  foundAt: [],
  everyHours: null,
  failures: 0,
  missing: 0,
}
const MONEY = { capLeft: 100, isCapUsed: false, affordable: 100, isHeld: false, isBusy: false }

/** Checks what holds of every course; looks come some minutes apart from what is due. */
function checkTries({ asked, jobs }: Course, said: string): void {
  const tries = [...jobs.slice(0, 1), ...asked]
  for (const [at, hours] of tries.entries()) {
    const before = tries[at - 1]
    if (before !== undefined && at > FIRST_TRIES)
      assert.ok(
        Math.round((hours - before) * HOUR_MS) >= DAY_MS,
        `${said}: asked at ${before} and ${hours}`,
      )
  }
}

test('each outcome is asked about as long as the table says, by one job and questions that cost none', () => {
  for (const answer of REFUSED) {
    const said = JSON.stringify(answer)
    const { days } = ASKED_AGAIN[outcomeOf(answer)]
    const course = followed(() => answer)
    checkTries(course, said)
    assert.equal(course.jobs.length, 1, `${said}: jobs at ${course.jobs}`)
    // A row keeps no reason, so that the days begin with the answer after it.
    const rowDays = ASKED_AGAIN[answer.status].days
    const isShort = rowDays === 0
    assert.equal(course.asked.length > 0, !isShort, said)
    const last = course.asked.at(-1) ?? 0
    if (!isShort && days > 0)
      assert.ok(last >= days * 24 && last <= days * 24 + 60, `${said}: ${last}`)
  }
})

test('what changes while the table still asks is found, by one job more', () => {
  const lasting = REFUSED.filter(
    (answer) => ASKED_AGAIN[answer.status].days > 0 && ASKED_AGAIN[outcomeOf(answer)].days > 0,
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...lasting),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (answer, part) => {
        const changes = ASKED_AGAIN[outcomeOf(answer)].days * 24 * part
        const course = followed((hours) => (hours < changes ? answer : OFFERED))
        const said = `${JSON.stringify(answer)} until ${changes}`
        checkTries(course, said)
        assert.ok(course.isFound, said)
        assert.equal(course.jobs.length, 2, said)
        assert.ok((course.jobs[1] ?? 0) <= changes + 24, `${said}: found at ${course.jobs[1]}`)
      },
    ),
  )
})

test('a premiere is asked for when it begins, be it in an hour or in a year, and found', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 365 * 24 }), (begins) => {
      const startsAt = new Date(BEGINNING_MS + begins * HOUR_MS)
      const answer: FollowedAnswer = { status: 'unavailable', reason: 'upcoming', startsAt }
      const course = followed((hours) => (hours < begins ? answer : OFFERED), 400)
      assert.ok(course.isFound)
      assert.equal(course.jobs.length, 2)
      assert.ok(course.asked.filter((hours) => hours < begins).length <= 1)
    }),
  )
})

test('orders that are sent again ask first where they did before', () => {
  const now = new Date(BEGINNING_MS)
  const today = now.toISOString()
  for (const { status, reason } of ANSWERS.filter(isUsual))
    for (const isDoubted of [false, true])
      for (const publishedAt of [null, OLD, today]) {
        const told = { jobId: 'j', status, reason, isDoubted, publishedAt }
        const isFirst =
          isDoubted ||
          FIRST.has(reason ?? status) ||
          (status === 'no_captions' && publishedAt === today)
        const kind = isFirst ? 'transient' : 'negative'
        assert.equal(historyAfter(null, told, now)?.kind, kind, JSON.stringify(told))
      }
})

test('however many are refused, and however their times lie, they add a look an hour at most', () => {
  const daily = { ...START, known: [], look: 1, everyHours: 24 }
  const answer: FollowedAnswer = { status: 'private', reason: 'private', startsAt: null }
  let videos = Array.from({ length: WAITING_VIDEOS_MAX }, (_, at) => ({
    ...newlyFound(`v${at}`, at, new Date(BEGINNING_MS)),
    dueAt: new Date(BEGINNING_MS + (at / WAITING_VIDEOS_MAX) * DAY_MS),
    tries: FIRST_TRIES,
  }))
  const asked = new Set<string>()
  let [nowMs, looks] = [BEGINNING_MS, 0]
  for (; nowMs < BEGINNING_MS + DAY_MS; looks += 1) {
    const now = new Date(nowMs)
    const due = videos.filter((video) => isAskable(video, now)).map(({ videoId }) => videoId)
    for (const videoId of due) asked.add(videoId)
    const answers = new Map(due.map((videoId) => [videoId, answer]))
    const list = { listed: [], isComplete: true, isNewestFirst: true }
    const decision = decideLook(
      { ...daily, look: looks },
      { kind: 'list', list, title: null, asked: { answers, isMore: false } },
      { now, videos, outcomes: new Map(), delivered: new Set<string>(), money: MONEY },
    )
    videos = decision.videos
    nowMs = decision.nextLookAt?.getTime() ?? Infinity
  }
  assert.ok(looks <= 26, `${looks} looks`)
  assert.ok(asked.size >= WAITING_VIDEOS_MAX * 0.95, 'all are asked for all the same')
})

test('videos that are refused for now take no place of new ones', () => {
  const now = new Date(BEGINNING_MS)
  const refused = Array.from({ length: WAITING_VIDEOS_MAX }, (_, at) => ({
    ...newlyFound(`old${at}`, at, now),
    dueAt: new Date(BEGINNING_MS + DAY_MS),
    tries: 1,
  }))
  const listed = ['new1', 'new2'].map((videoId) => ({ videoId, isOld: false }))
  const list = { listed, isComplete: true, isNewestFirst: true }
  const asked = { answers: new Map(), isMore: false }
  const facts = {
    now,
    videos: refused,
    outcomes: new Map(),
    delivered: new Set<string>(),
    money: MONEY,
  }
  const start = { ...START, known: [], look: 1 }
  const { order, videos, found, notice } = decideLook(
    start,
    { kind: 'list', list, title: null, asked },
    facts,
  )
  assert.deepEqual([order, found, notice], [['new2', 'new1'], 2, null])
  assert.deepEqual([videos.length, videos[0]?.videoId], [WAITING_VIDEOS_MAX, 'old2'])
})

const FIRST = new Set<string>(['blocked_suspect', 'failed', 'live_now', 'processing', 'upcoming'])

/** Whether rows of attempts have this reason beside this status. */
function isUsual({ status, reason }: FollowedAnswer): boolean {
  const refusals: Record<string, string> = STATUS_OF_REFUSAL
  const isOfAttempt = isAttempt(status) && status !== 'success'
  return isOfAttempt && (reason === null || refusals[reason] === status)
}
