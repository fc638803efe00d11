/** One video in a list, in today's shapes (lockups) and in those before May 2026 (renderers). */
import type { JsonObject } from '../call.ts'
import type { Video } from '../model.ts'
import { runs, simple, thumbnailOf } from './context.ts'
import { dateText, lengthText, viewsText } from './words.ts'

/** A video at its place in a list; `hiddenTitle` is what the list shows for a hidden video, null for others. */
export type Listed = { video: Video; position: number; nowMs: number; hiddenTitle: string | null }

const watch = (videoId: string, playlistId: string | null, index: number): JsonObject => ({
  commandMetadata: {
    webCommandMetadata: {
      url: `/watch?v=${videoId}`,
      webPageType: 'WEB_PAGE_TYPE_WATCH',
      rootVe: 3832,
    },
  },
  watchEndpoint: { videoId, ...(playlistId === null ? {} : { playlistId, index }) },
})

/**
 * Returns a lockup. In a playlist (`place`) it names the channel first, or behind badges; in a channel's own tab it
 * does not.
 */
export function lockup(
  listed: Listed,
  place: { playlistId: string | null; hasBadges?: boolean },
): JsonObject {
  const { video, nowMs, position } = listed
  const { videoId } = video
  const date = dateText(video, nowMs)
  const facts = [viewsText(video), ...(date === '' ? [] : [date])]
  const parts = (texts: string[]): JsonObject => ({
    metadataParts: texts.map((content) => ({ text: { content } })),
  })
  const rows =
    listed.hiddenTitle !== null
      ? []
      : place.playlistId === null
        ? [parts(facts)]
        : [parts([video.channel.title]), parts(facts)]
  if (place.hasBadges === true) {
    rows.unshift(parts([LEADING_BADGES[position % LEADING_BADGES.length] ?? '']))
    if (position % 3 === 0) rows.push(parts(['Includes paid promotion']))
  }
  if (video.state.startsWith('members')) rows.push(MEMBERS_BADGE)
  return {
    lockupViewModel: {
      contentImage: {
        thumbnailViewModel: {
          image: { sources: thumbnailOf(videoId).thumbnails },
          overlays: [
            {
              thumbnailBottomOverlayViewModel: {
                badges: [{ thumbnailBadgeViewModel: badge(video) }],
              },
            },
          ],
        },
      },
      metadata: {
        lockupMetadataViewModel: {
          title: { content: listed.hiddenTitle ?? video.title },
          metadata: { contentMetadataViewModel: { metadataRows: rows, delimiter: ' • ' } },
        },
      },
      contentId: videoId,
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      rendererContext: {
        accessibilityContext: { label: listed.hiddenTitle ?? video.title },
        commandContext: { onTap: { innertubeCommand: watch(videoId, place.playlistId, position) } },
      },
    },
  }
}

const LEADING_BADGES = ['Members first', 'New', 'Popular']

const MEMBERS_BADGE: JsonObject = {
  badges: [{ badgeViewModel: { badgeStyle: 'BADGE_MEMBERS_ONLY', badgeText: 'Members only' } }],
}

