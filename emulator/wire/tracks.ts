/** The value of `captions` in a player reply: the caption tracks with their signed addresses. */
import { type Call, isWeb, type JsonObject, type Site } from '../call.ts'
import type { Track, Video } from '../model.ts'
import { hashText, hexOf } from '../random.ts'
import { vssIdOf } from '../track-sets.ts'
import { languageName, TRANSLATIONS } from './languages.ts'

const ORIGINAL_SOUND = 4
const DUBBED_SOUND = 10

/** Returns the tracks that this client is shown; others may exist. */
export function tracksFor(video: Video, client: string): Track[] {
  return video.tracks.filter((track) => !track.hiddenFrom.includes(client))
}

/** Returns the value of `captions`, or null where the key is missing: no captions. */
export function captionsOf(site: Site, call: Call, video: Video): JsonObject | null {
  const { client } = call
  const tracks = tracksFor(video, client.name)
  if (tracks.length === 0) return null
  const web = isWeb(client.name)
  const ei = eventIdOf(call, video)
  const expire = Math.floor((call.nowMs + site.settings.timedtextLifeMs) / 1000)
  const indices = tracks.map((_, index) => index)
  const usual = defaultTrack(video, tracks)
  const sounds = video.audio.length === 0 ? [''] : video.audio
  return {
    playerCaptionsTracklistRenderer: {
      captionTracks: tracks.map((track) => ({
        baseUrl: baseUrlOf(site, call, { video, track, ei, expire }),
        name: web ? { simpleText: trackName(track) } : { runs: [{ text: trackName(track) }] },
        vssId: vssIdOf(track),
        languageCode: track.languageCode,
        ...(track.kind === 'asr' ? { kind: 'asr' } : {}),
        ...(isRightToLeft(track.languageCode) ? { rtl: true } : {}),
        isTranslatable: true,
        trackName: track.name,
      })),
      audioTracks: sounds.map((language, index) => ({
        captionTrackIndices: indices,
        ...(usual === null ? {} : { defaultCaptionTrackIndex: usual, hasDefaultTrack: true }),
        ...(language === ''
          ? {}
          : { audioTrackId: `${language}.${index === 0 ? ORIGINAL_SOUND : DUBBED_SOUND}` }),
        captionsInitialState: 'CAPTIONS_INITIAL_STATE_OFF_RECOMMENDED',
      })),
      translationLanguages: web
        ? TRANSLATIONS.web
        : client.name === 'ANDROID'
          ? TRANSLATIONS.mobile
          : TRANSLATIONS.all,
      defaultAudioTrackIndex: 0,
    },
  }
}

const EVENT_LENGTH = 12

/** Returns the event id of an address, in which the platform can read what client it was given to. */
function eventIdOf({ client, nowMs }: Call, { videoId }: Video): string {
  const name = Buffer.from(client.name).toString('base64url')
  return `${hexOf(hashText(videoId + nowMs), EVENT_LENGTH)}${name}`
}

/** Returns the client that was given an address with this event id; '' where it names none. */
export function clientOfEvent(ei: string): string {
  return Buffer.from(ei.slice(EVENT_LENGTH), 'base64url').toString()
}

/** Returns the default track: the author's own in the spoken language; automatic ones never are. */
function defaultTrack(video: Video, tracks: readonly Track[]): number | null {
  const spoken = tracks.findIndex(
    (track) => track.kind === 'manual' && track.languageCode === video.language,
  )
  return spoken === -1 ? null : spoken
}

function trackName(track: Track): string {
  const language = languageName(track.languageCode)
  if (track.kind === 'asr') return `${language} (auto-generated)`
  return track.name === '' ? language : `${language} - ${track.name}`
}

function isRightToLeft(languageCode: string): boolean {
  return languageCode === 'ar' || languageCode === 'iw' || languageCode === 'fa'
}

type Signed = { video: Video; track: Track; ei: string; expire: number }

function baseUrlOf(site: Site, call: Call, { video, track, ei, expire }: Signed): string {
  const { name } = call.client
  const isGuarded =
    site.settings.guardAll || name === 'WEB' || name === 'MWEB' || track.guardedAt.includes(name)
  const signed = { videoId: video.videoId, ei, expire, isGuarded }
  const sparams = `ip,ipbits,expire,v,ei,caps,opi,${isGuarded ? 'exp,' : ''}xoaf`
  const parts = [
    `v=${video.videoId}&ei=${ei}&caps=asr${isGuarded ? `&exp=${site.settings.guard}` : ''}`,
    'opi=112496729&xoaf=5&xowf=1&xospf=1',
    `hl=en&ip=${site.settings.tellsAddress ? call.identity : '0.0.0.0'}&ipbits=0&expire=${expire}&sparams=${sparams}`,
    `signature=${signatureOf(site.world.seed, signed)}&key=yt8`,
    ...(track.kind === 'asr' ? ['kind=asr'] : []),
    `lang=${track.languageCode}`,
    ...(track.name === '' ? [] : [`name=${encodeURIComponent(track.name)}`]),
    ...(track.variant === null ? [] : [`variant=${track.variant}`]),
    ...(name === 'ANDROID' || name === 'ANDROID_VR' ? ['fmt=srv3'] : []),
  ]
  return `https://www.youtube.com/api/timedtext?${parts.join('&')}`
}

/** Signs what `sparams` names, so that a client cannot prolong an address or drop its guard. */
export function signatureOf(
  seed: number,
  {
    videoId,
    ei,
    expire,
    isGuarded,
  }: { videoId: string; ei: string; expire: number; isGuarded: boolean },
): string {
  const signed = hashText(`${seed} ${videoId} ${ei} ${expire} ${isGuarded}`)
  return `${hexOf(signed, 40)}.${hexOf(signed ^ 0x5bd1e995, 40)}`
}
