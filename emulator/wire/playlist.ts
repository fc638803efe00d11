/** The answer to POST browse for a playlist or a channel's uploads: `VL` and the id, in both layouts. */
import {
  type Call,
  columnsOf,
  googleError,
  json,
  type JsonObject,
  NOT_FOUND,
  type Site,
  type PlatformReply,
} from '../call.ts'
import type { Channel, PlaylistShape, Video, VideoKind } from '../model.ts'
import { alertPage } from './alerts.ts'
import { continuationButton, continuationItem, hasMore, isLegacyPage, nextPage } from './grid.ts'
import { responseContext, runs } from './context.ts'
import { type Listed, lockup, playlistVideoRenderer, shortsLockup } from './items.ts'
import { type Page, tokenOf } from './tokens.ts'

const PAGE_LENGTH = 100
const ENDLESS_PAGE_LENGTH = 30
const WITH_UNAVAILABLE = 'wgYCCAA'
const UPLOADS: readonly (readonly [prefix: string, kind: VideoKind | null, title: string])[] = [
  ['UULF', 'video', 'Videos'],
  ['UUSH', 'short', 'Short videos'],
  ['UULV', 'live', 'Live streams'],
  ['UU', null, 'Uploads'],
]

type Shown = {
  playlistId: string
  title: string
  owner: Channel
  shape: PlaylistShape
  length: number
  counts: string | null
  at(position: number): Video
}

/** Returns a list by its id, or the platform's sentence where there is none to show. */
export function playlistAsked(site: Site, playlistId: string): Shown | string {
  const { world, settings } = site
  const planned = world.playlistById(playlistId)
  if (planned?.state === 'unviewable' || /^(RD|WL$|LL$|LM$|TL)/.test(playlistId))
    return 'This playlist type is unviewable.'
  if (planned?.state === 'ok') return planned
  for (const [prefix, kind, title] of UPLOADS) {
    if (!playlistId.startsWith(prefix) || playlistId.length !== prefix.length + 22) continue
    const owner = world.channelById(`UC${playlistId.slice(prefix.length)}`)
    if (owner === null || owner.state !== 'ok' || !owner.hasUploadsLists || !settings.uploadsLists)
      break
    const list = world.uploads(owner, kind)
    if (list.length === 0) break
    const shape = kind === null && owner.hasCutGrid ? 'lost_shorts' : 'videos'
    const counts = null
    return { playlistId, title: `${title} from ${owner.title}`, owner, shape, counts, ...list }
  }
  return 'The playlist does not exist.'
}

export function playlistReply(site: Site, call: Call, playlistId: string): PlatformReply {
  const shown = playlistAsked(site, playlistId)
  if (typeof shown === 'string') return alertPage(call, shown, 'runs')
  const isAll = String(call.body.params ?? '').startsWith(WITH_UNAVAILABLE)
  const page: Page = {
    browseId: `VL${playlistId}`,
    tab: isAll ? 'all' : '',
    offset: 0,
    isReload: false,
  }
  return json({
    responseContext: responseContext(call),
    contents: columnsOf(call, [
      {
        tabRenderer: {
          selected: true,
          content: contents(site, call, shown, page),
          trackingParams: 'CAEQ8JMB',
        },
      },
    ]),
    ...about(site, call, shown),
  })
}

