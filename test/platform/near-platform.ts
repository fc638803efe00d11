/** The platform client beside a started emulator, for one test: its requests and their cost. */
import assert from 'node:assert/strict'
import type { World } from '../../emulator/world.ts'
import type { TestContext } from 'node:test'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../emulator/server.ts'
import { memoryBudget } from '../support/memory-budget.ts'
import type { RouteBudget } from '../../src/model/platform/route-budget.ts'
import { CLIENT_PROFILES } from '../../src/platform/youtube/clients.ts'
import { openPlatform, type PlatformOptions } from '../../src/platform/youtube/open-platform.ts'
import type {
  ListedVideo,
  ListingAnswer,
  Platform,
  VideoAnswer,
} from '../../src/platform/platform.ts'
import { type ListSource, readSource } from '../../src/model/platform/source.ts'
import type { RequestReport } from '../../src/platform/youtube/session.ts'

export const NEVER = new AbortController().signal

/** The clients that are asked for lists and dates, in their order. */
export const LIST_CLIENTS = CLIENT_PROFILES.filter(({ use }) => use === 'date_and_lists').map(
  ({ name }) => name,
)

export type Near = {
  emulator: Emulator
  platform: Platform
  /** Every request as it was reported, in order. */
  requests: RequestReport[]
  fetch(videoId: string, language?: string, wantsDate?: boolean): Promise<VideoAnswer>
  /** Reads a list to its end; `end` is the last answer, even if it is no page. */
  list(line: string): Promise<{ videos: ListedVideo[]; pages: number; end: ListingAnswer }>
}

export async function nearPlatform(
  test: TestContext,
  emulated: EmulatorOptions = {},
  options: Partial<PlatformOptions> = {},
): Promise<Near> {
  const emulator = await startEmulator(emulated)
  const near = openNear(emulator, options)
  test.after(async () => {
    await near.platform.close()
    await emulator.close()
  })
  return near
}

/** Opens one more client of an emulator, which knows nothing of what others met. Close its platform, too. */
export function openNear(emulator: Emulator, options: Partial<PlatformOptions> = {}): Near {
  const requests: RequestReport[] = []
  const platform = openPlatform({
    origin: emulator.origin,
    routes: [],
    budget: localBudget(),
    clients: null,
    now: () => new Date(),
    onRequest: (report) => requests.push(report),
    ...options,
  })
  return {
    emulator,
    platform,
    requests,
    fetch: (videoId, language = 'original', wantsDate = false) => {
      return platform.fetchVideo({ videoId, language, wantsDate }, NEVER)
    },
    list: (line) => readAll(platform, listSource(line)),
  }
}

export function localBudget(): RouteBudget {
  return memoryBudget(() => performance.now())
}

export function listSource(line: string): ListSource {
  const reading = readSource(line)
  if (reading.kind !== 'source' || reading.source.kind === 'video')
    throw new Error(`no list: ${line}`)
  return reading.source
}

export async function readAll(
  platform: Platform,
  source: ListSource,
  from: string | null = null,
): Promise<{ videos: ListedVideo[]; pages: number; end: ListingAnswer }> {
  const videos: ListedVideo[] = []
  let cursor = from
  for (let pages = 1; ; pages += 1) {
    const answer: ListingAnswer = await platform.listPage({ source, cursor }, NEVER)
    if (answer.kind !== 'page') return { videos, pages, end: answer }
    videos.push(...answer.videos)
    cursor = answer.next
    if (cursor === null) return { videos, pages, end: answer }
    if (pages > 1000) throw new Error('the list does not end')
  }
}

/** Returns ids without the videos' words, which take long to make for thousands. */
export function truthIds(
  world: World,
  { channel, playlist }: { channel?: string; playlist?: string },
): string[] {
  const listed = channel === undefined ? null : world.channelById(channel)
  const list = listed === null ? world.playlistById(playlist ?? '') : world.uploads(listed, null)
  assert.ok(list !== null)
  return Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
}

export const idsOf = async (near: Near, line: string): Promise<string[]> => {
  const { videos, end } = await near.list(line)
  assert.equal(end.kind, 'page', `${line}: ${JSON.stringify(end)}`)
  return videos.map((video) => video.videoId)
}
