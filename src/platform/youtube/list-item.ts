/** One item of a list, in any of the shapes that lists hold in 2026, as a listed video. */
import type { ListedVideo } from '../platform.ts'
import { at, labelAt, listAt, textAt } from './json.ts'
import { isListDate } from './list-date.ts'

const VIDEO_ID = /^[\w-]{11}$/
const PLAYLIST_ID = /^[\w-]{12,60}$/
const VIEWS = /\bviews?\b|\bwatching\b|\bwaiting\b|^no views$/i

/** Reads an entry as a video; returns null for a playlist, a podcast, an advertisement or a token. */
export function readItem(entry: unknown): ListedVideo | null {
  const item = at(entry, 'richItemRenderer', 'content') ?? entry
  const video = readLockup(item) ?? readShort(item) ?? readRenderer(item)
  return video !== null && VIDEO_ID.test(video.videoId) ? video : null
}

/** Returns the id of the list behind an entry, or null where it is no list. */
export function readPlaylistId(entry: unknown): string | null {
  const item = at(entry, 'richItemRenderer', 'content') ?? entry
  const lockup = at(item, 'lockupViewModel')
  const isList = /_(?:PLAYLIST|PODCAST|ALBUM|COURSE)$/.test(textAt(lockup, 'contentType') ?? '')
  const id = isList
    ? textAt(lockup, 'contentId')
    : textAt(item, 'gridPlaylistRenderer', 'playlistId')
  return id !== null && PLAYLIST_ID.test(id) ? id : null
}

/**
 * Reads `lockupViewModel`, used everywhere since mid-2026; playlists and podcasts, which it also holds, are left out.
 */
function readLockup(item: unknown): ListedVideo | null {
  const lockup = at(item, 'lockupViewModel')
  const videoId = textAt(lockup, 'contentId')
  const type = textAt(lockup, 'contentType') ?? 'LOCKUP_CONTENT_TYPE_VIDEO'
  if (videoId === null || !/_(?:VIDEO|SHORTS?)$/.test(type)) return null

  const metadata = at(lockup, 'metadata', 'lockupMetadataViewModel')
  const rows = listAt(metadata, 'metadata', 'contentMetadataViewModel', 'metadataRows')
  const texts = rows.map((row) => {
    return listAt(row, 'metadataParts').flatMap((part) => labelAt(part, 'text') ?? [])
  })
  const [first = []] = texts
  // In a playlist the first row is the channel's; on a channel's page there is no such row.
  const isNamed = texts.length > 1 && first.every((text) => !VIEWS.test(text) && !isListDate(text))
  return {
    videoId,
    title: labelAt(metadata, 'title'),
    channelName: isNamed ? (first[0] ?? null) : null,
    publishedText: texts.flat().find(isListDate) ?? null,
    isMembersOnly: JSON.stringify(rows).includes('BADGE_MEMBERS_ONLY'),
  }
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
]

/** Reads the old renderers, which playlists kept longest. */
function readRenderer(item: unknown): ListedVideo | null {
  const name = RENDERERS.find((each) => at(item, each) !== undefined)
  const video = name === undefined ? undefined : at(item, name)
  const videoId = textAt(video, 'videoId')
  if (videoId === null) return null
  const info = listAt(video, 'videoInfo', 'runs').flatMap((run) => textAt(run, 'text') ?? [])
  const published = labelAt(video, 'publishedTimeText')
  return {
    videoId,
    title: labelAt(video, 'title') ?? labelAt(video, 'headline'),
    channelName: labelAt(video, 'shortBylineText') ?? labelAt(video, 'ownerText'),
    publishedText: [published ?? '', ...info].find(isListDate) ?? null,
    isMembersOnly: JSON.stringify(listAt(video, 'badges')).includes(
      'BADGE_STYLE_TYPE_MEMBERS_ONLY',
    ),
  }
}