/** Returns the next page, which also has `contents`, so that clients have to read the actions first. */
export function playlistPage(site: Site, call: Call, page: Page): PlatformReply {
  const shown = playlistAsked(site, page.browseId.slice(2))
  if (typeof shown === 'string' || page.tab === 'recommended')
    return json({ responseContext: responseContext(call) })
  if (shown.shape === 'dead_token' && page.offset > 0)
    return googleError(404, 'NOT_FOUND', NOT_FOUND)
  const continuationItems = itemsOf(site, call, shown, page)
  const targetId = shown.playlistId
  const action = page.isReload
    ? {
        reloadContinuationItemsCommand: {
          targetId,
          continuationItems,
          slot: 'RELOAD_CONTINUATION_SLOT_BODY',
        },
      }
    : { appendContinuationItemsAction: { continuationItems, targetId } }
  const tabs = [{ tabRenderer: { selected: true, trackingParams: 'CAEQ8JMB' } }]
  return json({
    responseContext: responseContext(call),
    ...(site.settings.continuationContents
      ? { contents: columnsOf(call, tabs), ...about(site, call, shown) }
      : {}),
    ...(continuationItems.length > 0 ? { onResponseReceivedActions: [action] } : {}),
  })
}

function contents(site: Site, call: Call, shown: Shown, page: Page): JsonObject {
  const items = itemsOf(site, call, shown, page)
  const isLegacy = isLegacyPage(site, 0)
  if (isGrid(shown, page) && !isLegacy)
    return { richGridRenderer: { contents: items, targetId: shown.playlistId } }
  const section = isLegacy
    ? {
        contents: [
          {
            playlistVideoListRenderer: {
              contents: items,
              playlistId: shown.playlistId,
              isEditable: false,
              targetId: shown.playlistId,
            },
          },
        ],
      }
    : { contents: items, targetId: shown.playlistId }
  const sections: JsonObject[] = [
    { itemSectionRenderer: { ...section, trackingParams: 'CAIQuy8YACIT' } },
  ]
  if (site.settings.strayTokens)
    sections.push(continuationItem(site, tokenOf({ ...page, tab: 'recommended', offset: 0 })))
  return {
    sectionListRenderer: {
      contents: sections,
      trackingParams: 'CAEQui8iEwib',
      targetId: shown.playlistId,
    },
  }
}

/** Whether the page is a grid of Shorts: always, or only as the first page that is asked for by the list's id. */
function isGrid({ shape }: Shown, { offset, isReload }: Page): boolean {
  if (shape === 'shorts' || shape === 'lost_shorts') return true
  return shape === 'cut_shorts' && offset === 0 && !isReload
}

function itemsOf(site: Site, call: Call, shown: Shown, page: Page): JsonObject[] {
  const isEndless = shown.shape === 'endless'
  const end = isEndless
    ? page.offset + ENDLESS_PAGE_LENGTH
    : Math.min(page.offset + PAGE_LENGTH, shown.length)
  const isLegacy = isLegacyPage(site, page.offset / PAGE_LENGTH)
  const isShorts = isGrid(shown, page)
  const items: JsonObject[] = []
  for (let position = page.offset; position < end; position++) {
    const video = shown.at(position)
    const hiddenTitle = hiddenTitleOf(video)
    if (hiddenTitle !== null && page.tab !== 'all') continue
    const listed: Listed = { video, position, nowMs: call.nowMs, hiddenTitle }
    items.push(
      isLegacy
        ? playlistVideoRenderer(listed, shown.playlistId)
        : isShorts
          ? { richItemRenderer: { content: shortsLockup(listed) } }
          : lockup(listed, { playlistId: shown.playlistId, hasBadges: shown.shape === 'badged' }),
    )
  }
  const isCut = isShorts && shown.shape !== 'shorts' && !isLegacy
  if (isEndless || (!isCut && hasMore(site, { offset: page.offset, end, length: shown.length }))) {
    const token = tokenOf(nextPage(site, call, { ...page, offset: end }))
    items.push(isLegacy || isShorts ? continuationItem(site, token) : newToken(site, token))
  }
  return items
}

/** Returns the title that playlists show for a private or deleted video; they show it only on request. */
function hiddenTitleOf(video: Video): string | null {
  if (video.state === 'private') return '[Private video]'
  const isGone = [
    'not_found',
    'removed_by_uploader',
    'removed_violation',
    'account_terminated',
  ].includes(video.state)
  return isGone ? '[Deleted video]' : null
}

