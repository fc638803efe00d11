/**
 * Where the CPU goes: of a worker for each delivered transcript, and of the API for each request, by
 * part of the product and by function. Each is a process of its own, warmed up before.
 */
import type { Customer } from '../conformance/customer.ts'
import type { Json } from '../conformance/http.ts'
import type { BenchOptions } from './bench.ts'
import { TALKS } from './captions.ts'
import { API_PARTS, readProfile, type Shares, WORKER_PARTS } from './stage/cpu-profile.ts'
import { channelOf, onStage, type MeasuredService, type Stage } from './stage/stage.ts'
import { percent, table } from './table.ts'

export type ProfileResult = {
  transcripts: number
  /** CPU of the process as the system counts it: threads of the collector and compiler included. */
  cpuMsPerTranscript: number
  worker: Shares
  requests: number
  cpuMsPerRequest: number
  api: Shares
}

const SIZES = {
  full: { jobs: 5, videos: 200, requests: 1_500, warmUp: 300 },
  smoke: { jobs: 1, videos: 4, requests: 10, warmUp: 0 },
}
const READERS = 4

export async function run({ smoke }: BenchOptions): Promise<ProfileResult> {
  const result = await onStage(smoke, (stage) => measure(stage, SIZES[smoke ? 'smoke' : 'full']))
  print(result)
  return result
}

async function measure(
  stage: Stage,
  { jobs, videos, requests, warmUp }: (typeof SIZES)['full'],
): Promise<ProfileResult> {
  const api = await stage.service({ ROLES: 'api' })
  const worker = await stage.service({ ROLES: 'worker' })
  const client = await stage.client(api)
  const { channelId } = channelOf(TALKS)
  let spelling = 0
  const order = async (): Promise<Json> => {
    const urls = [`https://www.youtube.com/channel/${channelId}?profile=${(spelling += 1)}`]
    return client.waitsFor(await client.startsJob({ urls, maxVideos: videos }))
  }
  const job = await order()
  if (warmUp > 0) await order()
  const delivering = await profiled(
    worker,
    async () => {
      let delivered = 0
      for (let count = 0; count < jobs; count += 1) delivered += (await order()).progress.delivered
      return delivered
    },
    WORKER_PARTS,
  )
  await askMany(client, job, warmUp)
  const answering = await profiled(api, () => askMany(client, job, requests), API_PARTS)
  return {
    transcripts: delivering.result,
    cpuMsPerTranscript: delivering.cpuMs / delivering.result,
    worker: delivering.shares,
    requests: answering.result,
    cpuMsPerRequest: answering.cpuMs / answering.result,
    api: answering.shares,
  }
}

async function profiled<T>(
  service: MeasuredService,
  work: () => Promise<T>,
  parts: typeof API_PARTS,
): Promise<{ result: T; cpuMs: number; shares: Shares }> {
  let cpuMs = 0
  const { result, profile } = await service.profile(async () => {
    const before = await service.usage()
    const done = await work()
    cpuMs = (await service.usage()).cpuMs - before.cpuMs
    return done
  })
  return { result, cpuMs, shares: readProfile(profile, parts) }
}

/** Asks what pollers and readers ask: the job, mostly; then its list, a page of results, the balance. */
async function askMany(client: Customer, { id }: Json, requests: number): Promise<number> {
  const mix = [
    `/jobs/${id}`,
    `/jobs/${id}`,
    `/jobs/${id}`,
    '/balance',
    '/jobs',
    `/jobs/${id}/results?limit=5`,
  ]
  let asked = 0
  const read = async (): Promise<void> => {
    for (let at = asked++; at < requests; at = asked++)
      await client.gets(mix[at % mix.length] ?? '')
  }
  await Promise.all(Array.from({ length: READERS }, read))
  return requests
}

function print({
  transcripts,
  cpuMsPerTranscript,
  worker,
  requests,
  cpuMsPerRequest,
  api,
}: ProfileResult): void {
  console.log(
    `worker: ${cpuMsPerTranscript.toFixed(2)} ms of CPU a transcript (${transcripts} delivered)`,
  )
  printShares(worker)
  console.log(
    `\nAPI: ${cpuMsPerRequest.toFixed(2)} ms of CPU a request (${requests} of a poller's mix)`,
  )
  printShares(api)
}

function printShares({ byPart, busyMs, top }: Shares): void {
  const parts = Object.entries(byPart).sort(([, a], [, b]) => b - a)
  console.log(table(parts.map(([name, ms]) => [name, percent(ms / busyMs)])))
  console.log(
    `  most in: ${top
      .slice(0, 12)
      .map(({ name, part, ms }) => `${name} (${part}) ${percent(ms / busyMs)}`)
      .join('; ')}`,
  )
}
