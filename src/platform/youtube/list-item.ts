/**
 * One item of a list, in any of the shapes that lists hold in 2026, as a listed video.
 *
 * What a text says never tells what it is: a channel may be called "TODAY" or "1.2M views", and a date that is none
 * would skip its video unasked. So the rows tell together: the facts are the one row whose parts are all views or
 * dates, and in a playlist the name is the row directly above (recorded 2026-10-01), whatever rows of badges stand
 * before and behind; on a channel's tab there is no name (recorded 2026-05). A part that links to a channel, or stands
 * behind pictures, is a channel's name wherever it stands. Where that leaves a doubt, the video has no date, and is
 * asked for it.
 */
import type { ListedVideo } from '../platform.ts'
import { at, labelAt, listAt, textAt } from './json.ts'
import { isViews } from './list-count.ts'
import { isListDate } from './list-date.ts'

const VIDEO_ID = /^[\w-]{11}$/
const PLAYLIST_ID = /^[\w-]{12,60}$/

/** Kind of list in which an item stands: a playlist, uploads lists included, or a channel's tab. */
export type ItemPlace = 'playlist' | 'tab'

/** Reads an entry as a video; returns null for a playlist, a podcast, an advertisement or a token. */
export function readItem(entry: unknown, place: ItemPlace): ListedVideo | null {
  const item = at(entry, 'richItemRenderer', 'content') ?? entry
  const video = readLockup(item, place) ?? readShort(item) ?? readRenderer(item)
  return video !== null && VIDEO_ID.test(video.videoId) ? video : null
}

/** Whether an entry is in one of the shapes of Shorts. */
export function isShort(entry: unknown): boolean {
  const item = at(entry, 'richItemRenderer', 'content') ?? entry
  return ['shortsLockupViewModel', 'reelItemRenderer'].some((name) => at(item, name) !== undefined)
}

/** Returns the id of the list behind an entry, or null where it is no list. */
export function readPlaylistId(entry: unknown): string | null {
  const item = at(entry, 'richItemRenderer', 'content') ?? entry
  const lockup = at(item, 'lockupViewModel')
  const isList = /_(?:PLAYLIST|PODCAST|ALBUM|COURSE|SHOW)$/.test(
    textAt(lockup, 'contentType') ?? '',
  )
  const id = isList
    ? textAt(lockup, 'contentId')
    : (textAt(item, 'gridPlaylistRenderer', 'playlistId') ??
      textAt(item, 'compactPlaylistRenderer', 'playlistId') ?? // the mobile website (captured 2026-07)
      shownList(item))
  return id !== null && PLAYLIST_ID.test(id) ? id : null
}

/** Returns the playlist of a show, which names it only by the page that it opens (`VL…`); null where it is none. */
function shownList(item: unknown): string | null {
  const page = textAt(item, 'gridShowRenderer', 'navigationEndpoint', 'browseEndpoint', 'browseId')
  return page?.startsWith('VL') === true ? page.slice(2) : null
}

/**
 * Reads `lockupViewModel`, used everywhere since mid-2026; playlists and podcasts, which it also holds, are left out.
 */
function readLockup(item: unknown, place: ItemPlace): ListedVideo | null {
  const lockup = at(item, 'lockupViewModel')
  const videoId = textAt(lockup, 'contentId')
  const type = textAt(lockup, 'contentType') ?? 'LOCKUP_CONTENT_TYPE_VIDEO'
  if (videoId === null || !/_(?:VIDEO|SHORTS?)$/.test(type)) return null

  const metadata = at(lockup, 'metadata', 'lockupMetadataViewModel')
  const rows = listAt(metadata, 'metadata', 'contentMetadataViewModel', 'metadataRows')
  return {
    videoId,
    title: labelAt(metadata, 'title'),
    ...rolesIn(
      rows.map(rowParts).filter(({ length }) => length > 0),
      place,
    ),
    isMembersOnly: JSON.stringify(rows).includes('"badgeStyle":"BADGE_MEMBERS_ONLY"'),
  }
}

/** A part of a row; `isName` is true where a link to a channel or the channels' pictures say that it is one's name. */
type RowPart = { text: string; isName: boolean; isLink: boolean }

function rowParts(row: unknown): RowPart[] {
  return listAt(row, 'metadataParts').flatMap((part) => {
    const stacked = at(part, 'avatarStack', 'avatarStackViewModel')
    const text = labelAt(part, 'text') ?? labelAt(stacked, 'text')
    if (text === null) return []
    const links = listAt(part, 'text', 'commandRuns')
    const isName = stacked !== undefined || links.some(leadsToChannel)
    return [{ text, isName, isLink: links.length > 0 }]
  })
}

