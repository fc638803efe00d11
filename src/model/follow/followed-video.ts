/**
 * A followed video: a new one, from the look that found it until it is delivered or given up.
 *
 *     waiting ──job──▶ ordered ──delivered, refused for good──▶ over
 *        ▲                │
 *        └── no answer ───┘    for as long as ASKED_AGAIN says of the answer
 *
 * Its first job is ordered unasked. From then on looks ask the platform for the video, at most once a day beyond the
 * first tries, and order a job only where captions would come: one that brings nothing is not repeated. A premiere is
 * left alone until the instant that is announced for it.
 */
import { type Answered, ASKED_AGAIN, type OutcomeName, outcomeOf } from '../jobs/asked-again.ts'
import { isFinal, type JobState } from '../jobs/job.ts'
import type { RowStatus } from '../jobs/video-row.ts'
import { WAITING_VIDEOS_MAX } from './subscription.ts'

export type FollowedVideo = {
  videoId: string
  /** Ascends in order of age, the oldest video first. */
  number: number
  foundAt: Date
  /** When it is to be ordered or asked for; for a video in a job, when it was ordered. */
  dueAt: Date
  /** Until this instant, the last answer may still change. */
  until: Date
  /** Number of answers, by jobs or looks, that brought nothing. */
  tries: number
  /** The last of these answers; null before the first, and in rows of the release before. */
  refusedAs: OutcomeName | null
  /** Whether a look was told since that captions would come. */
  isOffered: boolean
  /** The job that has it; null while it waits. */
  jobId: string | null
}

/** Outcome of a video in the job that has it; `status` is that of its row, null without one. */
export type FollowedOutcome = { jobState: JobState; status: RowStatus | null }

/** An answer of the platform, or of its list, about a video; `startsAt` is when it is announced to begin. */
export type FollowedAnswer = Answered & { startsAt: Date | null }

/** Answers about videos that were ordered in vain before; `isMore` where a look asks for no more of them. */
export type AskedVideos = { answers: ReadonlyMap<string, FollowedAnswer>; isMore: boolean }

export type FollowedFacts = {
  now: Date
  /** Videos that were found before and are not over. */
  videos: FollowedVideo[]
  outcomes: ReadonlyMap<string, FollowedOutcome>
  /** Ids that the account has by jobs of its own with the same URL set, or owns where that is left out. */
  delivered: ReadonlySet<string>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Number of tries, whatever the answers: a premiere that is postponed day by day ends, too. */
export const TRIES_MAX = 60
/** The delay after the first try, the second, and so on; the last one repeats. */
const RETRY_MS = [2, 4, 8, 16, 24].map((hours) => hours * HOUR_MS)
/** The longest delay after a job that brought nothing: it doubles, since each such job stands in the account's list. */
const REORDER_MS_MAX = 8 * DAY_MS
/** An announcement further ahead is none: such dates stand for "one day". */
const ANNOUNCED_MS_MAX = 730 * DAY_MS

export function newlyFound(videoId: string, number: number, now: Date): FollowedVideo {
  const times = { foundAt: now, dueAt: now, until: now }
  return { videoId, number, ...times, tries: 0, refusedAs: null, isOffered: false, jobId: null }
}

/** Returns whether a job is to take it now; one that was in no job is due even where the clock was set back. */
export function isDue(video: FollowedVideo, now: Date): boolean {
  return video.jobId === null && (video.tries === 0 || (video.isOffered && video.dueAt <= now))
}

/** Returns whether the platform is to be asked for it now. */
export function isAskable({ jobId, tries, isOffered, dueAt }: FollowedVideo, now: Date): boolean {
  return jobId === null && tries > 0 && !isOffered && dueAt <= now
}

/** Returns the videos that go on after jobs and questions, without those that the account bought meanwhile. */
export function settledVideos(
  { videos, outcomes, delivered, now }: FollowedFacts,
  answers: AskedVideos['answers'],
): FollowedVideo[] {
  return videos.flatMap((video) => {
    const outcome = video.jobId === null ? undefined : outcomes.get(video.videoId)
    const answer = isAskable(video, now) ? answers.get(video.videoId) : undefined
    const told = answer === undefined ? video : afterQuestion(video, answer, now)
    const after = outcome === undefined ? told : afterOutcome(video, outcome, now)
    return after === null || (after.jobId === null && delivered.has(after.videoId)) ? [] : [after]
  })
}

/** Leaves out, the oldest first, as many refused videos as take the place of new ones. */
export function withRoomFor(fresh: number, videos: FollowedVideo[]): FollowedVideo[] {
  let excess = videos.length + fresh - WAITING_VIDEOS_MAX
  return videos.filter(({ jobId, tries, isOffered }) => {
    const isRefused = jobId === null && tries > 0 && !isOffered
    return !isRefused || excess-- <= 0
  })
}

/** Returns the video after its job: unchanged while the job is open, null where nothing more is to come. */
export function afterOutcome(
  video: FollowedVideo,
  { jobState, status }: FollowedOutcome,
  now: Date,
): FollowedVideo | null {
  if (!isFinal(jobState)) return video
  // A job that failed by our fault says nothing of the video; a video of a job that its owner cancelled does not come
  // again.
  const isOurFault = jobState === 'failed' || jobState === 'interrupted'
  if (status === null && !isOurFault) return null
  const answer = { status: status ?? 'failed', reason: null, startsAt: null }
  const delayMs = Math.min(REORDER_MS_MAX, (RETRY_MS[0] ?? DAY_MS) * 2 ** video.tries)
  return askedAgain(video, answer, { now, delayMs })
}

/** Returns the video after an answer to a look: due for a job where captions would come, null where it is over. */
export function afterQuestion(
  video: FollowedVideo,
  answer: FollowedAnswer,
  now: Date,
): FollowedVideo | null {
  if (answer.status === 'success') return { ...video, isOffered: true }
  return askedAgain(video, answer, { now, delayMs: RETRY_MS[video.tries] ?? DAY_MS })
}

/** Schedules the next try. Its days begin with the first answer of a kind, or with what is announced. */
function askedAgain(
  video: FollowedVideo,
  answer: FollowedAnswer,
  { now, delayMs }: { now: Date; delayMs: number },
): FollowedVideo | null {
  const outcome = outcomeOf(answer)
  const { days } = ASKED_AGAIN[outcome]
  const startsAt = announcedAt(answer, now)
  const isSame = outcome === video.refusedAs
  const isOver = isSame && startsAt === null && video.dueAt >= video.until
  if (days === 0 || isOver || video.tries + 1 >= TRIES_MAX) return null
  const from = startsAt ?? now
  const until = isSame && startsAt === null ? video.until : later(from, days * DAY_MS)
  const next = later(now, delayMs)
  const dueAt = from > next ? from : next
  return {
    ...video,
    dueAt,
    until,
    tries: video.tries + 1,
    refusedAs: outcome,
    isOffered: false,
    jobId: null,
  }
}

function announcedAt({ startsAt }: FollowedAnswer, now: Date): Date | null {
  const isAhead = startsAt !== null && startsAt > now
  return isAhead && startsAt <= later(now, ANNOUNCED_MS_MAX) ? startsAt : null
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
