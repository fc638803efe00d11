/**
 * The one line that shows a job's progress, made to fit any width:
 *
 *     ━━━━━━━━━━━━──────────  123 of 200  4.1/s  19 s left  $0.984
 *     ━━━━━━──────  123 of 200  19 s left            what fits into 40 columns
 */

import type { Look } from './terminal.ts'

export type Progress = {
  delivered: number
  /** Videos that have a row already, delivered or not. */
  processed: number
  /** Videos that the order will take up at most; null where that is not known yet. */
  expected: number | null
  /** Recent rate in videos a second; null at the start. */
  perSecond: number | null
  /** Amount for people: "$0.984". */
  spent: string
}

const BAR = { min: 10, max: 30 }
const GAP = '  '

/** `columns` is the width of the terminal; the last column stays free, since some terminals wrap there. */
export function progressLine(progress: Progress, { columns, isUnicode, accent }: Look): string {
  const { delivered, processed, expected } = progress
  const [had, all] = [delivered, expected ?? 0].map((count) => count.toLocaleString('en-US'))
  const counted = expected === null ? `${had} so far` : `${had} of ${all}`
  // The last part is the first to be left out.
  const parts = [
    { place: 0, text: counted },
    { place: 2, text: timeLeft(progress) },
    { place: 3, text: progress.spent },
    { place: 1, text: rateOf(progress) },
  ].filter(({ text }) => text !== '')
  const room = columns - 1
  let kept = parts.length
  while (kept > 1 && widthOf(parts.slice(0, kept)) + BAR.min + GAP.length > room) kept -= 1

  const told = parts
    .slice(0, kept)
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)
  const barRoom = Math.min(BAR.max, room - widthOf(parts.slice(0, kept)) - GAP.length)
  const share = expected === null || expected === 0 ? 0 : Math.min(1, processed / expected)
  const bar =
    barRoom < BAR.min || expected === null ? [] : [barOf(share, barRoom, { isUnicode, accent })]
  return [...bar, told.join(GAP).slice(0, room)].join(GAP)
}

function widthOf(parts: readonly { text: string }[]): number {
  return parts.reduce((sum, { text }) => sum + text.length + GAP.length, -GAP.length)
}

function barOf(
  share: number,
  width: number,
  { isUnicode, accent }: Pick<Look, 'isUnicode' | 'accent'>,
): string {
  const full = Math.floor(share * width)
  const [done, open] = isUnicode ? ['━', '─'] : ['#', '.']
  return accent(done.repeat(full)) + open.repeat(width - full)
}

function rateOf({ perSecond }: Progress): string {
  if (perSecond === null || perSecond === 0) return ''
  return perSecond >= 10 ? `${Math.round(perSecond)}/s` : `${perSecond.toFixed(1)}/s`
}

function timeLeft({ processed, expected, perSecond }: Progress): string {
  if (expected === null || perSecond === null || perSecond === 0) return ''
  const left = Math.max(0, expected - processed)
  return left === 0 ? '' : `${duration(left / perSecond)} left`
}

/** Returns "19 s", "4 min", "2 h 10 min". */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return minutes % 60 === 0
    ? `${minutes / 60} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
