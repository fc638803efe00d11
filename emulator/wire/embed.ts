/** The embed page, `/embed/ID`: what an embedded player has to have read there before it is answered (2026-03). */
import type { Call, JsonObject, PlatformReply, Site } from '../call.ts'
import { mintVisitorData } from './context.ts'
import { flagsOf } from './host-flags.ts'
import { htmlPage } from './html-page.ts'

const CLIENT = { clientName: 'WEB_EMBEDDED_PLAYER', clientVersion: '2.20260708.00.00' }

/** Returns the page for whoever is embedded in another site; for anybody else it is without the flags. */
export function embedReply(site: Site, call: Call, videoId: string): PlatformReply {
  const visitorData = mintVisitorData({ ...call, client: { name: CLIENT.clientName, version: '' } })
  const isEmbedded = isForeign(call.referer)
  const flags = isEmbedded ? { encryptedHostFlags: flagsOf(site, videoId) } : {}
  const config: JsonObject = {
    INNERTUBE_CLIENT_NAME: CLIENT.clientName,
    INNERTUBE_CLIENT_VERSION: CLIENT.clientVersion,
    INNERTUBE_CONTEXT: { client: { hl: 'en', gl: 'US', ...CLIENT, visitorData } },
    VISITOR_DATA: visitorData,
    WEB_PLAYER_CONTEXT_CONFIGS: {
      WEB_PLAYER_CONTEXT_CONFIG_ID_EMBEDDED_PLAYER: { rootElementId: 'movie_player', ...flags },
    },
  }
  return htmlPage({ title: 'YouTube', config, data: {} })
}

function isForeign(referer: string): boolean {
  const host = URL.parse(referer)?.hostname ?? ''
  return host !== '' && !/(?:^|\.)youtube\.com$/.test(host)
}
