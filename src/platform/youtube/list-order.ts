/**
 * One order for several lists. A channel whose list of all uploads is missing has one list for its videos, one for its
 * streams and one for its Shorts, each newest first and none with exact dates (Shorts show none at all). A few exact
 * dates of each page suffice to estimate the others.
 */
import type { ListedVideo } from '../platform.ts'
import type { Dated, Part } from './list-cursor.ts'
import { readListDate } from './list-date.ts'

const DAY_MS = 86_400_000
/** Two dates that differ by less than this part of their age are near enough: what lies between them is estimated. */
const NEAR_SHARE = 1 / 4

/** A function that asks for the exact date of a video: milliseconds since 1970, or null where it is not told. */
export type AskInstant = (videoId: string) => Promise<number | null>

/** Returns how many milliseconds apart two videos of that age may be and still be listed in the wrong order. */
export function nearMs(atMs: number, nowMs: number): number {
  return Math.max(DAY_MS, (nowMs - atMs) * NEAR_SHARE)
}

/** How many neighbours of an undated video are asked for in its place. */
const NEIGHBOURS_MAX = 3

/**
 * Dates one page of a newest-first list. The list's own words count where they are exact to the day. Otherwise the
 * first and the last video are asked for, and the middle of every stretch whose ends are too far apart; all others are
 * placed evenly between.
 */
export async function datePage(
  videos: ListedVideo[],
  ask: AskInstant,
  nowMs: number,
): Promise<Dated[]> {
  const known = instantsByWords(videos, nowMs)
  /**
   * Returns the index of the first video with a date, from `index` on in the direction of `step`; null where none was
   * found.
   */
  async function askNear(index: number, step: 1 | -1, end: number): Promise<number | null> {
    for (let at = index, tries = 0; tries < NEIGHBOURS_MAX && at !== end; at += step, tries += 1) {
      const atMs = known.get(at) ?? (await ask(videos[at]?.videoId ?? ''))
      if (atMs === null) continue
      known.set(at, atMs)
      return at
    }
    return null
  }
  async function halve(from: number, to: number): Promise<void> {
    const [newerMs, olderMs] = [known.get(from) ?? nowMs, known.get(to) ?? nowMs]
    if (to - from < 2 || newerMs - olderMs <= nearMs(olderMs, nowMs)) return
    const middle = await askNear(Math.floor((from + to) / 2), 1, to)
    if (middle !== null) await Promise.all([halve(from, middle), halve(middle, to)])
  }
  await Promise.all([
    videos.length > 0 ? askNear(0, 1, videos.length) : null,
    videos.length > 1 ? askNear(videos.length - 1, -1, 0) : null,
  ])
  const indexes = indexesOf(known)
  await Promise.all(indexes.map((index, at) => halve(index, indexes[at + 1] ?? index)))
  const instants = estimateBetween(known, videos.length, nowMs)
  return videos.map((video, index) => ({ video, atMs: instants[index] ?? nowMs }))
}

/**
 * Returns dates from words such as "3 days ago", which are exact enough; videos with the same words are placed evenly
 * within that day.
 */
function instantsByWords(videos: ListedVideo[], nowMs: number): Map<number, number> {
  const known = new Map<number, number>()
  for (let from = 0, to = 0; from < videos.length; from = to) {
    const words = videos[from]?.publishedText ?? null
    for (to = from + 1; to < videos.length && videos[to]?.publishedText === words;) to += 1
    const interval = words === null ? null : readListDate(words, new Date(nowMs))
    if (interval === null) continue
    // The margin of a day at both ends is readListDate's caution, and no part of what the words mean.
    const oldestMs = interval.fromAt.getTime() + DAY_MS
    const roomMs = Math.max(0, interval.untilAt.getTime() - DAY_MS - oldestMs)
    if (roomMs > DAY_MS) continue
    for (let index = from; index < to; index += 1) {
      known.set(index, Math.round(oldestMs + roomMs * (1 - (index - from + 0.5) / (to - from))))
    }
  }
  return known
}

function indexesOf(known: ReadonlyMap<number, number>): number[] {
  return [...known.keys()].sort((one, other) => one - other)
}

/**
 * Returns instants placed evenly between known neighbours; those before the first equal it, as do those after the last.
 */
function estimateBetween(
  known: ReadonlyMap<number, number>,
  count: number,
  nowMs: number,
): number[] {
  const indexes = indexesOf(known)
  let next = 0
  return Array.from({ length: count }, (_, index) => {
    while ((indexes[next] ?? count) < index) next += 1
    const after = indexes[next]
    const before = after === index ? index : indexes[next - 1]
    const beforeMs = known.get(before ?? -1)
    const afterMs = known.get(after ?? -1)
    if (beforeMs === undefined || afterMs === undefined)
      return Math.round(beforeMs ?? afterMs ?? nowMs)
    const span = (after ?? 0) - (before ?? 0)
    return Math.round(
      beforeMs + (span === 0 ? 0 : ((index - (before ?? 0)) / span) * (afterMs - beforeMs)),
    )
  })
}

/** Whether the part's next page has to be read before anything more can be given out. */
export function needsPage({ isOver, waiting }: Part): boolean {
  return !isOver && waiting.length === 0
}

/** Takes the newest video of all parts, again and again, while every part is either over or has a video waiting. */
export function takeNewest(given: readonly Part[]): { videos: ListedVideo[]; parts: Part[] } {
  /** The next video of each part stands last. */
  const parts = given.map((part) => ({ ...part, waiting: part.waiting.toReversed() }))
  const videos: ListedVideo[] = []
  while (!parts.some(needsPage)) {
    const [newest] = parts
      .filter(({ waiting }) => waiting.length > 0)
      .sort((one, other) => (other.waiting.at(-1)?.atMs ?? 0) - (one.waiting.at(-1)?.atMs ?? 0))
    const taken = newest?.waiting.pop()
    if (taken === undefined) break
    videos.push(taken.video)
  }
  return { videos, parts: parts.map((part) => ({ ...part, waiting: part.waiting.reverse() })) }
}
