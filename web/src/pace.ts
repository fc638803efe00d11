/** How far an open job is, how fast it goes and what is left, as the command line says it. Pure. */
import type { Job } from './api/client.ts'
import { count } from './format.ts'

/** Longest time that the rate looks back, in milliseconds. */
const LOOK_BACK_MS = 20_000
/** Shortest time that gives a rate, in milliseconds. */
const MEASURED_MS_MIN = 2_000
const SECOND_MS = 1_000
const MINUTE_S = 60
/** Up to this many seconds or minutes, no larger unit is taken. */
const UNIT_MAX = 90

export type PaceSample = { atMs: number; processed: number }

/** Returns the videos that are waited for; rows without a place are written at once. A null total is not known yet. */
export function waitedFor({ progress, input }: Pick<Job, 'progress' | 'input'>): {
  processed: number
  total: number | null
} {
  const { discovered, counts } = progress
  const { unchanged = 0, skipped = 0, truncated = 0 } = counts
  const free = unchanged + skipped + truncated
  const processed = Math.max(0, progress.processed - free)
  if (discovered === null) return { processed, total: null }
  return { processed, total: Math.max(processed, Math.min(discovered - free, input.maxVideos)) }
}

/** Returns the samples with this one, without those that are too old to tell the present rate. */
export function withSample(samples: readonly PaceSample[], sample: PaceSample): PaceSample[] {
  const recent = samples.filter(({ atMs }) => sample.atMs - atMs <= LOOK_BACK_MS)
  return [...recent, sample]
}

/** Returns "4.1 a second, about 17 s left"; '' while that is not known, or where nothing moves. */
export function paceWords(
  samples: readonly PaceSample[],
  { processed, total }: ReturnType<typeof waitedFor>,
): string {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return ''
  const tookMs = last.atMs - first.atMs
  const perSecond = (last.processed - first.processed) / (tookMs / SECOND_MS)
  if (tookMs < MEASURED_MS_MIN || perSecond <= 0) return ''
  const left = total === null ? 0 : total - processed
  return left === 0
    ? rateWords(perSecond)
    : `${rateWords(perSecond)}, about ${durationWords(left / perSecond)} left`
}

function rateWords(perSecond: number): string {
  if (perSecond >= 10) return `${count(Math.round(perSecond))} a second`
  if (perSecond >= 1) return `${perSecond.toFixed(1)} a second`
  return `${Math.max(1, Math.round(perSecond * MINUTE_S))} a minute`
}

/** Returns "19 s", "4 min", "2 h 10 min". */
export function durationWords(seconds: number): string {
  if (seconds < UNIT_MAX) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / MINUTE_S)
  if (minutes < UNIT_MAX) return `${minutes} min`
  const [hours, rest] = [Math.floor(minutes / MINUTE_S), minutes % MINUTE_S]
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