function leadsToChannel(run: unknown): boolean {
  const page = textAt(run, 'onTap', 'innertubeCommand', 'browseEndpoint', 'browseId')
  return page?.startsWith('UC') === true
}

type RowRoles = { channelName: string | null; publishedText: string | null }

/** Tells channel and date apart by what all parts of all rows are; null where that leaves a doubt. */
function rolesIn(rows: RowPart[][], place: ItemPlace): RowRoles {
  const named = [...rows.keys()].filter((at) => rows[at]?.some(({ isName }) => isName))
  const [first = place === 'playlist' ? 0 : -1] = named
  const facts = factsBehind(rows, first)
  const published = rows[facts ?? -1]?.find(({ text }) => isListDate(text))?.text ?? null
  const above = place === 'playlist' && facts !== null ? facts - 1 : -1
  const nearest = named.filter((at) => facts === null || at < facts)
  const [at = above] = facts === null && nearest.length > 1 ? [-1] : nearest.slice(-1)
  return { channelName: nameIn(rows[at]), publishedText: published }
}

/** Returns a row's channel: the one that is marked as such, or what stands there alone. */
function nameIn(parts: RowPart[] = []): string | null {
  const marked = parts.find(({ isName }) => isName) ?? (parts.length === 1 ? parts[0] : undefined)
  return marked?.text ?? null
}

/**
 * Returns where the row of views and date stands behind the one at `first`: the only one that has both, or else the
 * only one that has either. Null where several may be it, or none is.
 */
function factsBehind(rows: RowPart[][], first: number): number | null {
  const may = [...rows.keys()].filter((at) => at > first && isFacts(rows[at]))
  const several = may.filter((at) => (rows[at]?.length ?? 0) > 1)
  const [at = null, ...others] = several.length > 0 ? several : may
  const parts = rows[at ?? -1] ?? []
  const isBoth =
    parts.some(({ text }) => isViews(text)) && parts.some(({ text }) => isListDate(text))
  return others.length === 0 && (several.length === 0 || isBoth) ? at : null
}

function isFacts(parts: RowPart[] = []): boolean {
  return (
    parts.length > 0 &&
    parts.every(({ text, isName, isLink }) => {
      return !isName && !isLink && (isViews(text) || isListDate(text))
    })
  )
}

/** Reads `shortsLockupViewModel`, which shows neither date nor channel. */
function readShort(item: unknown): ListedVideo | null {
  const short = at(item, 'shortsLockupViewModel')
  if (short === undefined) return null
  const tapped = textAt(short, 'onTap', 'innertubeCommand', 'reelWatchEndpoint', 'videoId')
  const videoId = tapped ?? textAt(short, 'entityId')?.replace(/^shorts-shelf-item-/, '')
  if (videoId === undefined) return null
  const title = labelAt(short, 'overlayMetadata', 'primaryText')
  return { videoId, title, channelName: null, publishedText: null, isMembersOnly: false }
}

const RENDERERS = [
  'playlistVideoRenderer',
  'videoRenderer',
  'gridVideoRenderer',
  'reelItemRenderer',
  'compactVideoRenderer', // tabs on the mobile website (captured 2026-07)
  'videoWithContextRenderer', // the same before, and its feeds
]

/** Reads the old renderers, which playlists and the mobile website kept longest. */
function readRenderer(item: unknown): ListedVideo | null {
  const name = RENDERERS.find((each) => at(item, each) !== undefined)
  const video = name === undefined ? undefined : at(item, name)
  const videoId =
    textAt(video, 'videoId') ?? textAt(video, 'navigationEndpoint', 'watchEndpoint', 'videoId')
  if (videoId === null) return null
  const info = listAt(video, 'videoInfo', 'runs').flatMap((run) => textAt(run, 'text') ?? [])
  const published = labelAt(video, 'publishedTimeText')
  return {
    videoId,
    title: labelAt(video, 'title') ?? labelAt(video, 'headline'),
    channelName: labelAt(video, 'shortBylineText') ?? labelAt(video, 'ownerText'),
    publishedText: [published ?? '', ...info].find(isListDate) ?? null,
    isMembersOnly: JSON.stringify(listAt(video, 'badges')).includes(
      '"style":"BADGE_STYLE_TYPE_MEMBERS_ONLY"',
    ),
  }
}
