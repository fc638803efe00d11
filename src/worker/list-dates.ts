/**
 * Dates of a list's videos: what its words allow, narrowed by a few exact dates that the platform is asked for, each
 * once.
 */
import { rememberPublishDate } from '../features/jobs/lists.ts'
import {
  type AskedDate,
  type DateInstants,
  exactly,
  judgeDate,
  type KnownDate,
  NO_BOUNDS,
} from '../model/jobs/date-bounds.ts'
import type { DateAnswer } from '../platform/platform.ts'
import { readListDate } from '../platform/youtube/list-date.ts'
import { findPublishDates } from '../store/list-copies.ts'
import type { SharedVideo } from './shared-lists.ts'
import type { Asker } from './worker-context.ts'

/** Thrown where the account's allowance ended before a date could be asked for. */
export class DatesSpent extends Error {}

/**
 * Returns what asks for the dates of one page's videos. It knows the dates that the account asked for lately. A date
 * that the platform could not tell is not stored, so that it is asked for again.
 */
export async function dateAsker(asker: Asker, videoIds: string[]): Promise<DateAsker> {
  const answers = new Map<string, Promise<AskedDate>>()
  const spelled = new Map<string, string>()
  const known = await findPublishDates(asker.ctx.db, asker.share.accountId, videoIds)

  async function ask(videoId: string): Promise<AskedDate> {
    const publishedAt = known.get(videoId)
    const answer: DateAnswer =
      publishedAt === undefined ? await askPlatform(asker, videoId) : { kind: 'dated', publishedAt }
    if (answer.kind !== 'dated') return answer
    const date = exactly(answer.publishedAt)
    if (date.kind !== 'exact') return { kind: 'undated' }
    spelled.set(videoId, answer.publishedAt)
    return date
  }

  return {
    ask(videoId) {
      const known = answers.get(videoId)
      if (known !== undefined) return known
      const answer = ask(videoId)
      answer.catch(() => undefined) // the caller that awaits the answer gets the error; there may be none
      answers.set(videoId, answer)
      return answer
    },
    asked: (videoId) => answers.get(videoId) ?? null,
    spelled: (videoId) => spelled.get(videoId) ?? null,
  }
}

async function askPlatform(
  { ctx, share, platform, calls, signal }: Asker,
  videoId: string,
): Promise<DateAnswer> {
  const answer = await calls.ask((onCall) =>
    ctx.slots.fetching.run(share, signal, () =>
      platform.fetchPublishedAt({ videoId, onCall }, signal),
    ),
  )
  if (answer === null) throw new DatesSpent()
  if (answer.kind === 'dated') {
    const { publishedAt } = answer
    await rememberPublishDate(ctx.db, share.accountId, { videoId, publishedAt })
  }
  return answer
}

// What is known of the dates of a list's videos: from the list's own words, from earlier jobs, and in a
// newest-first list from the videos beside them. Where a list says "2 years ago" of three hundred videos and a
// bound lies somewhere among them, a binary search finds the place with few exact dates, so that the dates beyond
// it need not be asked for.

/**
 * A conclusion about a newest-first list: every video at place `from` or behind it was published at `at` or earlier.
 */
export type Older = { at: Date; from: number }

/**
 * Returns the dates that the list's words allow, in its order. Words such as "5 hours ago" count from the instant at
 * which the list was read.
 */
export function datesOfList(videos: readonly SharedVideo[]): KnownDate[] {
  return videos.map(({ publishedText, askedAt }) => {
    const interval = publishedText === null ? null : readListDate(publishedText, askedAt)
    return interval === null ? { kind: 'unasked' } : { kind: 'between', ...interval }
  })
}

/** Returns what the first exact date before the bounds says of the videos behind it; null where there is none. */
export function findOlder(dates: readonly KnownDate[], { afterAt }: DateInstants): Older | null {
  if (afterAt === null) return null
  for (const [place, date] of dates.entries()) {
    if (date.kind !== 'exact' || date.at >= afterAt) continue
    return { at: date.at, from: place + EDGE_MARGIN }
  }
  return null
}

/** Narrows, in place, the dates that are not known exactly. */
export function applyOlder(dates: KnownDate[], { at, from }: Older): void {
  for (let place = Math.max(0, from); place < dates.length; place += 1) {
    const date = dates[place]
    if (date?.kind === 'unasked') dates[place] = { kind: 'between', fromAt: DATE_MIN, untilAt: at }
    if (date?.kind === 'between' && date.untilAt > at) {
      dates[place] = { ...date, fromAt: date.fromAt < at ? date.fromAt : DATE_MIN, untilAt: at }
    }
  }
}

/**
 * Returns whether the place where a newest-first list becomes old enough may lie behind its last video so far. Then
 * more of the list is read before any date is asked for.
 */
export function endsInDoubt(dates: readonly KnownDate[], { beforeAt }: DateInstants): boolean {
  const last = dates.at(-1)
  if (beforeAt === null || last === undefined) return false
  if (last.kind === 'between' && last.untilAt <= beforeAt) return false
  return judgeDate({ ...NO_BOUNDS, beforeAt }, last) === 'undecided'
}

