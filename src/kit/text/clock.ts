/** Clocks: a place in a video as people, citations and files of captions write it. Pure; the website imports this. */

/** Returns `4:07`, or `1:02:33`; `ms` counts from the beginning of the video, in milliseconds. */
export function clock(ms: number): string {
  const { hours, minutes, seconds } = partsOfTime(ms)
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}`
    : `${minutes}:${twoDigits(seconds)}`
}

/** Returns `0:04:07`: the hours always, so that nobody reads minutes as hours. */
export function clockWithHours(ms: number): string {
  const { hours, minutes, seconds } = partsOfTime(ms)
  return `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}`
}

/** Returns `00:04:07.250`, or with a comma before the milliseconds; hours grow past two digits where they must. */
export function captionClock(ms: number, point: ',' | '.'): string {
  const { hours, minutes, seconds } = partsOfTime(ms)
  const tail = ms % 1000
  const thousandths = tail < 100 ? `0${twoDigits(tail)}` : `${tail}`
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}${point}${thousandths}`
}

function partsOfTime(ms: number): { hours: number; minutes: number; seconds: number } {
  const whole = Math.floor(ms / 1000)
  const minutes = Math.floor(whole / 60)
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60, seconds: whole % 60 }
}

/** Returns two digits. A transcript has some thousand clocks, where `padStart` would take half of the time. */
function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}
