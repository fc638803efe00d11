/** The answers to POST player and reel/reel_item_watch: one video for one client. */
import {
  type Call,
  googleError,
  INVALID,
  isWeb,
  json,
  type JsonObject,
  type Site,
  type PlatformReply,
} from '../call.ts'
import { looksLikeVideoId } from '../ids.ts'
import type { Video } from '../model.ts'
import { publishDateOf } from '../truth.ts'
import { responseContext, thumbnailOf } from './context.ts'
import { captionsOf } from './tracks.ts'
import { BOT_CHECK, OPEN_COUNTRIES, UNKNOWN_VIDEO, type Verdict, verdictOn } from './verdicts.ts'

const COUNTRIES = (
  'AD AE AR AT AU BA BE BG BO BR CA CH CL CN CO CR CY CZ DE DK DO DZ EC EE EG ES FI FR GB GE GH ' +
  'GR GT HK HN HR HU ID IE IL ' +
  'IN IQ IS IT JM JO JP KE KR KW KZ LB LI LK LT LU LV LY MA MK MT MX MY NG NI NL NO NP NZ OM PA ' +
  'PE PH PK PL PT PY QA RO RS ' +
  'RU SA SE SG SI SK SN SV TH TN TR TW TZ UA UG US UY UZ VE VN YE ZA ZM ZW'
).split(' ')

export function playerReply(site: Site, call: Call): PlatformReply {
  if (!looksLikeVideoId(call.videoId)) return googleError(400, 'INVALID_ARGUMENT', INVALID)
  return json(playerResponse(site, call))
}

/** The answer of the app's Shorts player: the player's answer inside `playerResponse`, empty for unknown ids. */
export function reelReply(site: Site, call: Call): PlatformReply {
  const video = site.world.video(call.videoId)
  if (video === null || video.state === 'not_found') return json({})
  return json({ playerResponse: playerResponse(site, call) })
}

export function playerResponse(site: Site, call: Call): JsonObject {
  const video = site.world.video(call.videoId)
  const wantsVisitor = site.settings.visitorWanted.includes(call.client.name)
  if (wantsVisitor && call.visitor === '') return refusal(call, BOT_CHECK)
  if (video === null) return refusal(call, UNKNOWN_VIDEO)

  return judged(site, call, { video, verdict: verdictOn(site, call, video) })
}

/** Returns the answer about a video with that verdict on it. */
export function judged(
  site: Site,
  call: Call,
  { video, verdict }: { video: Video; verdict: Verdict },
): JsonObject {
  const captions = verdict.plays ? captionsOf(site, call, video) : null
  const microformat = isWeb(call.client.name) && isKnown(video) ? microformatOf(video) : null
  return {
    responseContext: responseContext(call),
    playabilityStatus: verdict.status,
    ...(verdict.plays ? { streamingData: streamingData(call, video) } : {}),
    ...(captions === null ? {} : { captions }),
    ...(verdict.showsDetails ? { videoDetails: videoDetails(video) } : {}),
    ...(microformat === null ? {} : { microformat }),
    trackingParams: 'CAAQu2kiEwib',
  }
}

/** Returns an answer without facts, for an unknown video or a caller that is not trusted. */
export function refusal(call: Call, verdict: Verdict): JsonObject {
  return {
    responseContext: responseContext(call),
    playabilityStatus: verdict.status,
    trackingParams: 'CAAQu2kiEwib',
  }
}

const NAMELESS = [
  'private',
  'not_found',
  'removed_by_uploader',
  'removed_violation',
  'account_terminated',
]

/** Whether the platform tells the video's title and channel. */
export function isKnown(video: Video): boolean {
  return !NAMELESS.includes(video.state)
}

export function videoDetails(video: Video): JsonObject {
  const { videoId, channel, state } = video
  return {
    videoId,
    title: video.title,
    lengthSeconds: String(Math.floor(video.durationMs / 1000)),
    ...(state === 'live_now' ? { isLive: true } : {}),
    ...(state.startsWith('upcoming') ? { isUpcoming: true } : {}),
    ...(state === 'post_live' ? { isPostLiveDvr: true } : {}),
    channelId: channel.channelId,
    isOwnerViewing: false,
    keywords: keywordsOf(video),
    shortDescription: descriptionOf(video),
    isCrawlable: video.isListed,
    thumbnail: thumbnailOf(videoId),
    allowRatings: true,
    viewCount: String(video.views),
    author: channel.title,
    isPrivate: false,
    isUnpluggedCorpus: false,
    isLiveContent: video.kind === 'live' || state === 'live_now',
    isTvfilmVideo: false,
  }
}