/** Finds exact publish dates of a page's videos. */
export type DateAsker = {
  /** Asks for a date, or joins a question that is under way. Rejects with the run's signal, or with DatesSpent. */
  ask(videoId: string): Promise<AskedDate>
  /** Returns the answer that is there or under way; null where the date was not asked for. */
  asked(videoId: string): Promise<AskedDate> | null
  /** Returns the date as the platform spells it; null as long as it has not answered with one. */
  spelled(videoId: string): string | null
}

/** Asks the platform for the exact date of the video at this place of the page. */
export type DateProbe = (index: number) => Promise<AskedDate>

/** Number of videos beside a found edge that stay undecided: premieres are listed a little out of order. */
const EDGE_MARGIN = 3
/** Fewer undecided videos than this are asked for one by one: those inside need their date anyway. */
const RUN_MIN = 8

/**
 * Returns the dates, narrowed: every probed one is exact, and those beyond an edge are `between` dates that the bounds
 * can judge. Makes at most ceil(log2 n) + 1 probes per bound, and none where the bounds decide already, where few
 * videos are undecided, or where all undecided ones may be inside both bounds. Only for newest-first lists: in a
 * playlist a date says nothing of its neighbours.
 */
export async function narrowDates(
  dates: readonly KnownDate[],
  bounds: DateInstants,
  probe: DateProbe,
): Promise<KnownDate[]> {
  const known = [...dates]
  const probed: DateProbe = async (index) => {
    const date = known[index]
    if (date !== undefined && !isOpen(date)) return date
    const found = await probe(index)
    known[index] = found
    return found
  }
  const { afterAt, beforeAt } = bounds
  if (beforeAt !== null) await cutBeyond(known, { afterAt: null, beforeAt }, probed)
  if (afterAt !== null) await cutBeyond(known, { afterAt, beforeAt: null }, probed)
  return known
}

/**
 * Narrows the dates beyond the edge that one bound makes: those before a probed video that is newer than `beforeAt` are
 * newer, too, and those behind one that is older than `afterAt` are older.
 */
async function cutBeyond(known: KnownDate[], bound: DateInstants, probe: DateProbe): Promise<void> {
  const run = doubtful(known, bound)
  if (run === null) return
  const isNewer = bound.beforeAt !== null
  const latest = bound.beforeAt ?? new Date(Number(bound.afterAt) - 1)
  const { lastNo, firstYes } = await findEdge(run, async (index) => {
    return isAtMost(await probe(index), latest, isNewer)
  })
  const edge = isNewer ? lastNo : firstYes
  const date = edge === null ? undefined : known[edge]
  if (edge === null || date?.kind !== 'exact') return
  const from = isNewer ? run.from : edge + EDGE_MARGIN
  const to = isNewer ? edge - EDGE_MARGIN + 1 : run.to
  const [fromAt, untilAt] = isNewer ? [date.at, DATE_MAX] : [DATE_MIN, date.at]
  for (let index = from; index < to; index += 1)
    if (isOpen(known[index])) known[index] = { kind: 'between', fromAt, untilAt }
}

type Run = { from: number; to: number }

/**
 * Returns the range from the first to the last date that could lie on either side of the bound; null where it is short.
 */
function doubtful(known: KnownDate[], bound: DateInstants): Run | null {
  const isInDoubt = (date: KnownDate): boolean => {
    return (
      isOpen(date) &&
      judgeDate({ ...NO_BOUNDS, ...bound }, date) === 'undecided' &&
      !isSurelyInside(bound, date)
    )
  }
  const from = known.findIndex(isInDoubt)
  const to = known.findLastIndex(isInDoubt) + 1
  return from === -1 || to - from < RUN_MIN ? null : { from, to }
}

function isSurelyInside({ afterAt, beforeAt }: DateInstants, date: KnownDate): boolean {
  if (date.kind !== 'between') return false
  return (
    (afterAt === null || date.fromAt >= afterAt) && (beforeAt === null || date.untilAt <= beforeAt)
  )
}

/** The probes between which the edge was found: the last "no" and the first "yes"; null where there was none. */
type Edge = { lastNo: number | null; firstYes: number | null }

/**
 * Halves the run until the probes stand side by side: "no" before the edge, "yes" from it on. Where a video has no
 * date, the next dated one answers for it.
 */
async function findEdge(
  { from, to }: Run,
  isPast: (index: number) => Promise<boolean | null>,
): Promise<Edge> {
  const edge: Edge = { lastNo: null, firstYes: null }
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    let asked = middle
    let answer = await isPast(asked)
    while (answer === null && asked + 1 < high) answer = await isPast((asked += 1))
    if (answer === true) edge.firstYes = asked
    if (answer === false) edge.lastNo = asked
    if (answer === false) low = asked + 1
    else high = middle
  }
  return edge
}

/**
 * Returns whether the date is at most `at`; null for a video without a date, whose neighbour is asked instead.
 * `ifObstructed` is the answer where the date could not be asked for, and leads the search to where the edge may still
 * be found: its neighbour would meet the same obstacle, and an edge is used only where its own date is exact.
 */
function isAtMost(date: AskedDate, at: Date, ifObstructed: boolean): boolean | null {
  if (date.kind === 'obstructed') return ifObstructed
  return date.kind === 'exact' ? date.at <= at : null
}

function isOpen(date: KnownDate | undefined): date is Exclude<KnownDate, AskedDate> {
  return date?.kind === 'between' || date?.kind === 'unasked'
}

const DATE_MAX = new Date(Date.UTC(9999, 0, 1))
const DATE_MIN = new Date(0)
