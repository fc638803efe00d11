/** Reads one client's `player` reply as tracks, a cause, or an obstacle. It is pure, and never a verdict alone. */
import { NO_DETAILS } from '../../model/library/video-details.ts'
import type { CaptionTrack, TrackList } from '../../model/transcripts/caption-track.ts'
import type { RefusalReason } from '../../model/platform/refusal.ts'
import type { NamedFacts } from '../platform.ts'
import { type NamedObstacle, obstacle } from './obstacle.ts'
import { at, labelAt, listAt, textAt } from './json.ts'
import { isSameVideo } from '../../model/platform/source-link.ts'
import { detailsOf, videoTracksOf } from './video-details.ts'

/** A definite cause; another client has to bear it out (verdict.ts). */
type Cause = Exclude<
  RefusalReason,
  'no_captions' | 'live_now' | 'processing' | 'language_not_available' | 'not_found'
>

export type PlayerAnswer =
  | { kind: 'tracks'; facts: NamedFacts; list: TrackList }
  /** The video is playable without tracks; `air` says whether a broadcast explains that. */
  | { kind: 'no_tracks'; facts: NamedFacts; air: 'no' | 'live_now' | 'processing' }
  | { kind: 'cause'; facts: NamedFacts; cause: Cause; text: string | null }
  /** The client says "not available" without a cause; some clients say so about videos that others play. */
  | { kind: 'not_available'; facts: NamedFacts; text: string | null }
  | { kind: 'obstructed'; facts: NamedFacts; obstacle: NamedObstacle }

export const NO_NAMES: NamedFacts = {
  title: null,
  channelName: null,
  canonicalId: null,
  startsAt: null,
  details: NO_DETAILS,
}

/** Texts of blocks: substrings of `reason`, `messages` and `subreason` in lower case, requested with `hl: en`. */
const BLOCK_TEXTS: [
  string,
  'bot_check' | 'session_limit' | 'reload' | 'retired' | 'not_embeddable' | 'embed_refused',
][] = [
  ["confirm you're not a bot", 'bot_check'],
  ['helps protect our community', 'bot_check'],
  ["content isn't available, try again later", 'session_limit'],
  ['the page needs to be reloaded', 'reload'],
  ['playback on other websites has been disabled', 'not_embeddable'],
  // "Error code: 152 - 18" (2026-02) and "Watch on YouTube. Error 153".
  ...['error 152', 'error code: 152', 'error 153', 'error code: 153'].map(
    (words): [string, 'embed_refused'] => [words, 'embed_refused'],
  ),
  // This was the subreason of "This video is unavailable" for every video at once (2023-04, again 2025-08).
  ['latest version of youtube', 'retired'],
  ['not available on this app', 'retired'],
]

/** Texts of causes known by 2026-10; the first match names the cause. */
const CAUSE_TEXTS: [string, Cause][] = [
  ['video is private', 'private'],
  ['private video', 'private'],
  ['inappropriate for some users', 'age_restricted'],
  ['confirm your age', 'age_restricted'],
  ['age-restricted', 'age_restricted'],
  ['age restricted', 'age_restricted'],
  ["channel's members", 'members_only'],
  ['members-only', 'members_only'],
  ['join this channel', 'members_only'],
  ['music premium', 'paid'],
  ['requires payment', 'paid'],
  ['payment to watch', 'paid'],
  ['purchase', 'paid'],
  // These come before "in your country", which the text on hate speech also has: "… combating hate speech in your
  // country."
  ['has been removed for violating', 'removed'],
  ['hate speech', 'removed'],
  ['in your country', 'region_blocked'],
  ['in your location', 'region_blocked'],
  ['in your region', 'region_blocked'],
  ['has been removed', 'removed'],
  ['was removed', 'removed'],
  ['has been terminated', 'removed'],
  ['account was terminated', 'removed'],
  ['no longer available because', 'removed'],
  ['removed by the uploader', 'removed'],
  ['copyright claim', 'removed'],
  ['on copyright grounds', 'removed'],
  ['live stream recording is not available', 'removed'],
]
/**
 * Texts that say that there is nothing to fetch yet; also with status OK (2024-08). They count once two clients say so.
 */
