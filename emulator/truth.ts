/**
 * The truth about the world: what a right client must report about every video, and the exact words and times of every
 * track. It is the answer of `GET /emulator/world`, and what tests in the same process read.
 */
import { type Line, linesOf } from './captions.ts'
import type { Channel, Playlist, Track, Video, VideoKind, VideoState } from './model.ts'
import { type List, type World } from './world.ts'

export type TruthSegment = { startMs: number; endMs: number; text: string }
export type TruthTrack = {
  languageCode: string
  kind: 'manual' | 'asr'
  /** Whether the track is in the language of the video's own sound. */
  original: boolean
  name: string
  segments: TruthSegment[]
}
export type TruthVideo = {
  videoId: string
  title: string
  channelId: string
  /** The channel's title; null where the platform never tells it. */
  channelName: string | null
  /** The row status that a right client reports for language `original`. */
  status:
    | 'success'
    | 'no_captions'
    | 'language_not_available'
    | 'private'
    | 'unavailable'
    | 'blocked_suspect'
    | 'failed'
  /** The publish date in ISO 8601, with the platform's offset; null where the platform does not tell it. */
  publishedAt: string | null
  durationMs: number
  kind: VideoKind
  note: string | null
  /** The tracks that the platform shows; empty where the video does not play. */
  tracks: TruthTrack[]
}
export type TruthChannel = {
  channelId: string
  handle: string | null
  title: string
  videoCount: number
  note: string
}
export type TruthPlaylist = { playlistId: string; title: string; itemCount: number; note: string }
export type Truth = {
  seed: number
  total: number
  offset: number
  limit: number
  nextOffset: number | null
  channels: TruthChannel[]
  playlists: TruthPlaylist[]
  videos: TruthVideo[]
}

/** The time after which a caption without a duration counts as over. */
const OPEN_END_MS = 5000

/** A question with at most one filter; `offset` and `limit` count videos. */
export type TruthQuestion = {
  offset?: number
  limit?: number
  video?: string | null
  channel?: string | null
  playlist?: string | null
}

export const TRUTH_LIMIT = { usual: 50, max: 1000 }

export function truthOf(world: World, question: TruthQuestion = {}): Truth {
  const { offset = 0, limit = TRUTH_LIMIT.usual } = question
  const list = listAsked(world, question)
  const end = Math.min(offset + limit, list.length)
  const videos = []
  for (let at = offset; at < end; at++) videos.push(truthOfVideo(world, list.at(at)))
  const isFirst = offset === 0 && !question.video && !question.channel && !question.playlist
  return {
    seed: world.seed,
    total: list.length,
    offset,
    limit,
    nextOffset: end < list.length ? end : null,
    channels: isFirst ? world.channels.map((channel) => truthOfChannel(world, channel)) : [],
    playlists: isFirst ? world.playlists.map(truthOfPlaylist) : [],
    videos,
  }
}

/** Returns the videos of a filter, in listing order; an unknown name gives an empty list. */
function listAsked(world: World, { video, channel, playlist }: TruthQuestion): List {
  const nothing: List = { length: 0, at: () => world.special('asr') }
  if (video) {
    const found = world.video(video)
    return found === null ? nothing : { length: 1, at: () => found }
  }
  if (channel) {
    const found = world.channelById(channel)
    return found === null || found.state !== 'ok' ? nothing : world.uploads(found, null)
  }
  if (playlist) return world.playlistById(playlist) ?? nothing
  return everything(world)
}

function everything(world: World): List {
  const totals = world.channels.map((channel) => world.total(channel))
  return {
    length: totals.reduce((sum, total) => sum + total, 0),
    at: (position) => {
      let left = position
      for (const channel of world.channels) {
        if (left < world.total(channel)) return world.upload(channel, left)
        left -= world.total(channel)
      }
      throw new Error('asked for a video beyond the last')
    },
  }
}

function truthOfChannel(world: World, channel: Channel): TruthChannel {
  const { channelId, handle, title, note } = channel
  const videoCount = channel.state === 'ok' ? world.uploads(channel, null).length : 0
  return { channelId, handle, title, videoCount, note }
}

function truthOfPlaylist({ playlistId, title, length, note }: Playlist): TruthPlaylist {
  return { playlistId, title, itemCount: length, note }
}

export function truthOfVideo(world: World, video: Video): TruthVideo {
  const { known, plays } = STATES[video.state]
  return {
    videoId: video.videoId,
    title: known ? video.title : (HIDDEN_TITLES[video.state] ?? '[Deleted video]'),
    channelId: video.channel.channelId,
    channelName: known ? video.channel.title : null,
    status: statusOf(video),
    publishedAt: known ? publishDateOf(video) : null,
    durationMs: video.durationMs,
    kind: video.kind,
    note: video.note,
    tracks: plays ? video.tracks.map((track) => truthOfTrack(world, video, track)) : [],
  }
}

