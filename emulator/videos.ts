/** One video, generated from its number: the same number and seed always give the same video. */
import { videoIdOf } from './ids.ts'
import type { Channel, Talk, Video, VideoKind, VideoState } from './model.ts'
import { mix, randomOf } from './random.ts'
import { headlineOf } from './sentences.ts'
import type { Special } from './special.ts'
import { SPECIALS } from './special-videos.ts'
import { talkOf } from './talks.ts'
import { drawCaptions } from './track-sets.ts'

const HOUR_MS = 3_600_000
const TEN_YEARS_MS = 3652 * 24 * HOUR_MS
const BIG_CHANNEL = 1000
/** Videos in the lists of big channels that do not play: every n-th upload, at an offset. */
const SPOILT: readonly (readonly [number, number, VideoState])[] = [
  [251, 100, 'members_level'],
  [499, 200, 'age_legacy'],
  [601, 300, 'private'],
  [777, 400, 'region'],
  [911, 500, 'not_found'],
]
const DECORATIONS: readonly ((title: string) => string)[] = [
  (title) => `🎬 ${title} 🎉`,
  (title) => `"${title}", part one`,
  (title) => `${title} <live> & unplugged`,
  (title) => `=${title}`,
  (title) => `${title} – עם כתוביות`,
]

/** A plan of videos; `newestAtMs` is about when the newest upload of every channel was published. */
export type VideoPlan = { seed: number; newestAtMs: number }

/**
 * Returns an upload of a channel. Numbers beyond the channel's own are new uploads, published while the emulator runs.
 */
export function videoOf(plan: VideoPlan, channel: Channel, upload: number): Video {
  const videoId = videoIdOf(plan.seed, { channel: channel.number, upload })
  const special = channel.key === 'lab' ? SPECIALS[upload] : undefined
  if (special !== undefined) return specialVideo(plan, channel, upload, videoId, special)

  const draw = mix(mix(plan.seed, channel.number), upload)
  const random = randomOf(draw)
  const kind = upload >= channel.uploads ? 'video' : kindOf(channel, upload)
  const talk = talkOf(channel.key, upload)
  const { tracks, audio } = captionsOf(channel, talk, draw)
  return {
    videoId,
    channel,
    upload,
    kind,
    state: stateOf(channel, upload),
    isListed: true,
    title: talk?.title ?? titleOf(channel, upload, draw),
    durationMs:
      talk === null
        ? durationOf(kind, random.between(0, 999), random.fraction())
        : talk.durationS * 1000,
    publishedMs: publishedOf(plan, channel, upload, random.fraction()),
    views: Math.floor(random.fraction() ** 4 * 3_000_000),
    language: channel.key === 'quiet' ? null : (talk?.language ?? channel.language),
    audio,
    tracks,
    note: null,
  }
}

function specialVideo(
  plan: VideoPlan,
  channel: Channel,
  upload: number,
  videoId: string,
  special: Special,
): Video {
  const random = randomOf(mix(mix(plan.seed, 77), upload))
  return {
    videoId,
    channel,
    upload,
    kind: special.kind,
    state: special.state,
    isListed: special.isListed,
    title: special.title ?? `Laboratory: ${special.note}`,
    durationMs: special.durationS * 1000,
    publishedMs: publishedOf(plan, channel, upload, random.fraction()),
    views: random.between(10, 90_000),
    language: special.language,
    audio: special.audio,
    tracks: special.tracks,
    note: special.note,
  }
}

function captionsOf(
  channel: Channel,
  talk: Talk | null,
  draw: number,
): Pick<Video, 'tracks' | 'audio'> {
  if (talk !== null) return { tracks: talk.tracks, audio: [] }
  return channel.key === 'quiet' ? { tracks: [], audio: [] } : drawCaptions(draw, channel.language)
}

function kindOf(channel: Channel, upload: number): VideoKind {
  return channel.pattern[upload % channel.pattern.length] ?? 'video'
}

function stateOf(channel: Channel, upload: number): VideoState {
  if (channel.uploads < BIG_CHANNEL) return 'ok'
  return SPOILT.find(([every, at]) => upload % every === at)?.[2] ?? 'ok'
}

function titleOf(channel: Channel, upload: number, draw: number): string {
  const headline = headlineOf(channel.language, randomOf(draw ^ 0x51ed))
  const title = `${headline} (${channel.uploads - upload})`
  if (draw % 13 !== 4) return title
  return DECORATIONS[Math.floor(draw / 13) % DECORATIONS.length]?.(title) ?? title
}

function durationOf(kind: VideoKind, draw: number, fraction: number): number {
  const seconds =
    kind === 'short'
      ? 15 + fraction * 45
      : kind === 'live'
        ? 1800 + fraction * 5400
        : draw < 25
          ? 3600 + fraction * 7200
          : 60 + fraction * 540
  return Math.floor(seconds) * 1000
}

/**
 * Returns when an upload was published, over ten years. In big channels, an occasional premiere was published after
 * uploads that are listed before it, as in real lists.
 */
function publishedOf(plan: VideoPlan, channel: Channel, upload: number, fraction: number): number {
  if (upload >= channel.uploads) {
    return plan.newestAtMs + (upload - channel.uploads + 1) * HOUR_MS
  }
  const gap = TEN_YEARS_MS / Math.max(channel.uploads, 24)
  const isPremiere = channel.uploads >= BIG_CHANNEL && upload % 97 === 50
  const age = (upload + fraction * 0.8 - (isPremiere ? 2.2 : 0)) * gap
  return Math.floor((plan.newestAtMs - age) / 1000) * 1000
}
