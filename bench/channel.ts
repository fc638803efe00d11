/**
 * The transcripts of a 200-video channel from its URL to the texts: our service over its API (start,
 * wait, results, ZIP) beside a bare loop that does only the unavoidable requests, and two public
 * clients. At 0 ms nothing but CPU counts, and its shares are printed.
 */
import { openBareLoop } from './bare-loop.ts'
import { plusLoop, youtubeiLoop } from './peer-loops.ts'
import type { BenchClient } from './stage/client.ts'
import { readProfile, type Shares, WORKER_PARTS } from './stage/cpu-profile.ts'
import { onStage, type RequestCounts, type ServiceProcess, type Stage } from './stage/stage.ts'
import { percent, table, verdict } from './table.ts'

export type Way = { ms: number; delivered: number; requests: number; bytes: number }
export type OursWay = Way & {
  /** Until the job was final; the rest is reading results and ZIP, side by side. */
  jobMs: number
  filesMs: number
  zipBytes: number
  cpuMs: number
  statements: number
}
export type AtLatency = {
  latencyMs: number
  ours: OursWay
  bare: Way
  youtubeiJs: Way | null
  youtubeTranscriptPlus: Way | null
  /** Of the bare loop's pace; 1 is the physical limit. */
  shareOfBare: number
  /** The same until the job is final, without results and ZIP. */
  jobShareOfBare: number
}
export type ChannelResult = { videos: number; latencies: AtLatency[]; cpu: Shares }

type Ground = { stage: Stage; service: ServiceProcess; client: BenchClient; channelId: string; videos: number }

export const GOAL = 0.85
const PARALLEL = 16
/** 1,200 uploads of all kinds; 1 in 12 has no captions. */
export const CHANNEL = '@dailynotes'
/** The bare loop's and ours alternate. */
const ROUNDS = 5

export async function run({ smoke }: { smoke: boolean }): Promise<ChannelResult> {
  const result = await onStage(smoke, (stage) => measure(stage, smoke))
  print(result)
  return result
}

async function measure(stage: Stage, smoke: boolean): Promise<ChannelResult> {
  const { channelId, videoIds } = await readChannel(stage.origin, CHANNEL)
  const videos = smoke ? 6 : 200
  const service = await stage.service()
  const ground = { stage, service, client: await stage.client(service), channelId, videos }
  await orderAll(ground) // warm, and a guest of the platform is made
  const bare = await openBareLoop(stage.origin)
  const peers = { youtubei: await youtubeiLoop(stage.origin), plus: plusLoop(stage.origin, videoIds) }
  const latencies: AtLatency[] = []
  try {
    for (const latencyMs of smoke ? [0] : [0, 50, 200]) {
      await stage.setLatency(latencyMs)
      const ask = { channelId, videos, parallel: PARALLEL, wantsDates: true }
      const oursRounds: OursWay[] = []
      const bareRounds: Way[] = []
      for (let round = 0; round < (smoke ? 1 : ROUNDS); round += 1) {
        bareRounds.push(await timed(stage, () => bare.run(ask)))
        oursRounds.push(await orderAll(ground))
      }
      const [ours, least] = [quickest(oursRounds), quickest(bareRounds)]
      latencies.push({
        latencyMs,
        ours,
        bare: least,
        youtubeiJs: await timed(stage, () => peers.youtubei({ channelId, videos })),
        youtubeTranscriptPlus: await timed(stage, () => peers.plus({ channelId, videos })),
        shareOfBare: least.ms / ours.ms,
        jobShareOfBare: least.ms / ours.jobMs,
      })
    }
    await stage.setLatency(0)
    const { profile } = await service.profile(() => orderAll(ground))
    return { videos, latencies, cpu: readProfile(profile, WORKER_PARTS) }
  } finally {
    await bare.close()
  }
}

/** Another spelling of the URL each time: else it would be a repeat, which delivers nothing twice. */
let spelling = 0

