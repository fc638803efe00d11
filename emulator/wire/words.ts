/** The words of lists: views, ages and durations, in the platform's short English. */
import type { Video } from '../model.ts'

const DAY_S = 86_400
const UNITS: readonly (readonly [name: string, seconds: number, below: number])[] = [
  ['second', 1, 60],
  ['minute', 60, 3600],
  ['hour', 3600, DAY_S],
  ['day', DAY_S, 14 * DAY_S],
  ['week', 7 * DAY_S, 30 * DAY_S],
  ['month', 30 * DAY_S, 365 * DAY_S],
  ['year', 365 * DAY_S, Infinity],
]

/** Returns an age such as "3 weeks ago", always rounded down; days go up to 13, as recorded. */
export function ageOf(publishedMs: number, nowMs: number): string {
  const seconds = Math.max(Math.floor((nowMs - publishedMs) / 1000), 1)
  const [name, length] = UNITS.find(([, , below]) => seconds < below) ?? ['year', 365 * DAY_S]
  const count = Math.floor(seconds / length)
  return `${count} ${name}${count === 1 ? '' : 's'} ago`
}

/** Returns what a list says about a video's date, '' where it says nothing. */
export function dateText(video: Video, nowMs: number): string {
  if (video.state === 'live_now') return ''
  if (video.state === 'upcoming_live') return `Scheduled for ${shortDate(nowMs + 18 * 3_600_000)}`
  if (video.state === 'upcoming_far') return `Premieres ${shortDate(nowMs + 960 * 3_600_000)}`
  if (video.state === 'upcoming_premiere') return `Premieres ${shortDate(nowMs + 72 * 3_600_000)}`
  const age = ageOf(video.publishedMs, nowMs)
  return video.kind === 'live' ? `Streamed ${age}` : age
}

export function viewsText(video: Video): string {
  const { views } = video
  if (video.state === 'live_now') return `${views} watching`
  if (views === 0) return 'No views'
  if (views < 1000) return `${views} view${views === 1 ? '' : 's'}`
  const [count, letter] = views < 1_000_000 ? [views / 1000, 'K'] : [views / 1_000_000, 'M']
  return `${count < 10 ? Math.floor(count * 10) / 10 : Math.floor(count)}${letter} views`
}

/** Returns the length as on a thumbnail: `9:17`, `1:07:34`. */
export function lengthText(video: Video): string {
  const seconds = Math.floor(video.durationMs / 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`
}

function shortDate(ms: number): string {
  const date = new Date(ms)
  const year = String(date.getUTCFullYear()).slice(2)
  const hour = date.getUTCHours() % 12 || 12
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${year}, ${hour}:00 PM`
}