/**
 * Returns keywords for every second upload; on the real platform, too, the field is missing where an uploader names
 * none.
 */
function keywordsOf({ channel, upload }: Video): string[] {
  return upload % 2 === 0 ? [channel.title, `part ${upload + 1}`] : []
}

const PARTS = ['Opening', 'What it is about', 'The end']
/** The shortest video with chapters: three parts of at least ten seconds. */
const CHAPTERED_MS_MIN = 40_000

/** Returns a description, which has chapters in every third upload that is long enough. */
function descriptionOf({ channel, upload, durationMs }: Video): string {
  const first = `An upload of ${channel.title}.`
  if (upload % 3 !== 0 || durationMs < CHAPTERED_MS_MIN) return first
  const lines = PARTS.map((title, part) => `${clock((durationMs * part) / PARTS.length)} ${title}`)
  return `${first}\n\n${lines.join('\n')}\n\nThank you for watching.`
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const tail = String(seconds % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`
}

/** Returns the microformat, the only place of the exact publish date, which only web clients get. */
function microformatOf(video: Video): JsonObject {
  const { videoId, channel } = video
  const publishDate = publishDateOf(video)
  const { publishedMs } = video
  const isLive = video.state === 'live_now'
  const page = video.kind === 'short' ? 'shorts/' : 'watch?v='
  const broadcast = {
    isLiveNow: isLive,
    startTimestamp: new Date(publishedMs).toISOString().replace(/\.\d+Z$/, '+00:00'),
    ...(isLive
      ? {}
      : {
          endTimestamp: new Date(publishedMs + video.durationMs)
            .toISOString()
            .replace(/\.\d+Z$/, '+00:00'),
        }),
  }
  return {
    playerMicroformatRenderer: {
      thumbnail: thumbnailOf(videoId),
      embed: { iframeUrl: `https://www.youtube.com/embed/${videoId}`, width: 1280, height: 720 },
      title: { simpleText: video.title },
      description: { simpleText: descriptionOf(video) },
      lengthSeconds: String(Math.floor(video.durationMs / 1000)),
      ownerProfileUrl: `http://www.youtube.com/${channel.handle ?? `channel/${channel.channelId}`}`,
      externalChannelId: channel.channelId,
      isFamilySafe: !video.state.startsWith('age_'),
      availableCountries: video.state === 'region' ? OPEN_COUNTRIES : COUNTRIES,
      isUnlisted: !video.isListed,
      hasYpcMetadata: false,
      viewCount: String(video.views),
      category: 'Education',
      publishDate,
      ownerChannelName: channel.title,
      ...(video.kind === 'live' ? { liveBroadcastDetails: broadcast } : {}),
      uploadDate: publishDate,
      isShortsEligible: video.kind === 'short',
      externalVideoId: videoId,
      canonicalUrl: `https://www.youtube.com/${page}${videoId}`,
    },
  }
}

/** Returns enough that a client which looks for a format finds one; no media is served. */
function streamingData(call: Call, video: Video): JsonObject {
  const expire = Math.floor(call.nowMs / 1000) + 21_540
  const query = `expire=${expire}&id=${video.videoId}&itag=18`
  const url = `https://rr1---sn-emulated.googlevideo.com/videoplayback?${query}`
  const format = {
    itag: 18,
    url,
    mimeType: 'video/mp4; codecs="avc1.42001E, mp4a.40.2"',
    bitrate: 503_000,
    width: 640,
    height: 360,
    quality: 'medium',
    fps: 30,
    qualityLabel: '360p',
    approxDurationMs: String(video.durationMs),
    audioSampleRate: '44100',
    audioChannels: 2,
  }
  return { expiresInSeconds: '21540', formats: [format], adaptiveFormats: [] }
}