const PROCESSING_TEXTS = ["we're processing this video", 'this live event has ended']
/** The last second that a Date can hold. */
const SECONDS_MAX = 8.64e12
const OUTDATED_STATUS = 'CONTENT_NOT_AVAILABLE_IN_THIS_APP'
const AGE_STATUSES = new Set(['AGE_CHECK_REQUIRED', 'AGE_VERIFICATION_REQUIRED'])
const NOT_AVAILABLE =
  /^(?:this )?video (?:(?:is )?(?:unavailable|not available|no longer available)|isn't available)(?: anymore)?\.?$/

export function readPlayer(reply: unknown, videoId: string): PlayerAnswer {
  const named = textAt(reply, 'videoDetails', 'videoId')
  if (named !== null && !isSameVideo(named, videoId))
    return stopped(obstacle('decoy', { fact: named }), NO_NAMES)
  const facts = {
    title: labelAt(reply, 'videoDetails', 'title'),
    channelName: labelAt(reply, 'videoDetails', 'author'),
    canonicalId: named === videoId ? null : named,
    startsAt: startOf(reply),
    details: detailsOf(reply),
  }

  const playability = at(reply, 'playabilityStatus')
  const status = textAt(playability, 'status')
  if (at(playability, 'errorScreen', 'playerCaptchaViewModel') !== undefined) {
    return stopped(obstacle('captcha'), facts)
  }
  if (status === null) {
    // `reel_item_watch` and masked replies are `{}` for an id that does not exist.
    return stopped(obstacle('unreadable'), facts)
  }
  return status === 'OK' ? readPlayable(reply, facts) : readRefused(reply, status, facts)
}

function readPlayable(reply: unknown, facts: NamedFacts): PlayerAnswer {
  const list = trackListOf(reply)
  if (list.tracks.length > 0) {
    const details = { ...facts.details, tracks: videoTracksOf(list) }
    return { kind: 'tracks', facts: { ...facts, details }, list }
  }
  // A stream that ended may say so beside the status OK (2023-05).
  const text = statedReasons(at(reply, 'playabilityStatus'))
  const cause = causeIn(text)
  const said = labelAt(reply, 'playabilityStatus', 'reason')
  if (cause !== null) return { kind: 'cause', facts, cause, text: said }
  if (isProcessing(text)) return { kind: 'no_tracks', facts, air: 'processing' }
  const details = at(reply, 'videoDetails')
  const isLive = at(details, 'isLive') === true
  const hasEnded = at(details, 'isPostLiveDvr') === true
  return { kind: 'no_tracks', facts, air: isLive ? 'live_now' : hasEnded ? 'processing' : 'no' }
}

function readRefused(reply: unknown, status: string, facts: NamedFacts): PlayerAnswer {
  const playability = at(reply, 'playabilityStatus')
  const reason = labelAt(playability, 'reason') ?? labelAt(playability, 'messages', 0)
  const text = statedReasons(playability)
  const block = BLOCK_TEXTS.find(([words]) => text.includes(words))
  if (block !== undefined) return stopped(obstacle(block[1], { said: reason }), facts)

  if (status === OUTDATED_STATUS) return stopped(obstacle('retired', { said: reason }), facts)
  if (isProcessing(text)) return { kind: 'no_tracks', facts, air: 'processing' }
  const cause = causeOf(reply, status, text)
  if (cause !== null) return { kind: 'cause', facts, cause, text: reason }

  const subreason = labelAt(playability, 'errorScreen', 'playerErrorMessageRenderer', 'subreason')
  const isPlainNo = status === 'ERROR' || status === 'UNPLAYABLE'
  // The text beneath a plain no may change its meaning, so it has to be known as well.
  if (isPlainNo && isNotAvailable(reason) && (subreason === null || isNotAvailable(subreason))) {
    return { kind: 'not_available', facts, text: reason }
  }
  const said = [reason ?? status, subreason].filter((part) => part !== null).join(' ')
  return stopped(obstacle(status === 'LOGIN_REQUIRED' ? 'sign_in' : 'unknown', { said }), facts)
}

function isNotAvailable(text: string | null): boolean {
  return NOT_AVAILABLE.test(plain(text ?? '').trim())
}

function isProcessing(text: string): boolean {
  return PROCESSING_TEXTS.some((words) => text.includes(words))
}

function causeOf(reply: unknown, status: string, text: string): Cause | null {
  const playability = at(reply, 'playabilityStatus')
  const isGated = at(playability, 'desktopLegacyAgeGateReason') !== undefined
  if (isGated || AGE_STATUSES.has(status)) return 'age_restricted'
  const isUpcoming = at(reply, 'videoDetails', 'isUpcoming') === true
  if (status !== 'LIVE_STREAM_OFFLINE' && !isUpcoming) return causeIn(text)
  const isScheduled = scheduleOf(reply) !== undefined
  return isUpcoming || isScheduled || /will begin|premieres/.test(text) ? 'upcoming' : null
}

function scheduleOf(reply: unknown): unknown {
  const stream = at(reply, 'playabilityStatus', 'liveStreamability', 'liveStreamabilityRenderer')
  return at(stream, 'offlineSlate', 'liveStreamOfflineSlateRenderer', 'scheduledStartTime')
}

/** Returns the announced beginning, which the platform writes as seconds in a string; null where none is readable. */
function startOf(reply: unknown): Date | null {
  const seconds = Number(scheduleOf(reply) ?? NaN)
  return seconds > 0 && seconds <= SECONDS_MAX ? new Date(seconds * 1000) : null
}

function causeIn(text: string): Cause | null {
  return CAUSE_TEXTS.find(([words]) => text.includes(words))?.[1] ?? null
}

/** Returns everything that the reply says in words, made plain. */
function statedReasons(playability: unknown): string {
  const screen = at(playability, 'errorScreen', 'playerErrorMessageRenderer')
  const said = [
    labelAt(playability, 'reason'),
    ...listAt(playability, 'messages').map((message) => labelAt(message)),
    labelAt(screen, 'reason'),
    labelAt(screen, 'subreason'),
  ]
  return plain(said.filter((each) => each !== null).join(' · '))
}

/** Returns the text in lower case with plain apostrophes, since U+2019 comes and goes. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}

function stopped(found: NamedObstacle, facts: NamedFacts): PlayerAnswer {
  return { kind: 'obstructed', facts, obstacle: found }
}

function trackListOf(reply: unknown): TrackList {
  const captions = at(reply, 'captions', 'playerCaptionsTracklistRenderer')
  const listed = listAt(captions, 'captionTracks').map(trackOf)
  const tracks = listed.filter((track) => track !== null)
  const sounds = listAt(captions, 'audioTracks')
  const shown = at(captions, 'defaultAudioTrackIndex')
  const sound = sounds[typeof shown === 'number' ? shown : 0]
  const standard = at(sound, 'defaultCaptionTrackIndex')
  return {
    tracks,
    originalAudio: languageOfSound(originalOf(sounds)),
    shownAudio: languageOfSound(sound),
    defaultTrack: (typeof standard === 'number' ? listed[standard] : null) ?? null,
  }
}

/**
 * Finds the original sound track. Sound tracks are named like `en.4`: the language, then 4 for the original, 3 and 10
 * for dubs, 2 for descriptions (recorded 2026-06).
 */
function originalOf(sounds: unknown[]): unknown {
  return sounds.find((sound) => textAt(sound, 'audioTrackId')?.endsWith('.4') === true)
}

function languageOfSound(sound: unknown): string | null {
  return textAt(sound, 'audioTrackId')?.replace(/\.\d+$/, '') ?? null
}

function trackOf(entry: unknown): CaptionTrack | null {
  const baseUrl = textAt(entry, 'baseUrl')
  const languageCode = textAt(entry, 'languageCode')
  if (baseUrl === null || languageCode === null || /[?&]tlang=/.test(baseUrl)) return null
  const kind = at(entry, 'kind') === 'asr' ? 'asr' : 'manual'
  const vssId = textAt(entry, 'vssId')
  const isPlain = vssId === null || vssId === `${kind === 'asr' ? 'a' : ''}.${languageCode}`
  const isTranslatable = at(entry, 'isTranslatable') === true
  return { languageCode, kind, baseUrl, name: labelAt(entry, 'name'), isTranslatable, isPlain }
}
