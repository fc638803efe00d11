/** What the conformance tests share: an emulator, and the way of public clients to it. */
import { after } from 'node:test'
import {
  type Emulator,
  type EmulatorOptions,
  type FaultScript,
  startEmulator,
} from '../../emulator/server.ts'
import {
  type TruthSegment,
  truthOf,
  type TruthTrack,
  type TruthVideo,
} from '../../emulator/truth.ts'
import { redirected } from '../support/redirected.ts'

export type PeerStage = Emulator & {
  /** `fetch` for clients that name the real hosts: it sends every request to the emulator. */
  fetch: typeof fetch
}

/** Starts an emulator that ends with the test file. */
export async function stage(options: EmulatorOptions = {}): Promise<PeerStage> {
  const emulator = await startEmulator(options)
  after(() => emulator.close())
  return { ...emulator, fetch: redirected(emulator.origin) }
}

export function truthAbout(emulator: Emulator, videoId: string): TruthVideo {
  const [video] = truthOf(emulator.world, { video: videoId }).videos
  if (video === undefined) throw new Error(`the world has no ${videoId}`)
  return video
}

/** Returns a track of a special video, with its exact words and times. */
export function truthOfTrack(
  emulator: Emulator,
  key: string,
  kind: TruthTrack['kind'],
): { videoId: string; segments: TruthSegment[] } {
  const { videoId } = emulator.world.special(key)
  const track = truthAbout(emulator, videoId).tracks.find((each) => each.kind === kind)
  if (track === undefined) throw new Error(`${key} has no ${kind} track`)
  return { videoId, segments: track.segments }
}

/** Returns the ids of a list, in its order. */
export function listedIds(
  emulator: Emulator,
  filter: { channel?: string; playlist?: string },
): string[] {
  return truthOf(emulator.world, { ...filter, limit: 20_000 }).videos.map((video) => video.videoId)
}

export function wordsOf(segments: readonly { text: string }[]): string {
  return segments
    .map((segment) => segment.text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export type { Emulator, FaultScript }