function badge(video: Video): JsonObject {
  if (video.state === 'live_now')
    return { text: 'LIVE', badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE' }
  if (video.state.startsWith('upcoming')) {
    return { text: 'Upcoming', badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT' }
  }
  return {
    text: lengthText(video),
    badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT',
    animationActivationTargetId: video.videoId,
  }
}

/** Returns a Short in a grid, which shows neither date nor duration. */
export function shortsLockup({ video, position }: Listed): JsonObject {
  const { videoId, title } = video
  return {
    shortsLockupViewModel: {
      entityId: `shorts-shelf-item-${videoId}`,
      accessibilityText: `${title}, ${viewsText(video)} – play Short`,
      onTap: {
        innertubeCommand: {
          commandMetadata: {
            webCommandMetadata: {
              url: `/shorts/${videoId}`,
              webPageType: 'WEB_PAGE_TYPE_SHORTS',
              rootVe: 37414,
            },
          },
          reelWatchEndpoint: { videoId, thumbnail: thumbnailOf(videoId), params: 'CDMwAg%3D%3D' },
        },
      },
      indexInCollection: position,
      overlayMetadata: {
        primaryText: { content: title },
        secondaryText: { content: viewsText(video) },
      },
    },
  }
}

/** Returns an item of a channel's tab before May 2026. */
export function videoRenderer({ video, nowMs }: Listed): JsonObject {
  const { videoId } = video
  const date = dateText(video, nowMs)
  const isLive = video.state === 'live_now'
  return {
    videoRenderer: {
      videoId,
      thumbnail: thumbnailOf(videoId),
      title: { ...runs(video.title), accessibility: { accessibilityData: { label: video.title } } },
      ...(date === '' || video.state.startsWith('upcoming')
        ? {}
        : { publishedTimeText: simple(date) }),
      ...(isLive || video.state.startsWith('upcoming')
        ? {}
        : { lengthText: simple(lengthText(video)) }),
      viewCountText: simple(viewsText(video)),
      navigationEndpoint: watch(videoId, null, 0),
      ...(video.state.startsWith('members') ? { badges: [LEGACY_MEMBERS_BADGE] } : {}),
      thumbnailOverlays: [
        {
          thumbnailOverlayTimeStatusRenderer: {
            text: simple(isLive ? 'LIVE' : lengthText(video)),
            style: isLive ? 'LIVE' : 'DEFAULT',
          },
        },
      ],
    },
  }
}

/** Returns an item of a channel's tab as the mobile website gets it: today's form, or the one before 2026. */
export function mobileVideo({ video, nowMs }: Listed, form: 'today' | 'before'): JsonObject {
  const { videoId, channel, title } = video
  const date = dateText(video, nowMs)
  const shared = {
    videoId,
    thumbnail: thumbnailOf(videoId),
    shortBylineText: runs(channel.title),
    ...(date === '' || video.state.startsWith('upcoming') ? {} : { publishedTimeText: runs(date) }),
    lengthText: runs(lengthText(video)),
    shortViewCountText: runs(viewsText(video)),
    navigationEndpoint: watch(videoId, null, 0),
    ...(video.state.startsWith('members') ? { badges: [LEGACY_MEMBERS_BADGE] } : {}),
  }
  return form === 'today'
    ? { compactVideoRenderer: { ...shared, title: runs(title) } }
    : { videoWithContextRenderer: { ...shared, headline: runs(title) } }
}

const LEGACY_MEMBERS_BADGE: JsonObject = {
  metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_MEMBERS_ONLY', label: 'Members only' },
}

/** Returns an item of a playlist before June 2026. */
export function playlistVideoRenderer(listed: Listed, playlistId: string): JsonObject {
  const { video, position, nowMs, hiddenTitle } = listed
  const { videoId, channel } = video
  const title = hiddenTitle ?? video.title
  const common = {
    videoId,
    thumbnail: thumbnailOf(videoId),
    title: { ...runs(title), accessibility: { accessibilityData: { label: title } } },
    index: simple(String(position + 1)),
    navigationEndpoint: watch(videoId, playlistId, position),
  }
  if (hiddenTitle !== null) return { playlistVideoRenderer: { ...common, isPlayable: false } }
  const browseEndpoint = {
    browseId: channel.channelId,
    canonicalBaseUrl: `/${channel.handle ?? `channel/${channel.channelId}`}`,
  }
  return {
    playlistVideoRenderer: {
      ...common,
      shortBylineText: { runs: [{ text: channel.title, navigationEndpoint: { browseEndpoint } }] },
      lengthText: simple(lengthText(video)),
      lengthSeconds: String(Math.floor(video.durationMs / 1000)),
      isPlayable: true,
      thumbnailOverlays: [
        {
          thumbnailOverlayTimeStatusRenderer: { text: simple(lengthText(video)), style: 'DEFAULT' },
        },
      ],
      videoInfo: runs(viewsText(video), ' • ', dateText(video, nowMs)),
    },
  }
}
