/**
 * What a job must take up, worked out the slow way: with all lists at hand, and the account's past as a plain log of
 * attempts. It shares no decision with the code under test.
 */
import type { DateBounds } from '../../src/model/jobs/date-bounds.ts'
import {
  HOUR_MS,
  listedDate,
  type Source,
  type ModelVideo,
  type SelectionWorld,
} from './selection-world.ts'

export type ModelAnswer = 'delivered' | 'definite' | 'passing'
export type Attempt = { atMs: number; status: string; answer: ModelAnswer }
export type Log = Map<string, Attempt[]>
export type RetryPriority = 'delivered' | 'first' | 'last'
export type Shape = { slots: number; bounds: DateBounds; pageSize: number }

/** A video at a place of the sources; `page` is null where the customer named it. */
export type Walked = { videoId: string; page: string | null }

export type Expected = {
  /** Every place in reach: whole pages, up to the one that fills the last slot, and named ones. */
  walked: Walked[]
  pages: string[]
  /** All videos within the bounds that still have a first turn; the first `slots` are taken. */
  firsts: string[]
  taken: string[]
  /** Videos with definite answers that get the remaining slots, in order. */
  retaken: string[]
  unchanged: string[]
}

export function expected(
  { world, log }: { world: SelectionWorld; log: Log },
  shape: Shape,
): Expected {
  const places = world.sources.flatMap((source, i) => placesOf(world, { source, i, shape }))
  const ofPriority = (among: Walked[], wanted: RetryPriority) => {
    const found = among.filter(({ videoId }) => retryPriorityOf(log, videoId) === wanted)
    return [...new Set(found.map(({ videoId }) => videoId))]
  }
  const inside = (videoId: string) => isInside(shape.bounds, world.videos.get(videoId)!)

  const firsts = ofPriority(places, 'first').filter(inside)
  const taken = firsts.slice(0, shape.slots)
  const isFull = taken.length === shape.slots
  const fillsAt = isFull ? places.findIndex((p) => p.videoId === taken.at(-1)) : places.length
  const lastPage = places[fillsAt]?.page ?? null
  const walked = places.filter(
    ({ page }, i) => i <= fillsAt || page === null || (page === lastPage && lastPage !== null),
  )

  const lastAt = (videoId: string) => log.get(videoId)?.at(-1)?.atMs ?? 0
  const retaken = ofPriority(walked, 'last')
    .filter(inside)
    .toSorted((a, b) => lastAt(a) - lastAt(b))
    .slice(0, shape.slots - taken.length)
  const pages = [...new Set(walked.flatMap(({ page }) => page ?? []))]
  return { walked, pages, firsts, taken, retaken, unchanged: ofPriority(walked, 'delivered') }
}

/** Returns the video's turn, from all answers so far. */
export function retryPriorityOf(log: Log, videoId: string): RetryPriority {
  const answers = (log.get(videoId) ?? []).map(({ answer }) => answer)
  if (answers.includes('delivered')) return 'delivered'
  return answers.includes('definite') || answers.length >= 2 ? 'last' : 'first'
}

/** Returns the log as a job sees it that leaves out what the account owns by another order. */
export function withOwned(log: Log, owned: ReadonlySet<string>): Log {
  const delivered = { atMs: 0, status: 'success', answer: 'delivered' } as const
  return new Map(
    [...log, ...[...owned].map((id) => [id, [delivered]] as const)].map(([id, answers]) => [
      id,
      [...answers],
    ]),
  )
}

/** Returns what an attempt at `nowMs` that ended with this status settles for good. */
export function answerOf(video: ModelVideo, status: string, nowMs: number): ModelAnswer {
  if (status === 'success') return 'delivered'
  if (status === 'blocked_suspect' || status === 'failed') return 'passing'
  if (status !== 'no_captions') return 'definite'
  const isYoung = !video.isUntold && nowMs - video.publishedMs < 72 * HOUR_MS
  return video.nature.kind === 'live' || isYoung ? 'passing' : 'definite'
}

export function isInside({ afterAt, beforeAt }: DateBounds, video: ModelVideo): boolean {
  if (afterAt === null && beforeAt === null) return true
  const isLate = beforeAt !== null && video.publishedMs > beforeAt.getTime()
  const isEarly = afterAt !== null && video.publishedMs < afterAt.getTime()
  return !video.isUntold && !isLate && !isEarly
}

/**
 * Returns the places of a source. A channel's list ends after a page that is older than the bounds throughout, as
 * listed.
 */
function placesOf(
  world: SelectionWorld,
  { source, i, shape }: { source: Source; i: number; shape: Shape },
): Walked[] {
  if (source.kind === 'named') return [{ videoId: source.videoId, page: null }]
  const { bounds, pageSize } = shape
  const places: Walked[] = []
  for (let offset = 0; offset < source.videoIds.length; offset += pageSize) {
    const page = source.videoIds.slice(offset, offset + pageSize)
    places.push(...page.map((videoId) => ({ videoId, page: `${i}:${offset}` })))
    const isOld = (videoId: string) => {
      const date = listedDate(world.videos.get(videoId)!)
      const latest = date.kind === 'exact' ? date.at : date.kind === 'between' ? date.untilAt : null
      return latest !== null && bounds.afterAt !== null && latest < bounds.afterAt
    }
    if (source.isChannel && page.every(isOld)) break
  }
  return places
}
