/** Counts in lists: of entries, in a header ("4,999 videos", "12 video lessons", "1.2K videos"), and of views. */

/** How many videos a list says that it has; the least that it may mean where it rounds. */
export type ListCount = { videos: number; isRounded: boolean }

/** A number, rounded or not, and its unit of up to three words. */
const COUNT =
  /^(No|\d{1,3}(?:,\d{3}){0,3}|\d{1,9}|\d{1,4}(?:\.\d{1,2})?[KMB])(\+?)\s((?:[A-Za-z]{3,20}\s){0,2}[A-Za-z]{3,20})$/i

/** Units of the views that a list shows beside each video, without a final s. */
const VIEWS = 'view play listen watching waiting'
const UNITS_OF_VIEWS: ReadonlySet<string> = new Set(VIEWS.split(' '))

/** Units that headers count beside a list's entries, and the parts of dates and durations, without a final s. */
const OTHER_UNITS: ReadonlySet<string> = new Set(
  [
    VIEWS,
    'time impression ago',
    'subscriber member follower viewer listener user collaborator contributor other',
    'like dislike comment reply replie share save vote rating review post repost',
    'more new playlist season channel',
    'second minute hour day week month year sec min hour hr wk yr',
    'january february march april may june july august september october november december',
    'jan feb mar apr jun jul aug sep sept oct nov dec',
  ].flatMap((line) => line.split(' ')),
)

const SCALES: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 }

/** Returns the count among a header's labels: the one in videos, or else the first in another unit of entries. */
export function readCount(labels: readonly string[]): ListCount | null {
  let found: ListCount | null = null
  for (const label of labels) {
    const [, number, plus, unit] = COUNT.exec(label) ?? []
    if (number === undefined || unit === undefined || !isOfEntries(number, unit)) continue
    const exact = countIn(number.toUpperCase())
    const count = plus === '+' ? { ...exact, isRounded: true } : exact
    if (/^videos?$/i.test(unit)) return count
    found ??= count
  }
  return found
}

/** Whether a text counts views, listeners or those who wait. */
export function isViews(text: string): boolean {
  const [, , , unit = ''] = COUNT.exec(text) ?? []
  return UNITS_OF_VIEWS.has(stemOf(unit))
}

/** Whether a unit agrees with its number, which most words behind numbers do not, and counts what a list holds. */
function isOfEntries(number: string, unit: string): boolean {
  const isPlural = stemOf(unit).length < unit.length
  return (
    isPlural === (number !== '1') && !unit.split(/\s/).some((word) => OTHER_UNITS.has(stemOf(word)))
  )
}

function stemOf(unit: string): string {
  return unit.toLowerCase().replace(/s$/, '')
}

function countIn(number: string): ListCount {
  const scale = SCALES[number.at(-1) ?? '']
  if (scale === undefined) {
    const videos = number === 'NO' ? 0 : Number(number.replaceAll(',', ''))
    return { videos, isRounded: false }
  }
  // It may be rounded up by half of its last digit's worth.
  const shown = number.slice(0, -1)
  const digits = shown.split('.')[1]?.length ?? 0
  const videos = Math.round((Number(shown) - 0.5 / 10 ** digits) * scale)
  return { videos: Math.max(0, videos), isRounded: true }
}