/** Words are made when they are first read: most readers ask what a video is, and not what it says. */
function truthOfTrack(world: World, video: Video, track: Track): TruthTrack {
  let segments: TruthSegment[] | null = null
  return {
    languageCode: track.languageCode,
    kind: track.kind,
    original: isOriginal(video, track),
    name: track.name,
    get segments() {
      return (segments ??= segmentsOf(linesOf(world.seed, video, track), track.kind))
    },
  }
}

/** Whether a track is in the video's language. Regions count as one: British captions match an English sound. */
export function isOriginal(video: Video, track: Track): boolean {
  return video.language !== null && baseOf(track.languageCode) === baseOf(video.language)
}

function baseOf(languageCode: string): string {
  return languageCode.split('-')[0] ?? languageCode
}

/**
 * What each state means: `known`, whether the platform tells title, channel and date; `plays`, whether some client gets
 * its captions.
 */
const STATES: Readonly<Record<VideoState, { known: boolean; plays: boolean }>> = {
  ok: { known: true, plays: true },
  kids: { known: true, plays: true },
  age_embeddable: { known: true, plays: true },
  live_now: { known: true, plays: true },
  post_live: { known: true, plays: true },
  age_legacy: { known: true, plays: false },
  age_confirm: { known: true, plays: false },
  age_check: { known: true, plays: false },
  age_verification: { known: true, plays: false },
  members_level: { known: true, plays: false },
  members_join: { known: true, plays: false },
  premium: { known: true, plays: false },
  payment: { known: true, plays: false },
  region: { known: true, plays: false },
  upcoming_live: { known: true, plays: false },
  upcoming_premiere: { known: true, plays: false },
  upcoming_far: { known: true, plays: false },
  odd: { known: true, plays: false },
  private: { known: false, plays: false },
  not_found: { known: false, plays: false },
  removed_by_uploader: { known: false, plays: false },
  removed_violation: { known: false, plays: false },
  account_terminated: { known: false, plays: false },
}
const HIDDEN_TITLES: Partial<Record<VideoState, string>> = { private: '[Private video]' }

function statusOf(video: Video): TruthVideo['status'] {
  if (video.state === 'private') return 'private'
  if (video.state === 'odd') return 'failed'
  if (!STATES[video.state].plays) return 'unavailable'
  if (video.tracks.length === 0) return 'no_captions'
  const originals = video.tracks.filter((track) => isOriginal(video, track))
  if (originals.length === 0) return 'language_not_available'
  // Words that are not there cannot be told from words that the platform keeps back.
  return originals.every(({ style }) => style === 'blank') ? 'blocked_suspect' : 'success'
}

/** Returns the exact publish date as the platform writes it, with the offset of its home. */
export function publishDateOf(video: Video): string {
  const offsetHours = new Date(video.publishedMs).getUTCMonth() % 11 < 2 ? 8 : 7
  const local = new Date(video.publishedMs - offsetHours * 3_600_000).toISOString().slice(0, 19)
  return `${local}-0${offsetHours}:00`
}

/**
 * Returns the segments, without lines that say nothing. Automatic lines end where the next one starts; an author's
 * lines keep their times, and those without a duration last to what comes next, with words or without.
 */
export function segmentsOf(all: readonly Line[], kind: Track['kind']): TruthSegment[] {
  const segments: TruthSegment[] = []
  const lines = kind === 'asr' ? all.filter(({ clean }) => clean !== '') : all
  lines.forEach((line, index) => {
    if (line.clean === '') return
    const nextMs = nextStart(lines, index)
    const last = segments.at(-1)
    if (kind === 'asr' && last?.startMs === line.startMs) {
      last.text += ` ${line.clean}`
      return
    }
    segments.push({ startMs: line.startMs, endMs: endOf(line, kind, nextMs), text: line.clean })
  })
  return segments
}

function endOf(line: Line, kind: Track['kind'], nextMs: number): number {
  if (!line.durationMs) return Math.min(nextMs, line.startMs + OPEN_END_MS)
  const endMs = Math.max(line.startMs + line.durationMs, line.clearedMs ?? 0)
  return kind === 'asr' ? Math.min(endMs, nextMs) : endMs
}

function nextStart(lines: readonly Line[], index: number): number {
  const startMs = lines[index]?.startMs ?? 0
  for (let at = index + 1; at < lines.length; at++) {
    const next = lines[at]?.startMs ?? 0
    if (next > startMs) return next
  }
  return Number.POSITIVE_INFINITY
}
