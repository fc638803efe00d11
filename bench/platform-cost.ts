/**
 * What a delivered transcript costs on the platform's side and on ours: requests, bytes and CPU, beside
 * three public clients that get the same videos from the same emulator, which runs in a process apart.
 */
import { Innertube, Log } from 'youtubei.js'
import { YoutubeTranscript } from 'youtube-transcript'
import * as plus from 'youtube-transcript-plus'
import { memoryBudget } from '../test/support/memory-budget.ts'
import { openPlatform } from '../src/platform/youtube/open-platform.ts'
import type { Platform } from '../src/platform/platform.ts'
import { segmentsOf } from '../test/support/segments-of.ts'
import { redirected } from '../test/support/redirected.ts'
import type { BenchOptions } from './bench.ts'
import { plusConfig, readOne } from './peer-loops.ts'
import { channelOf, startPlatform } from './stage/stage.ts'
import { table } from './table.ts'

export type ClientCost = {
  /** Requests per transcript that came with at least one line. */
  requests: number
  /** Bytes received per transcript, compressed, captions left out. */
  bytes: number
  captionBytes: number
  cpuMs: number
  delivered: number
}

export type PlatformCost = {
  videos: number
  ours: ClientCost
  oursWithDate: ClientCost
  oursUnmasked: ClientCost
  youtubeiJs: ClientCost
  youtubeTranscript: ClientCost
  youtubeTranscriptPlus: ClientCost
  /** Requests to list a channel of 1,200 videos, per video. */
  listRequestsPerVideo: number
  timesLessCpuThanYoutubeiJs: number
}

type Asked = { kind: string; bytesOut: number }
type Deliver = (videoId: string) => Promise<number>

const VIDEOS = { full: 300, smoke: 15 }
const WARM_UP = 200
const PARALLEL = 4
/** Rounds of which the least CPU counts, since others use the machine too. */
const ROUNDS = 5
const NEVER = new AbortController().signal

/** Runs every client in turn, prints a table and returns its numbers. */
export async function run({ smoke }: BenchOptions): Promise<PlatformCost> {
  Log.setLevel(Log.Level.NONE)
  const closers: (() => Promise<void>)[] = []
  try {
    const origin = await startPlatform(smoke, (close) => closers.push(close))
    const result = await measure(origin, smoke, (close) => closers.push(close))
    print(result)
    return result
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function measure(
  origin: string,
  smoke: boolean,
  after: (close: () => Promise<void>) => void,
): Promise<PlatformCost> {
  const { channelId, videos } = channelOf('@dailynotes')
  const ids = videos
    .filter(({ state, tracks }) => state === 'ok' && tracks.length > 0)
    .slice(0, smoke ? VIDEOS.smoke : VIDEOS.full)
    .map(({ videoId }) => videoId)
  const asked = async (): Promise<Asked[]> => {
    const { recent } = (await (await fetch(`${origin}/emulator/requests?limit=2000`)).json()) as {
      recent: Asked[]
    }
    await fetch(`${origin}/emulator/requests?limit=1`, { method: 'DELETE' })
    return recent
  }
  const [masked, unmasked] = [openNear(origin, true), openNear(origin, false)]
  after(() => masked.close())
  after(() => unmasked.close())
  const fetchInstead = redirected(origin)
  const costs = await costsOf(
    ids,
    {
      ours: (id) => deliverOurs(masked, id, false),
      oursWithDate: (id) => deliverOurs(masked, id, true),
      oursUnmasked: (id) => deliverOurs(unmasked, id, false),
      youtubeiJs: await youtubei(fetchInstead),
      youtubeTranscript: async (id) =>
        (await YoutubeTranscript.fetchTranscript(id, { fetch: fetchInstead })).length,
      youtubeTranscriptPlus: async (id) =>
        (await plus.fetchTranscript(id, plusConfig(fetchInstead))).length,
    },
    { asked, rounds: smoke ? 1 : ROUNDS },
  )
  return {
    videos: ids.length,
    ...costs,
    listRequestsPerVideo: await listCost(masked, channelId, asked),
    timesLessCpuThanYoutubeiJs: costs.youtubeiJs.cpuMs / costs.ours.cpuMs,
  }
}

function openNear(origin: string, useFieldMasks: boolean): Platform {
  const budget = memoryBudget(() => performance.now())
  return openPlatform({
    origin,
    routes: [],
    budget,
    clients: null,
    now: () => new Date(),
    useFieldMasks,
  })
}

async function deliverOurs(
  platform: Platform,
  videoId: string,
  wantsDate: boolean,
): Promise<number> {
  const answer = await platform.fetchVideo({ videoId, language: 'original', wantsDate }, NEVER)
  return answer.kind === 'fetched' ? segmentsOf(answer.transcript).length : 0
}

async function youtubei(fetchInstead: typeof fetch): Promise<Deliver> {
  const client = await Innertube.create({ fetch: fetchInstead, retrieve_player: false })
  return (videoId) => readOne(client, fetchInstead, videoId)
}

type Meter = { asked: () => Promise<Asked[]>; rounds: number }

/** Measures each client in turn, so that none runs on colder code than another and a busy moment meets all. */
async function costsOf<K extends string>(
  ids: string[],
  ways: Record<K, Deliver>,
  { asked, rounds }: Meter,
): Promise<Record<K, ClientCost>> {
  const names = Object.keys(ways) as K[]
  for (const name of names) await deliverAll(ids.slice(0, WARM_UP), ways[name])
  const least: Partial<Record<K, ClientCost>> = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const cost = await costOf(ids, ways[name], asked)
      if (cost.cpuMs < (least[name]?.cpuMs ?? Number.POSITIVE_INFINITY)) least[name] = cost
    }
  }
  return least as Record<K, ClientCost>
}

