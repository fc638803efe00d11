/**
 * One item of a list, in any of the shapes that lists hold in 2026, as a listed video.
 *
 * What a text says never tells what it is: a channel may be called "TODAY" or "1.2M views", and a date that is none
 * would skip its video unasked. So its place tells. In a playlist the first row of a lockup names the channel and the
 * next one holds views and date (recorded 2026-10-01); on a channel's tab there are only views and date (recorded
 * 2026-05). A part with a link, or behind pictures, is a channel's name wherever it stands. Where the place leaves a
 * doubt, the video has no date, and is asked for it.
 */
import type { ListedVideo } from '../platform.ts'
import { at, labelAt, listAt, textAt } from './json.ts'
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

/** A part of a row; `isName` is true where a link or the channels' pictures say that it is a channel's name. */
type RowPart = { text: string; isName: boolean }

function rowParts(row: unknown): RowPart[] {
  return listAt(row, 'metadataParts').flatMap((part) => {
    const stacked = at(part, 'avatarStack', 'avatarStackViewModel')
    const text = labelAt(part, 'text') ?? labelAt(stacked, 'text')
    if (text === null) return []
    return [
      { text, isName: stacked !== undefined || listAt(part, 'text', 'commandRuns').length > 0 },
    ]
  })
}

type RowRoles = { channelName: string | null; publishedText: string | null }

/** Tells channel and date apart by where they stand; null where that leaves a doubt. */
function rolesIn(rows: RowPart[][], place: ItemPlace): RowRoles {
  const published = (parts: RowPart[] = []): string | null => {
    return parts.find(({ text, isName }) => !isName && isListDate(text))?.text ?? null
  }
  const named = rows.findIndex((parts) => parts.some(({ isName }) => isName))
  if (named !== -1) {
    const name = rows[named]?.find(({ isName }) => isName)
    return { channelName: name?.text ?? null, publishedText: published(rows[named + 1]) }
  }
  const [first = [], second] = rows
  if (place === 'playlist')
    return {
      channelName: second !== undefined && first.length === 1 ? (first[0]?.text ?? null) : null,
      publishedText: published(second),
    }
  const several = rows.filter(({ length }) => length > 1)
  const facts = rows.length === 1 ? first : several.length === 1 ? several[0] : undefined
  return { channelName: null, publishedText: published(facts) }
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
