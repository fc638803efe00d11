/** The list cursor: the position of a listing, as an opaque string that survives a restart. */
import { createHash } from 'node:crypto'
import type { ListedVideo, ListEnd } from '../platform.ts'
import type { ChannelTab } from '../../model/platform/source.ts'
import type { ListCount } from './list-count.ts'
import type { CarriedVisitors } from './newest-visitor.ts'

/** One list of the platform. */
export type Stage =
  /** A playlist. Uploads lists (`UU…`) can fall back on other lists and on tabs of the channel. */
  | {
      playlistId: string
      channelId: string | null
      tab: ChannelTab | null
      /** True where its first page is asked for by a token made by ourselves. */
      isByToken?: true
    }
  | { playlistId: null; channelId: string; tab: ChannelTab; isByToken?: never }

/** A listed video and its publish date, as far as that is known without asking for each. */
export type Dated = { video: ListedVideo; atMs: number }

/** One list and how far it was read. A listing of several lists returns their videos by age. */
export type Part = {
  stage: Stage
  /** The cursor of its next page; null is the first page. */
  token: string | null
  /** Short marks of the requested pages, to end a list that leads back into itself. */
  seen: string
  /** How many pages in a row showed no video that the listing had not shown. */
  idle: number
  /** How many entries its pages had, videos that stand there again included. */
  listed: number
  /** How many of them the listing had not shown before. */
  videos: number
  /** How many videos its header counts, or the least that it may mean; null where it does not say. */
  counted: number | null
  /** Whether the header rounds them ("1.2K videos"). */
  isCountRounded: boolean
  /** Whether its last page was read. */
  isOver: boolean
  /** How it ended, where it may hold more. */
  end: ListEnd | null
  /** Videos that were read and not returned yet, since another part may hold newer ones. */
  waiting: Dated[]
}

export type ListCursor = {
  /** The requested tab of the channel, in case the channel has moved; null also for playlists. */
  tab: ChannelTab | null
  parts: Part[]
  /** The channel's name, which later pages leave out. */
  ownerName: string | null
  /** Whether a page was listed: what is missing afterwards is a part, not the whole. */
  hasBegun: boolean
  /** The record of the videos that were shown (seen-videos.ts). */
  seenVideos: string
  /** The newest visitor ids that its pages were given; absent where the routes' own will do. A secret of the routes. */
  visitors?: CarriedVisitors | undefined
}

const MARK_CHARS = 6
/** How many marks are kept: 500 pages of 30 are 15,000 videos. The oldest are forgotten first. */
const MARKS_MAX = 500
/** The longest cursor in characters, since it is written with every page. */
export const CURSOR_CHARS_MAX = 65_536

export function partOf(stage: Stage, count: ListCount | null = null): Part {
  const unread = { token: null, seen: '', idle: 0, listed: 0, videos: 0 }
  return { stage, ...unread, ...countOfPart(count), isOver: false, end: null, waiting: [] }
}

/** Returns a count as a part holds it. */
export function countOfPart(count: ListCount | null) {
  return { counted: count?.videos ?? null, isCountRounded: count?.isRounded ?? false }
}

/** Writes a cursor. Where it would be too long, it leaves out the titles of waiting videos, which players tell, too. */
export function writeCursor(cursor: ListCursor): string {
  const text = JSON.stringify(cursor)
  if (text.length <= CURSOR_CHARS_MAX) return text
  const untitled = ({ video, atMs }: Dated): Dated => ({ video: { ...video, title: null }, atMs })
  const parts = cursor.parts.map((part) => ({ ...part, waiting: part.waiting.map(untitled) }))
  return JSON.stringify({ ...cursor, parts })
}

/** Reads a cursor, one of the release before, too; throws where this program did not make it. */
export function readCursor(text: string): ListCursor {
  const value = JSON.parse(text) as Partial<ListCursor>
  if (!Array.isArray(value.parts) || value.parts.length === 0)
    throw new Error('the list cursor was not made by this program')
  const cursor = value as ListCursor
  // The release before counted entries only.
  const parts = cursor.parts.map((part: Partial<Part> & { stage: Stage }) => {
    return { ...partOf(part.stage), videos: part.listed ?? 0, ...part }
  })
  return { ...cursor, seenVideos: value.seenVideos ?? '', parts }
}

/** Returns whether a token, or whatever else is marked, is among the marks. */
export function hasSeen({ seen }: { seen: string }, token: string): boolean {
  const mark = markOf(token)
  for (let at = 0; at < seen.length; at += MARK_CHARS) {
    if (seen.startsWith(mark, at)) return true
  }
  return false
}

export function withSeen({ seen }: { seen: string }, token: string): string {
  return `${seen}${markOf(token)}`.slice(-MARK_CHARS * MARKS_MAX)
}

function markOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, MARK_CHARS)
}
