/**
 * Looks at the lists that accounts follow: takes looks that are due while there is room, and reads what each needs,
 * mostly one page.
 */
import { keptSource } from '../model/jobs/order.ts'
import { presentSubscription } from '../api/subscriptions/present.ts'
import type { Context } from '../context.ts'
import { claimDueLooks, recordLook, releaseLook } from '../features/follow/looks.ts'
import { freeCalls } from '../features/jobs/free-calls.ts'
import { type AskedVideos, type FollowedAnswer, isAskable } from '../model/follow/followed-video.ts'
import { type LookAnswer, mustReadList } from '../model/follow/look.ts'
import { type ReadList, wantsNextPage } from '../model/follow/new-videos.ts'
import { isCapUsed } from '../model/follow/subscription.ts'
import { judgeDate, NO_BOUNDS } from '../model/jobs/date-bounds.ts'
import { STATUS_OF_REFUSAL } from '../model/jobs/video-row.ts'
import { halfOf } from '../model/jobs/allowance.ts'
import { affordable } from '../model/money/money.ts'
import type { ListSource } from '../model/platform/source.ts'
import type { OfferAnswer } from '../platform/platform.ts'
import { listFollowed } from '../store/subscription-jobs.ts'
import type { ClaimedLook } from '../store/subscriptions.ts'
import { type EndWork, startClaiming } from './background-work.ts'
import { dateAsker, datesOfList, DatesSpent } from './list-dates.ts'
import { statusOfObstacle } from './row-content.ts'
import type { ListPlace, SharedLists, SharedVideo } from './shared-lists.ts'
import type { Asker, WorkerContext } from './worker-context.ts'

/** Number of pages of one look: 500 videos. One is enough, unless it is a playlist or much came at once. */
const LOOK_PAGES_MAX = 5
/** Number of dates that one look asks for, to tell which videos of the backlog are wanted. */
const LOOK_DATES_MAX = 100
const LOOK_DATES_AT_ONCE = 4
/** Number of refused videos that one look asks for; the next one, soon after, goes on. */
const LOOK_ASKED_MAX = 10

/**
 * Time after which a look's reading has failed; shorter than its lease, so that no other process makes it meanwhile.
 */
export const LOOK_READ_MS = 240_000
/** The part of that time after which no refused video is waited for. */
const ASKING_PART = 3 / 4

type LookParts = { ctx: WorkerContext; lists: SharedLists }

/**
 * Reads the list; what takes longer than `readMs` has failed. Rejects only with the signal's reason, or where the
 * database is away.
 */
export async function readFollowedList(
  parts: LookParts,
  look: ClaimedLook,
  signal: AbortSignal,
  readMs = LOOK_READ_MS,
): Promise<LookAnswer> {
  const inTime = AbortSignal.timeout(readMs)
  try {
    const askedInTime = AbortSignal.timeout(readMs * ASKING_PART)
    return await readWithin(parts, look, AbortSignal.any([signal, inTime]), askedInTime)
  } catch (error) {
    if (signal.aborted || !inTime.aborted) throw error
    return { kind: 'failed' }
  }
}

async function readWithin(
  { ctx, lists }: LookParts,
  look: ClaimedLook,
  signal: AbortSignal,
  askedInTime: AbortSignal,
): Promise<LookAnswer> {
  const source = keptSource(look.line, look.source)
  if (source === null || source.kind === 'video') return { kind: 'missing' }
  const share = { accountId: look.accountId, jobId: `follow:${look.id}` }
  const calls = freeCalls(ctx.db, look.accountId, ctx.allowance)
  const asker = { ctx, platform: ctx.platform.onBehalfOf(share), share, calls, signal }
  const questions = {
    ...asker,
    calls: freeCalls(ctx.db, look.accountId, halfOf(ctx.allowance)),
    signal: AbortSignal.any([signal, askedInTime]),
  }
  try {
    return await readList(look, { source, lists, asker, questions })
  } catch (error) {
    if (error instanceof DatesSpent) return { kind: 'spent' }
    throw error
  } finally {
    // What is owed while the database is away costs nothing.
    for (const each of [calls, questions.calls]) await each.settle().catch(() => undefined)
  }
}

