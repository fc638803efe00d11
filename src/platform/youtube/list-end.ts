/**
 * The end of a list: whether all of it was shown, whatever ended it, and how else it may be asked for.
 *
 * The list's header counts its videos, hidden ones included, and some lists show no hidden ones; so a small difference
 * means nothing. Any other is a cut.
 */
import type { ListEnd } from '../platform.ts'
import type { Part, Stage } from './list-cursor.ts'

/**
 * Pages in a row without a video that the listing has not shown yet: with so many the list has ended, whatever token
 * comes next. A playlist may hold videos twice, but hardly 400 in a row that all stand in it before.
 */
export const IDLE_PAGES_MAX = 4

/** The part of a list, and videos at least, that may be hidden without a word: 99 of 100 were shown (2026-01). */
const HIDDEN_SHARE = 1 / 50
const HIDDEN_FEW = 3
/** The videos of a full page, after which grids of Shorts end whatever follows (seen since 2023). */
const PLAYLIST_PAGE = 100

/** The page on which a list ends: its entries, and whether the platform denies a page that it named itself. */
type LastPage = { entries: number; isDenied: boolean }

/**
 * Returns how a part without a further page has ended; null where it is whole. A list with more entries than its header
 * counts repeats itself, so that its different videos count instead.
 */
export function endOf(part: Part, { entries, isDenied }: LastPage): ListEnd | null {
  const { counted, isCountRounded, idle } = part
  const hidden = Math.max(HIDDEN_FEW, (counted ?? 0) * HIDDEN_SHARE)
  const isRepeated = idle >= IDLE_PAGES_MAX && entries > 0
  const isOverfull = counted !== null && !isCountRounded && part.listed > counted + hidden
  const listed = isRepeated || isOverfull ? part.videos : part.listed
  const isShort = counted === null ? isDenied : counted - listed > hidden
  if (isShort)
    return { kind: 'cut', listed, counted, ...(isCountRounded ? { isAtLeast: true } : {}) }
  return isRepeated ? { kind: 'repeats', listed, pages: idle } : null
}

/**
 * Returns how a listing has ended by how its parts did; undefined where it is whole. What a channel's several lists
 * show and count is told together: nobody asked for one of them.
 */
export function endOfAll(parts: readonly Part[]): ListEnd | undefined {
  const ends = parts.flatMap(({ end }) => end ?? [])
  const cuts = ends.filter((end) => end.kind === 'cut')
  if (parts.length === 1 || cuts.length === 0) return ends[0]
  const shown = parts.map(({ listed, end }) => end?.listed ?? listed)
  const listed = sumOf(shown)
  if (cuts.some(({ counted }) => counted === null)) return { kind: 'cut', listed, counted: null }
  const counted = sumOf(parts.map((part, at) => Math.max(part.counted ?? 0, shown[at] ?? 0)))
  const isAtLeast = parts.some((part) =>
    part.counted === null ? part.listed > 0 : part.isCountRounded,
  )
  return { kind: 'cut', listed, counted, ...(isAtLeast ? { isAtLeast } : {}) }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/**
 * Whether a list has shown every video that its header counts, so that an empty page after it is its end. What one
 * client keeps back would otherwise pass for hidden videos.
 */
export function holdsAll({ listed, counted, isCountRounded }: Part): boolean {
  return counted !== null && !isCountRounded && listed >= counted
}

/**
 * Whether to ask in other ways for a list that ended with its first page: it is cut, or a full grid of Shorts whose
 * header counts nothing.
 */
export function mayHoldMore(
  { isOver, end, counted }: Part,
  { isOfShorts, entries }: { isOfShorts: boolean; entries: number },
): boolean {
  if (!isOver) return false
  return end?.kind === 'cut' || (counted === null && isOfShorts && entries >= PLAYLIST_PAGE)
}

const UPLOADS = /^UU(?:SH)?([\w-]{22})$/

/**
 * Returns other ways to ask for a playlist whose first page is cut, the best one first: a grid of Shorts of one channel
 * stands in the list of its Shorts and on its tab, and a token made by ourselves brings the playlist without the grid
 * (as NewPipe asks, recorded 2026-01).
 */
export function otherWays(stage: Stage, isOfShorts: boolean): Stage[] {
  if (stage.playlistId === null || stage.isByToken === true) return []
  const byToken: Stage = { ...stage, isByToken: true }
  const [, channel] = UPLOADS.exec(stage.playlistId) ?? []
  if (channel === undefined || !isOfShorts) return [byToken]
  const tab: Stage = { playlistId: null, channelId: `UC${channel}`, tab: 'shorts' }
  const ofShorts: Stage = { ...stage, playlistId: `UUSH${channel}` }
  return stage.playlistId === ofShorts.playlistId ? [byToken, tab] : [ofShorts, byToken, tab]
}

/** The field of the message that holds a page, the fields in it, and a first page that shows unavailable videos. */
const FIELDS = { page: 80_226_972, browseId: 2, properties: 3, playlistId: 35 }
const FIRST_PAGE = 'CADCBgIIAA%3D%3D'

/** Returns a token for a playlist's first page, as the platform builds its own: protobuf in base64, percent-encoded. */
export function firstPageToken(playlistId: string): string {
  const inner = Buffer.concat([
    field(FIELDS.browseId, Buffer.from(`VL${playlistId}`)),
    field(FIELDS.properties, Buffer.from(FIRST_PAGE)),
    field(FIELDS.playlistId, Buffer.from(playlistId)),
  ])
  const base64 = field(FIELDS.page, inner).toString('base64')
  return encodeURIComponent(base64.replaceAll('+', '-').replaceAll('/', '_'))
}

/** Returns a length-delimited field of a protobuf message. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  return Buffer.from([...bytes, left])
}
