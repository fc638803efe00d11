/** InnerTube, the platform's own API: how its calls are written. */
import type { WireRequest } from '../egress/connections.ts'
import type { ClientProfile } from './clients.ts'

export const PLATFORM_HOST = 'https://www.youtube.com'

const PATHS = {
  player: 'player',
  date: 'player',
  browse: 'browse',
  resolve_url: 'navigation/resolve_url',
  visitor_id: 'visitor_id',
}

export type Call = {
  name: keyof typeof PATHS
  client: ClientProfile
  /** The body without `context`. */
  body: Readonly<Record<string, unknown>>
  /** The value of `$fields`, or null for the whole reply. */
  fields: string | null
}

/** How a video is asked about: as which client, with or without a field mask. */
export type AskingAs = { client: ClientProfile; isMasked: boolean }

export type CallName = Call['name'] | 'timedtext' | 'embed'

/** Facts of a video that come with the captions at no cost; the category comes with the date. */
const DETAILS = ['lengthSeconds', 'channelId', 'viewCount', 'keywords', 'shortDescription']

/** The fields of a `player` reply that are read; unmasked it is 65 KB, mostly addresses of streams. */
export const PLAYER_FIELDS = [
  'playabilityStatus',
  'captions.playerCaptionsTracklistRenderer.captionTracks',
  'captions.playerCaptionsTracklistRenderer.audioTracks',
  'captions.playerCaptionsTracklistRenderer.defaultAudioTrackIndex',
  ...['videoId', 'title', 'author', 'isLive', 'isPostLiveDvr', 'isUpcoming', ...DETAILS].map(
    (field) => `videoDetails.${field}`,
  ),
].join(',')

export const DATE_FIELDS = [
  'microformat.playerMicroformatRenderer.publishDate',
  'microformat.playerMicroformatRenderer.uploadDate',
  'microformat.playerMicroformatRenderer.category',
  'microformat.playerMicroformatRenderer.title.simpleText',
  'microformat.playerMicroformatRenderer.ownerChannelName',
  'videoDetails.videoId',
  // Without its words, a refusal for everybody looks like that of a private video.
  ...['status', 'reason', 'messages', 'errorScreen'].map((field) => `playabilityStatus.${field}`),
].join(',')

/** Writes a call. It asks for English, whatever the exit's country, since texts of replies are matched in English. */
export function writeCall(
  { name, client, body, fields }: Call,
  { visitorData, bytesMax }: { visitorData: string | null; bytesMax: number },
): WireRequest {
  const { host = 'www.youtube.com', origin = PLATFORM_HOST, referer = null } = client
  const identity = visitorData === null ? {} : { visitorData }
  const context = {
    client: { ...client.context, hl: 'en', gl: 'US', utcOffsetMinutes: 0, ...identity },
    user: { lockedSafetyMode: false },
    request: { useSsl: true },
    ...(client.embedUrl === null ? {} : { thirdParty: { embedUrl: client.embedUrl } }),
  }
  const mask = fields === null ? '' : `&$fields=${fields}`
  return {
    method: 'POST',
    origin: `https://${host}`,
    path: `/youtubei/v1/${PATHS[name]}?prettyPrint=false${mask}`,
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'gzip, br',
      'accept-language': 'en',
      'user-agent': client.userAgent,
      ...(origin === null ? {} : { origin }),
      ...(referer === null ? {} : { referer }),
      'x-youtube-client-name': String(client.headerId),
      'x-youtube-client-version': String(client.context.clientVersion),
      ...(visitorData === null ? {} : { 'x-goog-visitor-id': visitorData }),
    },
    body: JSON.stringify({ context, ...body }),
    bytesMax,
  }
}

/** The headers of what a page asks for by GET. */
export function pageHeaders({ userAgent }: ClientProfile): Record<string, string> {
  return { 'accept-encoding': 'gzip, br', 'accept-language': 'en', 'user-agent': userAgent }
}

/** Returns the body of a player call; `token` is a token of proof, null for none. */
export function playerBody(videoId: string, token: string | null = null): Call['body'] {
  const proof = token === null ? {} : { serviceIntegrityDimensions: { poToken: token } }
  return { videoId, contentCheckOk: true, racyCheckOk: true, ...proof }
}
