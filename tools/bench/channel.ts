/**
 * The transcripts of a 200-video channel from its URL to the texts: our service over its API (start,
 * wait, results, ZIP) beside a bare loop that does only the unavoidable requests, and two public
 * clients. At 0 ms nothing but CPU counts.
 */
import type { Customer } from '../conformance/customer.ts'
import type { BenchOptions } from './bench.ts'
import { openBareLoop } from './bare-loop.ts'
import { TALKS } from './captions.ts'
import { plusLoop, youtubeiLoop } from './peer-loops.ts'
import {
  channelOf,
  type MeasuredService,
  newSpelling,
  onStage,
  type Stage,
  storedBytes,
} from './stage/stage.ts'
import { table, verdict } from './table.ts'

type Way = { ms: number; delivered: number; requests: number; bytes: number }
type OursWay = Way & {
  /** Time until the job is final; reading results and ZIP, side by side, comes on top in `filesMs`. */
  jobMs: number
  filesMs: number
  zipBytes: number
  cpuMs: number
  statements: number
  /** Bytes of the write-ahead log, and of the tables of texts with their indexes, for the whole job. */
  walBytes: number
  storedBytes: number
}
export type AtLatency = {
  latencyMs: number
  ours: OursWay
  bare: Way
  youtubeiJs: Way
  youtubeTranscriptPlus: Way
  /** Ratio of our pace to the bare loop's; 1 is the physical limit. */
  shareOfBare: number
  /** Ratio of the paces until the job is final, without results and ZIP. */
  jobShareOfBare: number
}
type ChannelResult = { videos: number; latencies: AtLatency[] }

type Ground = {
  stage: Stage
  service: MeasuredService
  client: Customer
  channelId: string
  videos: number
}

/** Goals for `shareOfBare`, results and ZIP included, by latency in milliseconds. */
const GOALS: Record<number, number> = { 0: 0.45, 50: 0.75, 200: 0.92 }
/** Rounds of the bare loop and of the service alternate. */
const ROUNDS = 5
const WARM_UP_ROUNDS = 5

export async function run({ smoke }: BenchOptions): Promise<ChannelResult> {
  const result = await onStage(smoke, (stage) => measure(stage, smoke))
  print(result)
  return result
}

async function measure(stage: Stage, smoke: boolean): Promise<ChannelResult> {
  const { channelId, videos: uploads } = channelOf(TALKS)
  const videos = smoke ? 6 : 200
  const service = await stage.service()
  const ground = { stage, service, client: await stage.client(service), channelId, videos }
  // Warm-up: code gets compiled, and the session identity is minted.
  for (let round = 0; round < (smoke ? 1 : WARM_UP_ROUNDS); round += 1) await orderAll(ground)
  const bare = await openBareLoop(stage)
  const youtubei = await youtubeiLoop(stage.origin)
  const plus = plusLoop(
    stage.origin,
    uploads.map(({ videoId }) => videoId),
  )
  const ask = { channelId, videos }
  const latencies: AtLatency[] = []
  for (const latencyMs of smoke ? [0] : Object.keys(GOALS).map(Number)) {
    await stage.setLatency(latencyMs)
    const oursRounds: OursWay[] = []
    const bareRounds: Way[] = []
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round += 1) {
      bareRounds.push(await timed(stage, () => bare(ask)))
      oursRounds.push(await orderAll(ground))
    }
    const [ours, least] = [quickest(oursRounds), quickest(bareRounds)]
    latencies.push({
      latencyMs,
      ours,
      bare: least,
      youtubeiJs: await timed(stage, () => youtubei(ask)),
      youtubeTranscriptPlus: await timed(stage, () => plus(ask)),
      shareOfBare: least.ms / ours.ms,
      jobShareOfBare: least.ms / ours.jobMs,
    })
  }
  return { videos, latencies }
}

async function orderAll({ stage, service, client, channelId, videos }: Ground): Promise<OursWay> {
  await stage.asked()
  const before = await service.usage()
  const stored = await storedBytes(stage.pool)
  const startedMs = performance.now()
  const order = { urls: [newSpelling(channelId)], maxVideos: videos }
  const job = await client.waitsFor(await client.startsJob(order))
  const jobMs = performance.now() - startedMs
  const written = await storedBytes(stage.pool)
  const [rows, zip] = await Promise.all([
    client.readsRows(job),
    client.downloads(`/jobs/${job['id']}/files/zip`),
  ])
  const ms = performance.now() - startedMs
  const after = await service.usage()
  const { total, bytesOut } = await stage.asked()
  const delivered = rows.filter(({ text }) => text !== null).length
  if (job['state'] !== 'finished' || delivered !== job['progress'].delivered)
    throw new Error(`the job ended ${job['state']} with ${delivered} texts`)
  return {
    ms,
    jobMs,
    filesMs: ms - jobMs,
    zipBytes: zip.length,
    delivered,
    requests: total,
    bytes: bytesOut,
    cpuMs: after.cpuMs - before.cpuMs,
    statements: after.statements - before.statements,
    walBytes: written.wal - stored.wal,
    storedBytes: written.texts - stored.texts,
  }
}

async function timed(stage: Stage, work: () => Promise<number>): Promise<Way> {
  await stage.asked()
  const startedMs = performance.now()
  const delivered = await work()
  const ms = performance.now() - startedMs
  const { total, bytesOut } = await stage.asked()
  return { ms, delivered, requests: total, bytes: bytesOut }
}

/** Returns the quickest round, for service and loop alike: other load on the machine can only slow a round down. */
function quickest<W extends Way>(rounds: readonly W[]): W {
  const [first, ...others] = rounds
  if (first === undefined) throw new Error('nothing was measured')
  return others.reduce((best, round) => (round.ms < best.ms ? round : best), first)
}

function print({ videos, latencies }: ChannelResult): void {
  console.log(`a channel of ${videos} videos, from its URL to the texts`)
  for (const one of latencies) {
    const { latencyMs, ours, bare, shareOfBare } = one
    const line = (name: string, way: Way): (string | number)[] => {
      const { ms, delivered, requests, bytes } = way
      const share = (bare.ms / ms).toFixed(2)
      return [name, Math.round(ms), share, delivered, requests, (bytes / 1e6).toFixed(1)]
    }
    const each = (total: number, digits: number): string => (total / ours.delivered).toFixed(digits)
    const goal = GOALS[latencyMs] ?? 0
    console.log(
      [
        `\nplatform latency ${latencyMs} ms`,
        table([
          ['', 'ms', 'of the bare loop', 'delivered', 'requests', 'MB'],
          line('bare loop, the limit', bare),
          line('ours, results and ZIP', ours),
          line('youtube-transcript-plus x 8', one.youtubeTranscriptPlus),
          line('youtubei.js, one by one', one.youtubeiJs),
        ]),
        `ours: job ${Math.round(ours.jobMs)} ms (${one.jobShareOfBare.toFixed(2)}), results and ZIP of ` +
          `${(ours.zipBytes / 1e6).toFixed(1)} MB ${Math.round(ours.filesMs)} ms; CPU ${each(ours.cpuMs, 1)} ms, ` +
          `${each(ours.statements, 2)} statements, ${each(ours.storedBytes / 1000, 1)} KB of texts and ` +
          `${each(ours.walBytes / 1000, 1)} KB of log a transcript`,
        `goal ${goal} of the bare loop: ${verdict(shareOfBare >= goal)}`,
      ].join('\n'),
    )
  }
}
