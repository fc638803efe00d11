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
import { channelOf, type MeasuredService, onStage, type Stage } from './stage/stage.ts'
import { table, verdict } from './table.ts'

export type Way = { ms: number; delivered: number; requests: number; bytes: number }
export type OursWay = Way & {
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
  youtubeiJs: Way | null
  youtubeTranscriptPlus: Way | null
  /** Ratio of our pace to the bare loop's; 1 is the physical limit. */
  shareOfBare: number
  /** Ratio of the paces until the job is final, without results and ZIP. */
  jobShareOfBare: number
}
export type ChannelResult = { videos: number; latencies: AtLatency[] }

type Ground = {
  stage: Stage
  service: MeasuredService
  client: Customer
  channelId: string
  videos: number
}

/** Goals for `shareOfBare`, results and ZIP included, by latency in milliseconds. */
export const GOALS: Record<number, number> = { 0: 0.45, 50: 0.75, 200: 0.92 }
const PARALLEL = 16
/** Reads the position of the write-ahead log and the bytes of the tables of texts. */
const STORED = `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal,
  (select sum(pg_total_relation_size(oid))::float8 from pg_class where relkind = 'r'
    and relnamespace = 'public'::regnamespace and relname in ('transcript', 'transcript_body')) as texts`
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
  const bare = await openBareLoop(stage.origin)
  const peers = {
    youtubei: await youtubeiLoop(stage.origin),
    plus: plusLoop(
      stage.origin,
      uploads.map(({ videoId }) => videoId),
    ),
  }
  const latencies: AtLatency[] = []
  try {
    for (const latencyMs of smoke ? [0] : Object.keys(GOALS).map(Number)) {
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
    return { videos, latencies }
  } finally {
    await bare.close()
  }
}

/** Each order spells the URL differently: a repeat of the same URL would deliver nothing twice. */
let spelling = 0

export async function orderAll({
  stage,
  service,
  client,
  channelId,
  videos,
}: Ground): Promise<OursWay> {
  await stage.asked()
  const before = await service.usage()
  const stored = await storedBytes(stage)
  const startedMs = performance.now()
  const urls = [`https://www.youtube.com/channel/${channelId}?spelling=${(spelling += 1)}`]
  const job = await client.waitsFor(await client.startsJob({ urls, maxVideos: videos }))
  const jobMs = performance.now() - startedMs
  const written = await storedBytes(stage)
  const [rows, zip] = await Promise.all([
    client.readsRows(job),
    client.downloads(`/jobs/${job['id']}/files/zip`),
  ])
  const ms = performance.now() - startedMs
  const after = await service.usage()
  const asked = await stage.asked()
  const delivered = rows.filter(({ text }) => text !== null).length
  if (job['state'] !== 'finished' || delivered !== job['progress'].delivered)
    throw new Error(`the job ended ${job['state']} with ${delivered} texts`)
  return {
    ms,
    jobMs,
    filesMs: ms - jobMs,
    zipBytes: zip.length,
    delivered,
    requests: asked.total,
    bytes: asked.bytesOut,
    cpuMs: after.cpuMs - before.cpuMs,
    statements: after.statements - before.statements,
    walBytes: written.wal - stored.wal,
    storedBytes: written.texts - stored.texts,
  }
}

async function storedBytes({ pool }: Stage): Promise<{ wal: number; texts: number }> {
  const { rows } = await pool.query<{ wal: number; texts: number }>(STORED)
  return rows[0] ?? { wal: 0, texts: 0 }
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
  const line = (name: string, way: Way | null, bare: Way): (string | number)[] =>
    way === null
      ? [name, '-', '-', '-', '-', '-']
      : [
          name,
          Math.round(way.ms),
          (bare.ms / way.ms).toFixed(2),
          way.delivered,
          way.requests,
          (way.bytes / 1e6).toFixed(1),
        ]
  console.log(`a channel of ${videos} videos, from its URL to the texts`)
  for (const {
    latencyMs,
    ours,
    bare,
    youtubeiJs,
    youtubeTranscriptPlus,
    shareOfBare,
    jobShareOfBare,
  } of latencies) {
    console.log(`\nplatform latency ${latencyMs} ms`)
    console.log(
      table([
        ['', 'ms', 'of the bare loop', 'delivered', 'requests', 'MB'],
        line('bare loop, the limit', bare, bare),
        line('ours, results and ZIP', ours, bare),
        line('youtube-transcript-plus x 8', youtubeTranscriptPlus, bare),
        line('youtubei.js, one by one', youtubeiJs, bare),
      ]),
    )
    console.log(
      `ours: job ${Math.round(ours.jobMs)} ms (${jobShareOfBare.toFixed(2)}), results and ZIP of ${(ours.zipBytes / 1e6).toFixed(1)} MB ${Math.round(ours.filesMs)} ms; ` +
        `CPU ${(ours.cpuMs / ours.delivered).toFixed(1)} ms, ${(ours.statements / ours.delivered).toFixed(2)} statements, ` +
        `${(ours.storedBytes / ours.delivered / 1000).toFixed(1)} KB of texts and ${(ours.walBytes / ours.delivered / 1000).toFixed(1)} KB of log a transcript`,
    )
    const goal = GOALS[latencyMs] ?? 0
    console.log(`goal ${goal} of the bare loop: ${verdict(shareOfBare >= goal)}`)
  }
}