async function readList(
  look: ClaimedLook,
  {
    source,
    lists,
    asker,
    questions,
  }: { source: ListSource; lists: SharedLists; asker: Asker; questions: Asker },
): Promise<LookAnswer> {
  const isNewestFirst = source.kind === 'channel'
  const videos: SharedVideo[] = []
  let isCut = false
  let place: ListPlace | null = { cursor: null, copyId: null }
  for (let pages = 0; place !== null && pages < LOOK_PAGES_MAX; pages += 1) {
    const answer = await lists.page(source, place, asker)
    if (answer.kind === 'obstructed') return { kind: 'failed' }
    if (answer.kind !== 'page') return { kind: answer.kind }
    videos.push(...answer.videos)
    place = answer.next
    isCut ||= answer.end?.kind === 'cut'
    if (!wantsNextPage(look, { listed: listedOf(look, videos), isNewestFirst })) break
  }
  const listed = await judgedBacklog(look, { videos, isNewestFirst, asker })
  if (listed === null) return { kind: 'failed' }
  const named = isNewestFirst ? videos.find(({ channelName }) => channelName !== null) : undefined
  const list = { listed, isComplete: place === null && !isCut, isNewestFirst }
  const asked = await askRefused(look, videos, { asker, questions })
  return { kind: 'list', title: named?.channelName ?? null, list, asked }
}

/**
 * Asks for the videos that are due and that a job had in vain, a few in a look. A list that still marks a video as for
 * members answers for it. Nothing is asked where nothing could be bought. Whatever keeps the questions waiting, the
 * list was read; and half of the day's free calls is left for lists.
 */
async function askRefused(
  look: ClaimedLook,
  listed: SharedVideo[],
  { asker, questions }: { asker: Asker; questions: Asker },
): Promise<AskedVideos> {
  const answers = new Map<string, FollowedAnswer>()
  const isPoor = affordable(look.availableMicros) === 0
  if (!look.hasVideos || isPoor || isCapUsed(look)) return { answers, isMore: false }
  const forMembers = new Set(
    listed.flatMap(({ videoId, isMembersOnly }) => (isMembersOnly ? [videoId] : [])),
  )
  const lines = await listFollowed(asker.ctx.db, look.id)
  const due = lines.flatMap(({ video }) => (isAskable(video, look.now) ? [video.videoId] : []))
  for (const videoId of due.filter((id) => forMembers.has(id)))
    answers.set(videoId, { status: 'unavailable', reason: 'members_only', startsAt: null })
  const open = due.filter((id) => !forMembers.has(id))
  for (const videoId of open.slice(0, LOOK_ASKED_MAX)) {
    if (questions.signal.aborted) break
    const asking = askOffer({ videoId, language: look.language }, questions)
    const answer = await asking.catch((error: unknown) => {
      if (asker.signal.aborted || !questions.signal.aborted) throw error
      return 'late' as const
    })
    if (answer === null) break
    answers.set(videoId, answer === 'late' ? LATE : followedAnswer(answer))
    if (answer !== 'late' && answer.kind === 'obstructed') break // others would wait for the same obstacle
  }
  // What the day's calls do not pay for waits for a regular look.
  const isMore = questions.calls.spent === null && open.some((id) => !answers.has(id))
  return { answers, isMore }
}

const LATE: FollowedAnswer = { status: 'failed', reason: null, startsAt: null }

function askOffer(
  ask: { videoId: string; language: string },
  { ctx, share, platform, calls, signal }: Asker,
): Promise<OfferAnswer | null> {
  return calls.ask((onCall) =>
    ctx.slots.fetching.run(share, signal, () => platform.askOffer({ ...ask, onCall }, signal)),
  )
}

function followedAnswer({ startsAt, ...answer }: OfferAnswer): FollowedAnswer {
  switch (answer.kind) {
    case 'offered':
      return { status: 'success', reason: null, startsAt }
    case 'refused': {
      const { reason, isDoubted = false } = answer.refusal
      return { status: STATUS_OF_REFUSAL[reason], reason, isDoubted, startsAt }
    }
    case 'obstructed':
      return { status: statusOfObstacle(answer.obstacle), reason: null, startsAt }
    default:
      return answer satisfies never
  }
}

/**
 * Returns each video once. Videos that the list calls older than the subscription are old; at the first look, those
 * from before the wanted date.
 */
