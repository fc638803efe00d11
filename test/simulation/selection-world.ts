/** A platform in memory for repeats: videos with a nature, lists that change, dates told in part. */
import { exactly, type KnownDate } from '../../src/model/jobs/date-bounds.ts'
import type { Outcome } from '../../src/model/jobs/history.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const START_MS = Date.UTC(2026, 10, 1)

/** Outcome of attempts; `failures` is how many fail in passing before the captions come. */
export type Nature =
  | { kind: 'captions'; failures: number }
  | { kind: 'none' }
  | { kind: 'private' }
  | { kind: 'live'; untilMs: number }
  | { kind: 'broken' }

/** How a list shows the date; the exact date is told on request unless `isUntold`. */
export type ListDate = 'exact' | 'between' | 'nothing'

export type ModelVideo = {
  videoId: string
  publishedMs: number
  nature: Nature
  listDate: ListDate
  isUntold: boolean
  attempts: number
}

export type Source =
  { kind: 'named'; videoId: string } | { kind: 'list'; isChannel: boolean; videoIds: string[] }

export type SelectionWorld = { nowMs: number; videos: Map<string, ModelVideo>; sources: Source[] }

/** A small seeded generator (mulberry32): whims that a printed seed repeats. */
export type Whim = (below: number) => number

export function whims(seed: number): Whim {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Returns what a list tells of the video's date. */
export function listedDate(video: ModelVideo): KnownDate {
  const at = new Date(video.publishedMs)
  if (video.listDate === 'nothing') return { kind: 'unasked' }
  if (video.listDate === 'exact' && !video.isUntold) return { kind: 'exact', at }
  const fromAt = new Date(video.publishedMs - 2 * DAY_MS)
  return { kind: 'between', fromAt, untilAt: new Date(video.publishedMs + DAY_MS) }
}

/** Returns what the platform tells when it is asked for the date. */
export function toldDate(video: ModelVideo): KnownDate {
  return exactly(publishedAtOf(video))
}

export function publishedAtOf(video: ModelVideo): string | null {
  return video.isUntold ? null : new Date(video.publishedMs).toISOString()
}

export function isDeliverable({ nature }: ModelVideo): boolean {
  return nature.kind === 'captions' || nature.kind === 'live'
}

/** Makes one attempt at a video's captions. */
export function attempt(world: SelectionWorld, video: ModelVideo, jobId: string): Outcome {
  video.attempts += 1
  const publishedAt = publishedAtOf(video)
  const { nature } = video
  switch (nature.kind) {
    case 'captions': {
      const isFailure = video.attempts <= nature.failures
      return { jobId, status: isFailure ? 'blocked_suspect' : 'success', reason: null, publishedAt }
    }
    case 'none':
      return { jobId, status: 'no_captions', reason: 'no_captions', publishedAt }
    case 'private':
      return { jobId, status: 'private', reason: 'private', publishedAt }
    case 'live':
      return world.nowMs < nature.untilMs
        ? { jobId, status: 'no_captions', reason: 'live_now', publishedAt }
        : { jobId, status: 'success', reason: null, publishedAt }
    case 'broken':
      return { jobId, status: 'failed', reason: null, publishedAt }
    default:
      return nature satisfies never
  }
}

export const CHANGES = ['upload', 'delete', 'reorder', 'captions', 'duplicate'] as const
export type Change = (typeof CHANGES)[number]

/** Changes the world between two repeats, or in the middle of one. */
export function change(world: SelectionWorld, kind: Change, whim: Whim): boolean {
  const lists = world.sources.filter((source) => source.kind === 'list')
  const list = lists[whim(Math.max(lists.length, 1))]
  if (list === undefined) return false
  switch (kind) {
    case 'upload': {
      const videoId = `new${world.videos.size}`
      world.videos.set(videoId, uploaded(world, videoId, whim))
      list.videoIds.unshift(videoId)
      return true
    }
    case 'delete':
      return list.videoIds.splice(whim(list.videoIds.length + 1), 1).length > 0
    case 'reorder': {
      const [moved] = list.videoIds.splice(whim(list.videoIds.length + 1), 1)
      if (moved === undefined || list.isChannel) return false
      list.videoIds.splice(whim(list.videoIds.length + 1), 0, moved)
      return true
    }
    case 'captions': {
      const silent = [...world.videos.values()].filter(({ nature }) => nature.kind === 'none')
      const video = silent[whim(Math.max(silent.length, 1))]
      if (video === undefined) return false
      // The very next attempt may be blocked: a failure in passing after a definite no.
      video.nature = { kind: 'captions', failures: video.attempts + whim(2) }
      return true
    }
    case 'duplicate': {
      const copied = [...world.videos.keys()][whim(world.videos.size)]
      if (copied === undefined || list.isChannel) return false
      list.videoIds.splice(whim(list.videoIds.length + 1), 0, copied)
      return true
    }
    default:
      return kind satisfies never
  }
}

function uploaded(world: SelectionWorld, videoId: string, whim: Whim): ModelVideo {
  const natures: Nature[] = [
    { kind: 'captions', failures: whim(3) },
    { kind: 'none' },
    { kind: 'live', untilMs: world.nowMs + whim(48) * HOUR_MS },
  ]
  return {
    videoId,
    publishedMs: world.nowMs,
    nature: natures[whim(natures.length)] ?? { kind: 'none' },
    listDate: 'exact',
    isUntold: false,
    attempts: 0,
  }
}
