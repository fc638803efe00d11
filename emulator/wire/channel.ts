/** The answer to POST browse for a channel: its tabs, their pages, and the chips that sort them. */
import {
  type Call,
  columnsOf,
  json,
  type JsonObject,
  type Site,
  type PlatformReply,
} from '../call.ts'
import type { Channel } from '../model.ts'
import { alertPage } from './alerts.ts'
import { header, homeContent, metadata } from './channel-frame.ts'
import { responseContext } from './context.ts'
import { grid, TABS } from './grid.ts'
import { LIST_TABS, listGrid, listTabsOf } from './list-tabs.ts'

const HOME_PARAMS = 'EghmZWF0dXJlZPIGBAoCMgA%3D'

export function channelReply(site: Site, call: Call, channel: Channel): PlatformReply {
  if (channel.state === 'terminated')
    return alertPage(
      call,
      'This account has been terminated for a violation of our Terms of Service.',
    )
  if (channel.state === 'removed')
    return alertPage(call, 'This channel was removed because it violated our Community Guidelines.')
  if (channel.state === 'moved') return movedTo(call, site.world.channel('small'))

  const lists = TABS.map((tab) => ({ tab, list: site.world.uploads(channel, tab.kind) })).filter(
    ({ list }) => list.length > 0,
  )
  const asked = tabAsked(String(call.body.params ?? ''))
  const chosen = lists.find(({ tab }) => tab.key === asked) ?? null
  const ofLists = listTabsOf(channel)
  const chosenLists = ofLists.find(({ key }) => key === asked) ?? null
  const tabs = [
    tabRenderer(
      channel,
      'Home',
      HOME_PARAMS,
      chosen === null && chosenLists === null ? homeContent(site, call, channel) : null,
    ),
    ...lists.map(({ tab, list }) =>
      tabRenderer(
        channel,
        tab.title,
        tab.params,
        tab === chosen?.tab ? grid(site, call, channel, tab, list) : null,
      ),
    ),
    ...ofLists.map((tab) =>
      tabRenderer(
        channel,
        tab.title,
        tab.params,
        tab === chosenLists ? listGrid(site, call, tab) : null,
      ),
    ),
  ]
  return json({
    responseContext: responseContext(call),
    contents: columnsOf(call, tabs),
    header: header(channel),
    metadata: { channelMetadataRenderer: metadata(channel) },
    trackingParams: 'CAAQhGciEwib',
    microformat: {
      microformatDataRenderer: {
        urlCanonical: `https://www.youtube.com/channel/${channel.channelId}`,
        title: channel.title,
        noindex: false,
        unlisted: false,
        familySafe: true,
      },
    },
  })
}

/** Returns the tab that is asked for: `params` is base64 that contains its name, also in older forms. */
function tabAsked(params: string): string {
  const text = Buffer.from(params.replace(/%3D/gi, '='), 'base64url').toString('latin1')
  return [...TABS, ...LIST_TABS].find(({ key }) => text.includes(key))?.key ?? 'home'
}

function tabRenderer(
  channel: Channel,
  title: string,
  params: string,
  content: JsonObject | null,
): JsonObject {
  const path = channel.handle ?? `channel/${channel.channelId}`
  const segment = title === 'Home' ? 'featured' : title === 'Live' ? 'streams' : title.toLowerCase()
  const url = `/${path}/${segment}`
  return {
    tabRenderer: {
      endpoint: {
        commandMetadata: {
          webCommandMetadata: {
            url,
            webPageType: 'WEB_PAGE_TYPE_CHANNEL',
            apiUrl: '/youtubei/v1/browse',
          },
        },
        browseEndpoint: { browseId: channel.channelId, params, canonicalBaseUrl: `/${path}` },
      },
      title,
      ...(content === null ? {} : { selected: true, content }),
      trackingParams: 'CCAQ8JMBGAEiEwib',
    },
  }
}

function movedTo(call: Call, channel: Channel): PlatformReply {
  const endpoint = {
    commandMetadata: {
      webCommandMetadata: {
        url: `/channel/${channel.channelId}`,
        webPageType: 'WEB_PAGE_TYPE_CHANNEL',
      },
    },
    browseEndpoint: { browseId: channel.channelId },
  }
  return json({
    responseContext: responseContext(call),
    onResponseReceivedActions: [{ navigateAction: { endpoint } }],
  })
}
