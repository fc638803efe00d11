/** A channel's tabs as grids: their pages, their order, and the chips that change the order. */
import { type Call, json, type JsonObject, type Site, type PlatformReply } from '../call.ts'
import type { Channel, VideoKind } from '../model.ts'
import type { List } from '../world.ts'
import { responseContext, sinceOf } from './context.ts'
import { type Listed, lockup, mobileVideo, shortsLockup, videoRenderer } from './items.ts'
import { type Page, tokenOf } from './tokens.ts'

export type Tab = {
  key: 'videos' | 'shorts' | 'streams'
  title: string
  params: string
  kind: VideoKind
  pageLength: number
}

export const TABS: readonly Tab[] = [
  { key: 'videos', title: 'Videos', params: 'EgZ2aWRlb3PyBgQKAjoA', kind: 'video', pageLength: 30 },
  {
    key: 'shorts',
    title: 'Shorts',
    params: 'EgZzaG9ydHPyBgUKA5oBAA%3D%3D',
    kind: 'short',
    pageLength: 48,
  },
  {
    key: 'streams',
    title: 'Live',
    params: 'EgdzdHJlYW1z8gYECgJ6AA%3D%3D',
    kind: 'live',
    pageLength: 30,
  },
]
/** The chips that sort a tab; their tokens have to be distinguished from the list's own. */
const SORTS = ['Latest', 'Popular', 'Oldest']

/** Returns the next page of a tab, or its first one again. */
export function channelPage(site: Site, call: Call, channel: Channel, page: Page): PlatformReply {
  const tab = TABS.find(({ key }) => key === page.tab)
  const context = { responseContext: responseContext(call), trackingParams: 'CAAQhGciEwib' }
  if (tab === undefined) return json(context)
  const continuationItems = gridItems(
    site,
    call,
    channel,
    tab,
    site.world.uploads(channel, tab.kind),
    page,
  )
  const targetId = targetOf(channel, tab)
  if (!page.isReload) {
    const action = { appendContinuationItemsAction: { continuationItems, targetId } }
    return json({ ...context, onResponseReceivedActions: [action] })
  }
  const head = {
    reloadContinuationItemsCommand: {
      targetId,
      continuationItems: [{ chipBarViewModel: chips(channel, tab) }],
      slot: 'RELOAD_CONTINUATION_SLOT_HEADER',
    },
  }
  const body = {
    reloadContinuationItemsCommand: {
      targetId,
      continuationItems,
      slot: 'RELOAD_CONTINUATION_SLOT_BODY',
    },
  }
  return json({ ...context, onResponseReceivedActions: [head, body] })
}

/** Returns the first page of a tab. */
export function grid(site: Site, call: Call, channel: Channel, tab: Tab, list: List): JsonObject {
  const page: Page = {
    browseId: channel.channelId,
    tab: tab.key,
    offset: 0,
    isReload: false,
  }
  return {
    richGridRenderer: {
      contents: gridItems(site, call, channel, tab, list, page),
      trackingParams: 'CCEQui8iEwib',
      header: { chipBarViewModel: chips(channel, tab) },
      targetId: targetOf(channel, tab),
      style: 'RICH_GRID_STYLE_SLIM',
    },
  }
}

function gridItems(
  site: Site,
  call: Call,
  channel: Channel,
  tab: Tab,
  list: List,
  page: Page,
): JsonObject[] {
  const { offset } = page
  const end = Math.min(offset + tab.pageLength, list.length)
  const isLegacy = isLegacyPage(site, offset / tab.pageLength)
  const items: JsonObject[] = []
  for (let position = offset; position < end; position++) {
    const listed: Listed = {
      video: list.at(position),
      position,
      nowMs: call.nowMs,
      hiddenTitle: null,
    }
    const content = tab.kind === 'short' ? shortsLockup(listed) : gridVideo(call, listed, isLegacy)
    items.push({ richItemRenderer: { content, trackingParams: 'CMwCEJmNBRgAIhMI' } })
  }
  if (hasMore(site, { offset, end, length: list.length })) {
    items.push(
      continuationItem(
        site,
        tokenOf(nextPage(site, call, { ...page, browseId: channel.channelId, offset: end })),
      ),
    )
  }
  return items
}

/** Returns the page at that place as a token is given for it. */
export function nextPage(site: Site, call: Call, page: Page): Page {
  const since = site.settings.freshVisitors ? sinceOf(call) : undefined
  return { ...page, isReload: false, since }
}

function gridVideo(call: Call, listed: Listed, isLegacy: boolean): JsonObject {
  if (call.client.name === 'MWEB') return mobileVideo(listed, isLegacy ? 'before' : 'today')
  return isLegacy ? videoRenderer(listed) : lockup(listed, { playlistId: null })
}

/** Whether a token follows, because there is more or a knob asks for an empty or stray page. */
export function hasMore(
  site: Site,
  { offset, end, length }: { offset: number; end: number; length: number },
): boolean {
  if (end < length) return true
  const { strayTokens, emptyLastPage } = site.settings
  return end > offset && ((strayTokens && offset === 0) || emptyLastPage)
}

/** Whether a page has the legacy layout; in the mixed layout every second one has. */
export function isLegacyPage(site: Site, pageNumber: number): boolean {
  const { layout } = site.settings
  return layout === 'legacy' || (layout === 'mixed' && Math.floor(pageNumber) % 2 === 1)
}

export function continuationItem(site: Site, token: string): JsonObject {
  const continuationEndpoint = {
    commandMetadata: { webCommandMetadata: { sendPost: true, apiUrl: '/youtubei/v1/browse' } },
    continuationCommand: { token, request: 'CONTINUATION_REQUEST_TYPE_BROWSE' },
  }
  if (site.settings.tokenPlace === 'button') return continuationButton(continuationEndpoint)
  const trigger = 'CONTINUATION_TRIGGER_ON_ITEM_SHOWN'
  return { continuationItemRenderer: { trigger, continuationEndpoint } }
}

/** Returns a continuation that waits for a click. */
export function continuationButton(command: JsonObject): JsonObject {
  const buttonRenderer = { text: { runs: [{ text: 'Show more' }] }, command }
  return { continuationItemRenderer: { button: { buttonRenderer } } }
}

function chips(channel: Channel, tab: Tab): JsonObject {
  return {
    chips: SORTS.map((text, index) => ({
      chipViewModel: {
        text,
        selected: index === 0,
        displayType: 'CHIP_VIEW_MODEL_DISPLAY_TYPE_UNSPECIFIED',
        tapCommand: {
          innertubeCommand: {
            commandMetadata: {
              webCommandMetadata: { sendPost: true, apiUrl: '/youtubei/v1/browse' },
            },
            continuationCommand: {
              token: tokenOf({
                browseId: channel.channelId,
                tab: tab.key,
                offset: 0,
                isReload: true,
              }),
              request: 'CONTINUATION_REQUEST_TYPE_BROWSE',
              command: { showReloadUiCommand: { targetId: targetOf(channel, tab) } },
            },
          },
        },
        accessibilityLabel: text,
      },
    })),
  }
}

function targetOf(channel: Channel, tab: Tab): string {
  return `browse-feed${channel.channelId}${tab.key}`
}