/** Returns the token of the newer layout, at the place that a knob chooses of those that were seen. */
function newToken(site: Site, token: string): JsonObject {
  const continuationCommand = { token, request: 'CONTINUATION_REQUEST_TYPE_BROWSE' }
  if (site.settings.tokenPlace === 'short')
    return { continuationItemViewModel: { continuationCommand } }
  if (['executor', 'button'].includes(site.settings.tokenPlace)) {
    const commands = [
      { playlistVotingRefreshPopupCommand: { command: {} } },
      { continuationCommand },
    ]
    const continuationEndpoint = { commandExecutorCommand: { commands } }
    if (site.settings.tokenPlace === 'button') return continuationButton(continuationEndpoint)
    const trigger = 'CONTINUATION_TRIGGER_ON_ITEM_SHOWN'
    return { continuationItemRenderer: { trigger, continuationEndpoint } }
  }
  return {
    continuationItemViewModel: {
      continuationCommand: { innertubeCommand: { continuationCommand } },
    },
  }
}

/** Returns a list's count as its header has it: the number, and the unit behind a blank. */
function countOf({ settings }: Site, { length, counts }: Shown): [number: string, unit: string] {
  const [said] = counts?.split(' ') ?? []
  if (counts !== null && said !== undefined) return [said, counts.slice(said.length)]
  const { countUnit, roundedCounts } = settings
  const notation = roundedCounts && length >= 1000 ? 'compact' : 'standard'
  const number = new Intl.NumberFormat('en', { notation }).format(length)
  return [number, ` ${length === 1 ? countUnit.replace(/s$/, '') : countUnit}`]
}

function about(site: Site, { client }: Call, shown: Shown): JsonObject {
  const { playlistId, title, owner } = shown
  const count = countOf(site, shown)
  const browseEndpoint = { browseId: owner.channelId, canonicalBaseUrl: `/${owner.handle ?? ''}` }
  const text = {
    content: `by ${owner.title}`,
    commandRuns: [
      {
        startIndex: 0,
        length: owner.title.length + 3,
        onTap: { innertubeCommand: { browseEndpoint } },
      },
    ],
  }
  const metadataRows = [
    { metadataParts: [{ avatarStack: { avatarStackViewModel: { avatars: [], text } } }] },
    {
      metadataParts: [{ text: { content: 'Playlist' } }, { text: { content: count.join('') } }],
    },
  ]
  const pageHeaderViewModel = {
    title: { dynamicTextViewModel: { text: { content: title } } },
    metadata: { contentMetadataViewModel: { metadataRows, delimiter: '•' } },
  }
  const info = {
    title: runs(title),
    stats: [runs(...count), runs('No views')],
  }
  const url = `http://www.youtube.com/playlist?list=${playlistId}`
  return {
    header: { pageHeaderRenderer: { pageTitle: title, content: { pageHeaderViewModel } } },
    metadata: { playlistMetadataRenderer: { title, description: '' } },
    microformat: {
      microformatDataRenderer: {
        urlCanonical: url,
        title,
        description: '',
        noindex: false,
        unlisted: false,
      },
    },
    ...(client.name === 'MWEB' ? {} : { sidebar: sidebar(info, owner) }),
  }
}

/** Returns what stands beside a list; the mobile website has no room for it. */
function sidebar(info: JsonObject, owner: Channel): JsonObject {
  const items = [{ playlistSidebarPrimaryInfoRenderer: info }, owned(owner)]
  return { playlistSidebarRenderer: { items } }
}

function owned(owner: Channel): JsonObject {
  const navigationEndpoint = { browseEndpoint: { browseId: owner.channelId } }
  const videoOwnerRenderer = {
    title: { runs: [{ text: owner.title, navigationEndpoint }] },
    navigationEndpoint,
  }
  return { playlistSidebarSecondaryInfoRenderer: { videoOwner: { videoOwnerRenderer } } }
}
