/** HTML pages for GET: watch, Shorts, embed, playlist and channel pages, with their initial data. */
import { type Call, json, type JsonObject, type Site, type PlatformReply } from '../call.ts'
import { responseContext, runs, thumbnailOf } from './context.ts'
import { channelReply } from './channel.ts'
import { embedReply } from './embed.ts'
import { htmlPage } from './html-page.ts'
import { TABS } from './grid.ts'
import { isKnown, playerResponse } from './player.ts'
import { playlistReply } from './playlist.ts'
import { channelAt } from './resolve.ts'
import { dateText } from './words.ts'

const API_KEY = 'AIzaSyEmulated0000000000000000000000000'
const PLAYER_PATH = '/s/player/00000000/player_ias.vflset/en_US/base.js'
export const WEB_VERSION = '2.20260708.00.00'

/** Returns a page, which is WEB's, whatever client asks. */
export function pageReply(site: Site, call: Call): PlatformReply {
  const asWeb: Call = { ...call, client: { name: 'WEB', version: WEB_VERSION } }
  const [, first = '', second = ''] = call.path.split('/')
  if (first === 'embed') return embedReply(site, call, second)
  const videoId =
    first === 'watch'
      ? (call.query.get('v') ?? '')
      : ['shorts', 'live', 'v'].includes(first)
        ? second
        : null
  if (videoId !== null) return watchPage(site, { ...asWeb, videoId })
  const list = first === 'playlist' ? call.query.get('list') : null
  if (list !== null)
    return page(asWeb, { ytInitialData: playlistReply(site, asWeb, list).body as JsonObject })

  const found = channelAt(site, call.path)
  if (found === null)
    return {
      status: 404,
      type: 'html',
      body: '<!DOCTYPE html><html><title>404 Not Found</title></html>',
    }
  const params = TABS.find(({ key }) => key === found.tab)?.params ?? ''
  const data = channelReply(site, { ...asWeb, body: { params } }, found.channel).body as JsonObject
  return page(asWeb, { ytInitialData: data })
}

function watchPage(site: Site, call: Call): PlatformReply {
  const player = playerResponse(site, call)
  const details = player.videoDetails as { title?: string } | undefined
  const ytInitialData = nextReply(site, call).body as JsonObject
  return page(call, { ytInitialPlayerResponse: player, ytInitialData }, details?.title)
}

/** The answer to POST next: what is shown below the player; nothing for a hidden video. */
export function nextReply(site: Site, call: Call): PlatformReply {
  const context = { responseContext: responseContext(call) }
  const video = site.world.video(call.videoId)
  if (video === null || !isKnown(video))
    return json({ ...context, contents: { twoColumnWatchNextResults: {} } })
  const { channel } = video
  const browseEndpoint = {
    browseId: channel.channelId,
    canonicalBaseUrl: `/${channel.handle ?? ''}`,
  }
  const title = { runs: [{ text: channel.title, navigationEndpoint: { browseEndpoint } }] }
  const videoOwnerRenderer = {
    title,
    navigationEndpoint: { browseEndpoint },
    thumbnail: thumbnailOf('avatar'),
  }
  const primary = {
    title: runs(video.title),
    relativeDateText: { simpleText: dateText(video, call.nowMs) },
  }
  const contents = [
    { videoPrimaryInfoRenderer: primary },
    { videoSecondaryInfoRenderer: { owner: { videoOwnerRenderer } } },
  ]
  return json({
    ...context,
    contents: { twoColumnWatchNextResults: { results: { results: { contents } } } },
  })
}

function page(
  call: Call,
  data: Readonly<Record<string, JsonObject>>,
  title = 'YouTube',
): PlatformReply {
  const visitorData = (responseContext(call).visitorData as string) ?? ''
  const config = {
    INNERTUBE_API_KEY: API_KEY,
    INNERTUBE_API_VERSION: 'v1',
    INNERTUBE_CLIENT_NAME: 'WEB',
    INNERTUBE_CLIENT_VERSION: WEB_VERSION,
    INNERTUBE_CONTEXT_CLIENT_NAME: 1,
    INNERTUBE_CONTEXT: {
      client: { hl: 'en', gl: 'US', clientName: 'WEB', clientVersion: WEB_VERSION, visitorData },
    },
    VISITOR_DATA: visitorData,
    PLAYER_JS_URL: PLAYER_PATH,
    STS: 20640,
    LOGGED_IN: false,
  }
  return htmlPage({ title: `${title} - YouTube`, config, data })
}

/** Returns scripts that web clients load before they start. */
export function assetReply(call: Call): PlatformReply {
  if (call.path === '/iframe_api') {
    const body =
      'var scriptUrl = ' +
      "'https:\\/\\/www.youtube.com\\/s\\/player\\/00000000\\/www-widgetapi.js';"
    return { status: 200, type: 'script', body }
  }
  if (call.path === '/sw.js_data')
    return { status: 200, type: 'json', body: `)]}'\n${JSON.stringify(sessionData(call))}` }
  return {
    status: 200,
    type: 'script',
    body: 'var _yt_player={};(function(g){var signatureTimestamp=20640;})(_yt_player);',
  }
}

/** Returns the nested arrays from which the web client's service worker reads its session. */
function sessionData(call: Call): unknown[] {
  const visitorData = responseContext(call).visitorData
  const device: unknown[] = []
  device[0] = 'en'
  device[2] = 'US'
  device[3] = call.identity
  device[11] = 'UTC'
  device[13] = visitorData
  device[16] = WEB_VERSION
  device[17] = 'X11'
  device[18] = ''
  device[61] = ''
  device[79] = 'UTC'
  device[86] = 'Chrome'
  device[87] = '140.0.0.0'
  device[103] = visitorData
  const filled = Array.from(device, (value) => value ?? null)
  return [['yt.sw.adr', null, [[filled, API_KEY]]]]
}