function listedOf(look: ClaimedLook, videos: SharedVideo[]): ReadList['listed'] {
  const { known, since } = look
  const { afterAt, afterDay } = known === null ? look : { afterAt: since, afterDay: null }
  const bounds = { ...NO_BOUNDS, afterAt, afterDay }
  const dates = datesOfList(videos)
  const seen = new Set<string>()
  return videos.flatMap(({ videoId }, at) => {
    if (seen.has(videoId)) return []
    seen.add(videoId)
    return [{ videoId, isOld: judgeDate(bounds, dates[at] ?? { kind: 'unasked' }) === 'outside' }]
  })
}

/**
 * Returns the listed videos. For a first look that takes videos from a date on, exact dates judge those that the list's
 * words leave open. They are asked for in the order in which the backlog takes videos, never more at once than are
 * still wanted, until enough are found. Null where the platform did not answer.
 */
async function judgedBacklog(
  look: ClaimedLook,
  { videos, isNewestFirst, asker }: { videos: SharedVideo[]; isNewestFirst: boolean; asker: Asker },
): Promise<ReadList['listed'] | null> {
  const listed = listedOf(look, videos)
  const { afterAt, afterDay, known, backlog } = look
  if (known !== null || afterAt === null || backlog === 0) return listed
  const bounds = { ...NO_BOUNDS, afterAt, afterDay }
  const wantedIds = listed.filter(({ isOld }) => !isOld).map(({ videoId }) => videoId)
  const dates = await dateAsker(asker, wantedIds)
  const order = isNewestFirst ? listed : listed.toReversed()
  const open = order.filter(({ isOld }) => !isOld)
  for (const one of open) one.isOld = true
  const candidates = open.slice(0, LOOK_DATES_MAX)
  for (let [found, at] = [0, 0]; found < backlog && at < candidates.length;) {
    const some = candidates.slice(at, at + Math.min(LOOK_DATES_AT_ONCE, backlog - found))
    at += some.length
    const asking = some.map(({ videoId }) => dates.ask(videoId))
    await Promise.allSettled(asking) // a question that goes on after its calls are settled would never be paid
    const answers = await Promise.all(asking)
    for (const [place, one] of some.entries()) {
      const date = answers[place]
      if (date === undefined || date.kind === 'obstructed') return null
      one.isOld = judgeDate(bounds, date) !== 'inside'
      if (!one.isOld) found += 1
    }
  }
  return listed
}

const LOOKS_AT_ONCE_MAX = 16
const LOOK_POLL_MS = 1_000

/** Starts to take looks. `publicUrl` is the beginning of links in mails. */
export function startLooking(
  ctx: Context,
  worker: WorkerContext,
  { lists, publicUrl }: { lists: SharedLists; publicUrl: string },
): EndWork {
  const parts = { ctx: worker, lists, publicUrl }
  return startClaiming<ClaimedLook>(ctx, {
    what: 'looking at subscriptions',
    everyMs: LOOK_POLL_MS,
    wokenBy: 'scriptorium_look',
    atOnceMax: LOOKS_AT_ONCE_MAX,
    claim: (underWay) => claimDueLooks(ctx.db, LOOKS_AT_ONCE_MAX - underWay.length),
    work: (look, signal) => lookAt(ctx, parts, { look, signal }),
  })
}

/**
 * Makes one look. Never rejects. A look that could not be recorded is due again when its lease is over, so that one
 * that always fails is not repeated at once.
 */
async function lookAt(
  { db, config, outbox, usage, metrics, log }: Context,
  parts: LookParts & { publicUrl: string },
  { look, signal }: { look: ClaimedLook; signal: AbortSignal },
): Promise<void> {
  try {
    const answer: LookAnswer = mustReadList(look)
      ? await usage.onBehalfOf(look.accountId, () => readFollowedList(parts, look, signal))
      : { kind: 'unasked' }
    const { publicUrl } = parts
    const maxActiveJobs = config.MAX_ACTIVE_JOBS
    const deps = { db, maxActiveJobs, present: presentSubscription, outbox, publicUrl }
    const outcome = await recordLook(deps, look, answer)
    metrics.looks.inc({ outcome })
  } catch (error) {
    if (signal.aborted) await releaseLook(db, look).catch(() => undefined)
    else log.warn({ err: error, subscriptionId: look.id }, 'a look was lost')
  }
}