async function costOf(ids: string[], deliver: Deliver, asked: Meter['asked']): Promise<ClientCost> {
  await asked()
  const before = process.cpuUsage()
  const delivered = await deliverAll(ids, deliver)
  const { user, system } = process.cpuUsage(before)
  const requests = await asked()
  const captionBytes = sum(requests.filter(({ kind }) => kind === 'timedtext'))
  return {
    requests: requests.length / delivered,
    bytes: (sum(requests) - captionBytes) / delivered,
    captionBytes: captionBytes / delivered,
    cpuMs: (user + system) / 1000 / delivered,
    delivered,
  }
}

/**
 * Returns how many transcripts came with at least one line; an error of the client is a transcript that did not come.
 */
async function deliverAll(ids: string[], deliver: Deliver): Promise<number> {
  const left = [...ids]
  let delivered = 0
  const work = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const lines = await deliver(id).catch(() => 0)
      if (lines > 0) delivered += 1
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return delivered
}

async function listCost(
  platform: Platform,
  channelId: string,
  asked: Meter['asked'],
): Promise<number> {
  await asked()
  const source = { kind: 'channel', name: channelId, tab: null } as const
  let [videos, cursor] = [0, null as string | null]
  do {
    const page = await platform.listPage({ source, cursor }, NEVER)
    if (page.kind !== 'page') throw new Error(`the channel could not be listed: ${page.kind}`)
    videos += page.videos.length
    cursor = page.next
  } while (cursor !== null)
  return (await asked()).length / videos
}

function sum(requests: Asked[]): number {
  return requests.reduce((total, { bytesOut }) => total + bytesOut, 0)
}

function print(result: PlatformCost): void {
  const line = (name: string, cost: ClientCost): string[] => [
    name,
    cost.requests.toFixed(2),
    (cost.bytes / 1024).toFixed(1),
    (cost.captionBytes / 1024).toFixed(1),
    cost.cpuMs.toFixed(2),
    `${cost.delivered}/${result.videos}`,
  ]
  console.log(
    table([
      ['per delivered transcript', 'requests', 'KB', 'KB of captions', 'CPU ms', 'delivered'],
      line('ours (goal 2, 20 KB, 3 ms)', result.ours),
      line('ours, with the date', result.oursWithDate),
      line('ours, without masks', result.oursUnmasked),
      line('youtubei.js', result.youtubeiJs),
      line('youtube-transcript', result.youtubeTranscript),
      line('youtube-transcript-plus', result.youtubeTranscriptPlus),
    ]),
  )
  console.log(`listing: ${result.listRequestsPerVideo.toFixed(4)} requests a video (goal 0.01)`)
  console.log(
    `CPU: ${result.timesLessCpuThanYoutubeiJs.toFixed(1)} times less than youtubei.js (goal 2)`,
  )
}
