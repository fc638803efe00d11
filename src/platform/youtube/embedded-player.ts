/**
 * The embedded player, which passes some age gates. Since 2026-03 it is answered only with the `encryptedHostFlags` of
 * the video's own embed page, asked for as from another site, and as the visitor of that page (yt-dlp).
 */
import type { WireRequest } from '../egress/connections.ts'
import type { ClientProfile } from './clients.ts'
import { type Call, pageHeaders, PLATFORM_HOST } from './innertube.ts'
import { isVisitorId } from './newest-visitor.ts'
import { isObstructed, type Obstructed, obstructed } from './obstacle.ts'
import { sendCall } from './send-call.ts'
import { sendRequest, type Understood } from './send-request.ts'
import type { Session } from './session.ts'

/** An embed page has 0.1 MB. */
const PAGE_BYTES_MAX = 1024 * 1024

type EmbedPage = { kind: 'page'; flags: string; visitorData: string }

/** Makes a player call as an embedded player: two requests, one where its page is refused. */
export async function callEmbedded<T extends Understood>(
  session: Session,
  { call, videoId, understand }: { call: Call; videoId: string; understand: (value: unknown) => T },
): Promise<T | Obstructed> {
  const page = await requestEmbedPage(session, videoId, call.client)
  if (isObstructed(page)) return page
  const contentPlaybackContext = {
    html5Preference: 'HTML5_PREF_WANTS',
    encryptedHostFlags: page.flags,
  }
  const body = { ...call.body, playbackContext: { contentPlaybackContext } }
  const { visitorData } = page
  return sendCall<T>(session, { call: { ...call, body }, visitorData, understand })
}

function requestEmbedPage(
  session: Session,
  videoId: string,
  client: ClientProfile,
): Promise<EmbedPage | Obstructed> {
  const referer = client.referer ?? client.embedUrl
  const request: WireRequest = {
    method: 'GET',
    origin: PLATFORM_HOST,
    path: `/embed/${videoId}`,
    headers: { ...pageHeaders(client), ...(referer === null ? {} : { referer }) },
    body: null,
    bytesMax: PAGE_BYTES_MAX,
  }
  return sendRequest<EmbedPage | Obstructed>(session, {
    request,
    tag: { call: 'embed', client: client.name },
    textBytesMax: PAGE_BYTES_MAX,
    isPage: true,
    read(body) {
      if (body.kind === 'obstructed') return body
      return body.kind === 'long' ? obstructed('too_large') : readEmbedPage(body.bytes.toString())
    },
  })
}

const FLAGS = /"encryptedHostFlags":("[^"]{1,4000}")/
const VISITOR = /"(?:VISITOR_DATA|visitorData)":("[^"]{1,500}")/

/** Reads the page of an embedded player; a page without flags and visitor is one that we do not know. */
function readEmbedPage(html: string): EmbedPage | Obstructed {
  const [flags, visitorData] = [FLAGS, VISITOR].map((form) => stringIn(form.exec(html)?.[1]))
  const isWhole = typeof flags === 'string' && typeof visitorData === 'string'
  return isWhole && isVisitorId(visitorData)
    ? { kind: 'page', flags, visitorData }
    : obstructed('embed_refused')
}

/** Returns the value of a JSON string in a script; null where it is none. */
function stringIn(literal: string | undefined): string | null {
  try {
    const value: unknown = literal === undefined ? null : JSON.parse(literal)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
