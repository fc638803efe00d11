/** The list cursor: where a listing stands, as an opaque string that survives a restart. */
import { createHash } from 'node:crypto'
import type { ListedVideo } from '../platform.ts'
import type { ChannelTab } from '../../model/platform/source.ts'

/** One list of the platform. */
export type Stage =
  /** A playlist; uploads lists (`UU…`) have others, and tabs of the channel, to fall back on. */
  | { playlistId: string; channelId: string | null; tab: ChannelTab | null }
  | { playlistId: null; channelId: string; tab: ChannelTab }

/** A listed video and when it was published, as far as that could be told without asking for each. */
export type Dated = { video: ListedVideo; atMs: number }

/** One list and how far it was read. A listing of several gives out their videos by age. */
export type Part = {
  stage: Stage
  /** Its next page; null is the first. */
  token: string | null
  /** Short marks of the pages asked for, to end a list that leads back into itself. */
  seen: string
  /** Pages without a video in a row. */
  empty: number
  /** Its last page was read. */
  isOver: boolean
  /** Read, and not given out yet: another part may hold newer ones. */
  waiting: Dated[]
}

export type ListCursor = {
  /** What was asked of the channel, should it turn out to have moved; null also for playlists. */
  tab: ChannelTab | null
  parts: Part[]
  /** The channel's name, which later pages leave out. */
  ownerName: string | null
  /** A page was listed: what is missing after it is a part, not the whole. */
  hasBegun: boolean
}

const MARK_CHARS = 6
/** 500 pages of 30 are 15,000 videos; older marks are forgotten first. */
const MARKS_MAX = 500
/** What a cursor may weigh, in characters: it is written with every page. */
export const CURSOR_CHARS_MAX = 65_536

export function partOf(stage: Stage): Part {
  return { stage, token: null, seen: '', empty: 0, isOver: false, waiting: [] }
}

/** Where titles of what waits would make it too long, they are left out: players tell them, too. */
export function writeCursor(cursor: ListCursor): string {
  const text = JSON.stringify(cursor)
  if (text.length <= CURSOR_CHARS_MAX) return text
  const untitled = ({ video, atMs }: Dated): Dated => ({ video: { ...video, title: null }, atMs })
  const parts = cursor.parts.map((part) => ({ ...part, waiting: part.waiting.map(untitled) }))
  return JSON.stringify({ ...cursor, parts })
}

/** Throws where the text is not one of ours. */
export function readCursor(text: string): ListCursor {
  const value = JSON.parse(text) as Partial<ListCursor>
  if (!Array.isArray(value.parts) || value.parts.length === 0)
    throw new Error('the list cursor was not made by this program')
  return value as ListCursor
}

export function hasSeen({ seen }: Part, token: string): boolean {
  const mark = markOf(token)
  for (let at = 0; at < seen.length; at += MARK_CHARS) {
    if (seen.startsWith(mark, at)) return true
  }
  return false
}

export function withSeen({ seen }: Part, token: string): string {
  return `${seen}${markOf(token)}`.slice(-MARK_CHARS * MARKS_MAX)
}

function markOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, MARK_CHARS)
}