async function orderAll({ stage, service, client, channelId, videos }: Ground): Promise<OursWay> {
  await stage.asked()
  const before = await service.usage()
  const startedMs = performance.now()
  const urls = [`https://www.youtube.com/channel/${channelId}?spelling=${(spelling += 1)}`]
  const job = await client.waitsFor(await client.startsJob({ urls, maxVideos: videos }))
  const jobMs = performance.now() - startedMs
  const [texts, zip] = await Promise.all([client.readsTexts(job), client.get(`/jobs/${job.id}/files/zip`)])
  const ms = performance.now() - startedMs
  const after = await service.usage()
  const asked = await stage.asked()
  if (job.state !== 'finished' || texts.length !== job.progress.delivered) throw new Error(`the job ended ${job.state} with ${texts.length} texts`)
  return {
    ms,
    jobMs,
    filesMs: ms - jobMs,
    zipBytes: zip.length,
    delivered: texts.length,
    requests: asked.total,
    bytes: asked.bytesOut,
    cpuMs: after.cpuMs - before.cpuMs,
    statements: after.statements - before.statements,
  }
}

async function timed(stage: Stage, work: () => Promise<number>): Promise<Way> {
  await stage.asked()
  const startedMs = performance.now()
  const delivered = await work()
  const ms = performance.now() - startedMs
  const { total, bytesOut }: RequestCounts = await stage.asked()
  return { ms, delivered, requests: total, bytes: bytesOut }
}

/** The quickest round, of ours as of the loop: what else the machine does only slows down. */
function quickest<W extends Way>(rounds: readonly W[]): W {
  const [first, ...others] = rounds
  if (first === undefined) throw new Error('nothing was measured')
  return others.reduce((best, round) => (round.ms < best.ms ? round : best), first)
}

/** What the stand-in knows of itself: the channel's id and its uploads, newest first. */
export async function readChannel(origin: string, handle: string): Promise<{ channelId: string; videoIds: string[] }> {
  const read = async (query: string): Promise<Truth> => (await (await fetch(`${origin}/emulator/world?${query}`)).json()) as Truth
  const channel = (await read('limit=1')).channels.find((one) => one.handle === handle)
  if (channel === undefined) throw new Error(`the stand-in has no channel ${handle}`)
  const { videos } = await read(`channel=${channel.channelId}&limit=1000`)
  return { channelId: channel.channelId, videoIds: videos.map(({ videoId }) => videoId) }
}

type Truth = { channels: { handle: string | null; channelId: string }[]; videos: { videoId: string }[] }

function print({ videos, latencies, cpu }: ChannelResult): void {
  const line = (name: string, way: Way | null, bare: Way): (string | number)[] => way === null
    ? [name, '-', '-', '-', '-', '-']
    : [name, Math.round(way.ms), (bare.ms / way.ms).toFixed(2), way.delivered, way.requests, (way.bytes / 1e6).toFixed(1)]
  console.log(`a channel of ${videos} videos, from its URL to the texts`)
  for (const { latencyMs, ours, bare, youtubeiJs, youtubeTranscriptPlus, shareOfBare, jobShareOfBare } of latencies) {
    console.log(`\nplatform latency ${latencyMs} ms`)
    console.log(table([
      ['', 'ms', 'of the bare loop', 'delivered', 'requests', 'MB'],
      line('bare loop, the limit', bare, bare),
      line('ours, results and ZIP', ours, bare),
      line('youtube-transcript-plus x 8', youtubeTranscriptPlus, bare),
      line('youtubei.js, one by one', youtubeiJs, bare),
    ]))
    console.log(`ours: job ${Math.round(ours.jobMs)} ms (${jobShareOfBare.toFixed(2)}), results and ZIP of ${(ours.zipBytes / 1e6).toFixed(1)} MB ${Math.round(ours.filesMs)} ms; ` +
      `CPU ${(ours.cpuMs / ours.delivered).toFixed(1)} ms and ${(ours.statements / ours.delivered).toFixed(2)} statements a transcript`)
    if (latencyMs > 0) console.log(`goal ${GOAL} of the bare loop: ${verdict(shareOfBare >= GOAL)}`)
  }
  const parts = Object.entries(cpu.byPart).sort(([, a], [, b]) => b - a)
  console.log(`\nCPU of our process at 0 ms: ${parts.map(([name, ms]) => `${name} ${percent(ms / cpu.busyMs)}`).join(', ')}`)
}
