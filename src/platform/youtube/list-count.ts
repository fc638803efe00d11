/** The count in a list's header: "4,999 videos", "12 lessons" or "1.2K videos". */

/** How many videos a list says that it has; the least that it may mean where it rounds. */
export type ListCount = { videos: number; isRounded: boolean }

const COUNT = /^(No|\d{1,3}(?:,\d{3}){0,3}|\d{1,9}|\d{1,4}(?:\.\d{1,2})?[KMB]) ([A-Za-z]{3,20})$/

/** Units that headers count beside a list's entries, and the parts of dates and durations, without a final s. */
const OTHER_UNITS: ReadonlySet<string> = new Set(
  [
    'view play listen time impression',
    'subscriber member follower viewer listener user collaborator contributor other',
    'like dislike comment reply replie share save vote rating review post repost',
    'watching waiting more new playlist season channel',
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
    const [, number, unit] = COUNT.exec(label) ?? []
    if (number === undefined || unit === undefined || !isOfEntries(number, unit)) continue
    const count = countIn(number)
    if (/^videos?$/i.test(unit)) return count
    found ??= count
  }
  return found
}

/** Whether a unit agrees with its number, which most words behind numbers do not, and counts what a list holds. */
function isOfEntries(number: string, unit: string): boolean {
  const stem = unit.toLowerCase().replace(/s$/, '')
  const isPlural = stem.length < unit.length
  return isPlural === (number !== '1') && !OTHER_UNITS.has(stem)
}

function countIn(number: string): ListCount {
  const scale = SCALES[number.at(-1) ?? '']
  if (scale === undefined) {
    const videos = number === 'No' ? 0 : Number(number.replaceAll(',', ''))
    return { videos, isRounded: false }
  }
  // It may be rounded up by half of its last digit's worth.
  const shown = number.slice(0, -1)
  const digits = shown.split('.')[1]?.length ?? 0
  const videos = Math.round((Number(shown) - 0.5 / 10 ** digits) * scale)
  return { videos: Math.max(0, videos), isRounded: true }
}
