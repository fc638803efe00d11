/** The list cursor: where a listing stands, as an opaque string that survives a restart. */
import { createHash } from 'node:crypto'
import type { ChannelTab } from '../source.ts'

/** One list that is read to its end before the next one begins. */
export type Stage =
  /** A playlist; uploads lists (`UU…`) have tabs of the channel to fall back on. */
  | { playlistId: string; channelId: string | null; tab: ChannelTab | null }
  | { playlistId: null; channelId: string; tab: ChannelTab }

export type ListCursor = {
  /** What was asked of the channel, should it turn out to have moved; null also for playlists. */
  tab: ChannelTab | null
  stages: Stage[]
  /** Next page of the first stage; null is its first page. */
  token: string | null
  /** The channel's name, which later pages leave out. */
  ownerName: string | null
  /** Short marks of the pages asked for, to end a list that leads back into itself. */
  seen: string
  /** Pages without a video in a row. */
  empty: number
  /** A page was listed: what is missing after it is a part, not the whole. */
  hasBegun: boolean
}

const MARK_CHARS = 6
/** 500 pages of 30 are 15,000 videos; older marks are forgotten first. */
const MARKS_MAX = 500

export function writeCursor(cursor: ListCursor): string {
  return JSON.stringify(cursor)
}

/** Throws where the text is not one of ours. */
export function readCursor(text: string): ListCursor {
  const value = JSON.parse(text) as Partial<ListCursor>
  if (!Array.isArray(value.stages) || value.stages.length === 0 || typeof value.seen !== 'string') {
    throw new Error('the list cursor is not one of ours')
  }
  return value as ListCursor
}

export function hasSeen({ seen }: ListCursor, token: string): boolean {
  const mark = markOf(token)
  for (let at = 0; at < seen.length; at += MARK_CHARS) {
    if (seen.startsWith(mark, at)) return true
  }
  return false
}

export function withSeen({ seen }: ListCursor, token: string): string {
  return `${seen}${markOf(token)}`.slice(-MARK_CHARS * MARKS_MAX)
}

function markOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, MARK_CHARS)
}
