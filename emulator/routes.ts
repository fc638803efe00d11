/** The routes: which part of the platform answers each call. */
import {
  type Call,
  type CallKind,
  googleError,
  INVALID,
  json,
  NOT_FOUND,
  type Site,
  type PlatformReply,
} from './call.ts'
import { alertPage } from './wire/alerts.ts'
import { channelReply } from './wire/channel.ts'
import { channelPage } from './wire/grid.ts'
import { isTooOld, mintVisitorData, responseContext } from './wire/context.ts'
import { assetReply, nextReply, pageReply } from './wire/pages.ts'
import { playerReply, reelReply } from './wire/player.ts'
import { playlistPage, playlistReply } from './wire/playlist.ts'
import { resolveReply } from './wire/resolve.ts'
import { timedtextReply } from './wire/timedtext.ts'
import { pageOf } from './wire/tokens.ts'

const API: Readonly<Record<string, CallKind>> = {
  player: 'player',
  'reel/reel_item_watch': 'reel',
  browse: 'browse',
  next: 'next',
  'navigation/resolve_url': 'resolve_url',
  visitor_id: 'visitor_id',
  config: 'config',
}

export function kindOf(path: string): CallKind {
  if (path.startsWith('/youtubei/v1/')) return API[path.slice('/youtubei/v1/'.length)] ?? 'other'
  if (path === '/api/timedtext') return 'timedtext'
  if (path === '/sw.js_data' || path === '/iframe_api' || path.startsWith('/s/')) return 'asset'
  if (path.startsWith('/api/') || path === '/favicon.ico') return 'other'
  return 'page'
}

/** Calls that the platform refuses without a client in their context. */
const WANT_CLIENT: readonly CallKind[] = ['player', 'reel', 'browse', 'next', 'resolve_url']

export function replyTo(site: Site, call: Call): PlatformReply {
  if (WANT_CLIENT.includes(call.kind) && call.client.name === '') {
    return googleError(400, 'INVALID_ARGUMENT', INVALID)
  }
  switch (call.kind) {
    case 'player':
      return playerReply(site, call)
    case 'reel':
      return reelReply(site, call)
    case 'browse':
      return browseReply(site, call)
    case 'next':
      return nextReply(site, call)
    case 'resolve_url':
      return resolveReply(site, call)
    case 'visitor_id':
    case 'config':
      return json({ responseContext: responseContext(call) })
    case 'timedtext':
      return timedtextReply(site, call)
    case 'page':
      return pageReply(site, call)
    case 'asset':
      return assetReply(call)
    case 'other':
      return googleError(404, 'NOT_FOUND', NOT_FOUND)
    default:
      return call.kind satisfies never
  }
}

function browseReply(site: Site, asked: Call): PlatformReply {
  const { continuation, browseId } = asked.body
  const { freshVisitors } = site.settings
  const call = freshVisitors ? { ...asked, visitor: mintVisitorData(asked) } : asked
  if (typeof continuation === 'string') {
    const page = pageOf(continuation)
    if (page === null) return googleError(400, 'INVALID_ARGUMENT', INVALID)
    if (freshVisitors && page.since !== undefined && isTooOld(asked, page.since))
      return json({ responseContext: responseContext(call) })
    if (page.browseId.startsWith('VL')) return playlistPage(site, call, page)
    const channel = site.world.channelById(page.browseId)
    return channel === null
      ? json({ responseContext: responseContext(call) })
      : channelPage(site, call, channel, page)
  }
  if (typeof browseId !== 'string') return googleError(400, 'INVALID_ARGUMENT', INVALID)
  if (browseId.startsWith('VL')) return playlistReply(site, call, browseId.slice(2))
  if (!/^UC[\w-]{22}$/.test(browseId)) return googleError(400, 'INVALID_ARGUMENT', INVALID)
  const channel = site.world.channelById(browseId)
  return channel === null
    ? alertPage(call, 'This channel does not exist.')
    : channelReply(site, call, channel)
}
