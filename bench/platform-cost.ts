/**
 * What a delivered transcript costs on the platform's side and on ours: requests, bytes and CPU, beside
 * three public clients that get the same videos from the same emulator, which runs in a process apart.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Innertube, Log } from 'youtubei.js'
import { YoutubeTranscript } from 'youtube-transcript'
import * as plus from 'youtube-transcript-plus'
import { startEmulator } from '../emulator/server.ts'
import { memoryBudget } from '../src/platform/egress/memory-budget.ts'
import { openPlatform } from '../src/platform/open-platform.ts'
import type { Platform } from '../src/platform/platform.ts'
import { plusConfig, redirected } from './peer-loops.ts'
import { segmentsOf } from '../src/transcripts/transcript-forms.ts'

export type ClientCost = {
  /** Per transcript that came with at least one line. */
  requests: number
  /** Received, compressed, without the captions themselves. */
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

type Stage = { origin: string; ids: string[]; channelId: string }
type Asked = { kind: string; bytesOut: number }
type Deliver = (videoId: string) => Promise<number>

const VIDEOS = { full: 300, smoke: 15 }
const WARM_UP = 200
const PARALLEL = 4
/** The least CPU of so many rounds is taken: others use the machine too. */
const ROUNDS = 5
const NEVER = new AbortController().signal

/** Runs every client in turn, prints a table and returns its numbers. */
export async function run({ smoke }: { smoke: boolean }): Promise<PlatformCost> {
  Log.setLevel(Log.Level.NONE)
  const count = smoke ? VIDEOS.smoke : VIDEOS.full
  const child = fork(import.meta.filename, ['serve', String(count)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const opened: Platform[] = []
  try {
    const [stage] = (await once(child, 'message')) as [Stage]
    const asked = async (): Promise<Asked[]> => {
      child.send('asked')
      const [answer] = (await once(child, 'message')) as [Asked[]]
      return answer
    }
    const open = (useFieldMasks: boolean): Platform => {
      const platform = openNear(stage.origin, useFieldMasks)
      opened.push(platform)
      return platform
    }
    const [masked, unmasked] = [open(true), open(false)]
    const fetchInstead = redirected(stage.origin)
    const costs = await costsOf(stage.ids, {
      ours: (id) => deliverOurs(masked, id, false),
      oursWithDate: (id) => deliverOurs(masked, id, true),
      oursUnmasked: (id) => deliverOurs(unmasked, id, false),
      youtubeiJs: await youtubei(fetchInstead),
      youtubeTranscript: async (id) => (await YoutubeTranscript.fetchTranscript(id, { fetch: fetchInstead })).length,
      youtubeTranscriptPlus: async (id) => (await plus.fetchTranscript(id, plusConfig(fetchInstead))).length,
    }, { asked, rounds: smoke ? 1 : ROUNDS })
    const result: PlatformCost = {
      videos: stage.ids.length,
      ...costs,
      listRequestsPerVideo: await listCost(masked, stage.channelId, asked),
      timesLessCpuThanYoutubeiJs: costs.youtubeiJs.cpuMs / costs.ours.cpuMs,
    }
    print(result)
    return result
  } finally {
    for (const platform of opened) await platform.close()
    child.disconnect()
  }
}

function openNear(origin: string, useFieldMasks: boolean): Platform {
  const budget = memoryBudget(() => performance.now())
  return openPlatform({ origin, routes: [], budget, clients: null, now: () => new Date(), useFieldMasks })
}

async function deliverOurs(platform: Platform, videoId: string, wantsDate: boolean): Promise<number> {
  const answer = await platform.fetchVideo({ videoId, language: 'original', wantsDate }, NEVER)
  return answer.kind === 'fetched' ? (await segmentsOf(answer.transcript)).length : 0
}

/** It has no reader of captions, so the shortest one is added in its favour. */
async function youtubei(fetchInstead: typeof fetch): Promise<Deliver> {
  const client = await Innertube.create({ fetch: fetchInstead, retrieve_player: false })
  return async (videoId) => {
    const info = await client.getBasicInfo(videoId, { client: 'IOS' })
    const track = info.captions?.caption_tracks?.[0]
    if (track === undefined) return 0
    const address = new URL(track.base_url)
    address.searchParams.set('fmt', 'json3')
    const reply = await fetchInstead(address)
    const { events } = (await reply.json()) as { events: { segs?: { utf8: string }[] }[] }
    return events.map((event) => event.segs?.map((piece) => piece.utf8).join('') ?? '').filter(Boolean).length
  }
}

type Meter = { asked: () => Promise<Asked[]>; rounds: number }

/** In turns, so that none runs on colder code than another and a busy moment meets all. */
async function costsOf<K extends string>(ids: string[], ways: Record<K, Deliver>, { asked, rounds }: Meter): Promise<Record<K, ClientCost>> {
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

/** How many came with at least one line; a client's own error is a transcript that did not come. */
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

async function listCost(platform: Platform, channelId: string, asked: Meter['asked']): Promise<number> {
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
  const line = (name: string, cost: ClientCost): string => [
    name.padEnd(28), cost.requests.toFixed(2).padStart(8), (cost.bytes / 1024).toFixed(1).padStart(9),
    (cost.captionBytes / 1024).toFixed(1).padStart(9), cost.cpuMs.toFixed(2).padStart(8),
    `${cost.delivered}/${result.videos}`.padStart(10),
  ].join('')
  console.log(`${'per delivered transcript'.padEnd(28)}requests   KB+head captions  CPU ms delivered`)
  console.log(line('ours (goal 2, 20 KB, 3 ms)', result.ours))
  console.log(line('ours, with the date', result.oursWithDate))
  console.log(line('ours, without masks', result.oursUnmasked))
  console.log(line('youtubei.js', result.youtubeiJs))
  console.log(line('youtube-transcript', result.youtubeTranscript))
  console.log(line('youtube-transcript-plus', result.youtubeTranscriptPlus))
  console.log(`listing: ${result.listRequestsPerVideo.toFixed(4)} requests a video (goal 0.01)`)
  console.log(`CPU: ${result.timesLessCpuThanYoutubeiJs.toFixed(1)} times less than youtubei.js (goal 2)`)
}

/** The emulator in a process of its own: tells its stage, then what it was asked since the last time. */
async function serve(count: number): Promise<void> {
  const emulator = await startEmulator()
  const channel = emulator.world.channel('medium')
  const list = emulator.world.uploads(channel, 'video')
  const ids: string[] = []
  for (let position = 0; ids.length < count && position < list.length; position += 1) {
    const video = list.at(position)
    if (video.state === 'ok' && video.tracks.length > 0) ids.push(video.videoId)
  }
  process.on('message', () => {
    const requests = emulator.log.recent(2000).map(({ kind, bytesOut }) => ({ kind, bytesOut }))
    emulator.log.reset()
    process.send?.(requests)
  })
  process.on('disconnect', () => void emulator.close())
  process.send?.({ origin: emulator.origin, ids, channelId: channel.channelId } satisfies Stage)
}

if (process.argv[2] === 'serve' && process.send !== undefined) await serve(Number(process.argv[3]))
else if (process.argv[1] === import.meta.filename) await run({ smoke: process.argv.includes('--smoke') })
