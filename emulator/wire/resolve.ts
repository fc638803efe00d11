/** The answer to POST navigation/resolve_url: where an address of the platform leads. */
import {
  type Call,
  googleError,
  json,
  type JsonObject,
  NOT_FOUND,
  type Site,
  type PlatformReply,
} from '../call.ts'
import type { Channel } from '../model.ts'
import { responseContext } from './context.ts'
import { TABS } from './grid.ts'
import { LIST_TABS } from './list-tabs.ts'

const HOP = { from: '@oldname', to: 'https://www.youtube.com/oldcustomname' }
const FEATURED = 'EgC4AQCSAwDyBgQKAjIA'

export function resolveReply(site: Site, call: Call): PlatformReply {
  const url = readUrl(String(call.body.url ?? ''))
  if (url === null) return googleError(404, 'NOT_FOUND', NOT_FOUND)
  const endpoint = endpointOf(site, url)
  if (endpoint === null) return googleError(404, 'NOT_FOUND', NOT_FOUND)
  return json({ responseContext: responseContext(call), endpoint })
}

/** Returns the channel and the tab of an address, or null where it leads nowhere. */
export function channelAt(site: Site, pathname: string): { channel: Channel; tab: string } | null {
  const segments = unescaped(pathname)
    .split('/')
    .filter((segment) => segment !== '')
  const [first = '', second = ''] = segments
  const isPrefixed = ['c', 'user', 'channel'].includes(first)
  const tab = (isPrefixed ? segments[2] : second) ?? ''
  const channel =
    first === 'channel'
      ? site.world.channelById(second)
      : site.world.channelByName(
          first.startsWith('@') ? first : `/${isPrefixed ? `${first}/${second}` : first}`,
        )
  return channel === null ? null : { channel, tab }
}

function endpointOf(site: Site, url: URL): JsonObject | null {
  const videoId = url.pathname === '/watch' ? url.searchParams.get('v') : null
  if (videoId !== null) {
    return {
      commandMetadata: metadata(url.pathname, 'WEB_PAGE_TYPE_WATCH'),
      watchEndpoint: { videoId },
    }
  }
  const list = url.pathname === '/playlist' ? url.searchParams.get('list') : null
  if (list !== null) {
    return {
      commandMetadata: metadata(url.pathname, 'WEB_PAGE_TYPE_PLAYLIST'),
      browseEndpoint: { browseId: `VL${list}` },
    }
  }
  if (unescaped(url.pathname).toLowerCase().startsWith(`/${HOP.from}`)) {
    return {
      commandMetadata: metadata(HOP.to, 'WEB_PAGE_TYPE_UNKNOWN'),
      urlEndpoint: { url: HOP.to, target: 'TARGET_NEW_WINDOW' },
    }
  }
  const found = channelAt(site, url.pathname)
  if (found === null) return null
  const onAir = found.tab === 'live' ? streamOnAir(site, found.channel) : null
  if (onAir !== null) {
    const page = metadata(`/watch?v=${onAir}`, 'WEB_PAGE_TYPE_WATCH')
    return { commandMetadata: page, watchEndpoint: { videoId: onAir } }
  }
  const tabs = [...TABS, ...LIST_TABS]
  const params = tabs.find(({ key }) => key === found.tab)?.params ?? FEATURED
  return {
    commandMetadata: metadata(url.pathname, 'WEB_PAGE_TYPE_CHANNEL'),
    browseEndpoint: {
      browseId: found.channel.channelId,
      params,
      canonicalBaseUrl: `/${found.channel.handle ?? ''}`,
    },
  }
}

/** Returns the video to which `/@handle/live` leads: the newest stream where it is on air, otherwise null. */
function streamOnAir(site: Site, channel: Channel): string | null {
  const streams = site.world.uploads(channel, 'live')
  const newest = streams.length === 0 ? null : streams.at(0)
  return newest?.state === 'live_now' ? newest.videoId : null
}

function metadata(url: string, webPageType: string): JsonObject {
  return { webCommandMetadata: { url, webPageType, rootVe: 3611, apiUrl: '/youtubei/v1/browse' } }
}

function readUrl(text: string): URL | null {
  return URL.canParse(text, 'https://www.youtube.com')
    ? new URL(text, 'https://www.youtube.com')
    : null
}

export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
