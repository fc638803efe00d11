/**
 * The world: channels, playlists and videos as a pure function of a seed. Only the plans of channels and playlists are
 * held in memory; a video is made when a caller asks for it.
 */
import { channelsOf } from './channels.ts'
import { ownSpelling, videoNumberOf } from './ids.ts'
import type { Channel, Playlist, Video, VideoFacts, VideoKind } from './model.ts'
import { playlistsOf } from './playlists.ts'
import { SPECIALS } from './special-videos.ts'
import { videoOf } from './videos.ts'

/** When the newest uploads were published; a constant, so that the world is the same every day. */
const NEWEST = '2026-11-19T12:00:00Z'

/** A list in its own order; callers ask `at` only below `length`. */
export type List = { length: number; at(position: number): Video }

export type World = {
  seed: number
  channels: readonly Channel[]
  playlists: readonly Playlist[]
  /** Returns the video, or null where no such id was ever given out. */
  video(videoId: string): Video | null
  /** Returns a special video by its key, such as `private`; throws where the key is unknown. */
  special(key: string): Video
  channel(key: string): Channel
  channelById(channelId: string): Channel | null
  /** Finds a channel by its handle or legacy address: `@Handle` (in any case) or `/user/name`. */
  channelByName(name: string): Channel | null
  playlist(key: string): Playlist
  playlistById(playlistId: string): Playlist | null
  /** Returns what the channel lists, newest first; a null `kind` means everything. */
  uploads(channel: Channel, kind: VideoKind | null): List
  upload(channel: Channel, upload: number): Video
  /** Returns how many videos the channel has, hidden ones included. */
  total(channel: Channel): number
  /** Uploads a video: every newest-first list of the channel shifts by one. */
  publish(channel: Channel, facts?: VideoFacts): Video
  /** Opens the special videos that are refused for now, or refuses them again. */
  open(areOpened: boolean): void
  /** Changes a video (captions come, a premiere begins, it is deleted); facts that are not given stay. */
  revise(videoId: string, facts: VideoFacts): Video
}

export type WorldOptions = { seed?: number | undefined; newestAt?: string | undefined }

export function createWorld({ seed = 1, newestAt = NEWEST }: WorldOptions = {}): World {
  const plan = { seed, newestAtMs: Date.parse(newestAt) }
  const channels = channelsOf(seed)
  const extras = new Map<number, number>()
  const revised = new Map<string, VideoFacts>()
  let areOpened = false
  const upload = (channel: Channel, number: number): Video => {
    const video = videoOf(plan, channel, number)
    const opened = areOpened && channel.key === 'lab' ? SPECIALS[number]?.opened : null
    return { ...video, ...opened, ...revised.get(video.videoId) }
  }
  const playlists = playlistsOf(seed, channels, upload)
  const extrasOf = (channel: Channel): number => extras.get(channel.number) ?? 0
  const named = <T extends { key: string }>(things: readonly T[], key: string): T => {
    const found = things.find((thing) => thing.key === key)
    if (found === undefined) throw new Error(`the world has nothing called ${key}`)
    return found
  }

  return {
    seed,
    channels,
    playlists,
    upload,
    total: (channel) => channel.uploads + extrasOf(channel),
    video: (videoId) => {
      const number = videoNumberOf(seed, ownSpelling(videoId))
      const channel = number === null ? undefined : channels[number.channel]
      if (number === null || channel === undefined) return null
      return number.upload < channel.uploads + extrasOf(channel)
        ? upload(channel, number.upload)
        : null
    },
    special: (key) => {
      named(SPECIALS, key)
      return upload(
        named(channels, 'lab'),
        SPECIALS.findIndex((special) => special.key === key),
      )
    },
    channel: (key) => named(channels, key),
    channelById: (channelId) => channels.find((channel) => channel.channelId === channelId) ?? null,
    channelByName: (name) => channelByName(channels, name),
    playlist: (key) => named(playlists, key),
    playlistById: (playlistId) => playlists.find((list) => list.playlistId === playlistId) ?? null,
    uploads: (channel, kind) =>
      withExtras(listOf(channel, kind, upload), channel, kind, extrasOf(channel), upload),
    publish: (channel, facts = {}) => {
      extras.set(channel.number, extrasOf(channel) + 1)
      const number = channel.uploads + extrasOf(channel) - 1
      revised.set(upload(channel, number).videoId, facts)
      return upload(channel, number)
    },
    open: (are) => void (areOpened = are),
    revise: (videoId, facts) => {
      const number = videoNumberOf(seed, videoId)
      const channel = number === null ? undefined : channels[number.channel]
      if (number === null || channel === undefined) throw new Error(`there is no ${videoId}`)
      revised.set(videoId, { ...revised.get(videoId), ...facts })
      return upload(channel, number.upload)
    },
  }
}

type Make = (channel: Channel, upload: number) => Video

/** Returns the channel's planned uploads of one kind; their places follow from the pattern. */
function listOf(channel: Channel, kind: VideoKind | null, make: Make): List {
  if (channel.key === 'lab') {
    const numbers = SPECIALS.flatMap((special, number) =>
      special.isListed && (kind === null || special.kind === kind) ? [number] : [],
    )
    return { length: numbers.length, at: (position) => make(channel, numbers[position] ?? 0) }
  }
  const period = channel.pattern.length
  const indexes = channel.pattern.flatMap((each, index) =>
    kind === null || each === kind ? [index] : [],
  )
  const rest = indexes.filter((index) => index < channel.uploads % period).length
  const perPeriod = indexes.length
  return {
    length: Math.floor(channel.uploads / period) * perPeriod + rest,
    at: (position) =>
      make(
        channel,
        Math.floor(position / perPeriod) * period + (indexes[position % perPeriod] ?? 0),
      ),
  }
}

function withExtras(
  list: List,
  channel: Channel,
  kind: VideoKind | null,
  extras: number,
  make: Make,
): List {
  if (extras === 0) return list
  const fresh = Array.from({ length: extras }, (_, at) =>
    make(channel, channel.uploads + extras - 1 - at),
  ).filter((video) => video.isListed && (kind === null || video.kind === kind))
  return {
    length: fresh.length + list.length,
    at: (position) => fresh[position] ?? list.at(position - fresh.length),
  }
}

function channelByName(channels: readonly Channel[], name: string): Channel | null {
  const wanted = name.toLowerCase()
  return (
    channels.find(
      (channel) => channel.handle?.toLowerCase() === wanted || channel.aliases.includes(wanted),
    ) ?? null
  )
}
