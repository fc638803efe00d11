/**
 * What a thousand followers cost an API process that has nothing to tell them: each holds an event stream
 * of a job of its own, open and idle but for its heartbeats. The streams come from a process of their own
 * (this one), the jobs wait for a worker that never comes.
 */
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Customer } from '../conformance/customer.ts'
import type { Json } from '../conformance/http.ts'
import type { BenchOptions } from './bench.ts'
import { type MeasuredService, onStage, type Stage } from './stage/stage.ts'
import { percent, table, verdict } from './table.ts'

export type StreamsResult = {
  streams: number
  /** Resident memory of the process at most, above what it was before the streams, in MB. */
  growthMb: number
  /** Share of one core that the process took while all streams were idle, and before there were any. */
  cpuShare: number
  cpuShareBefore: number
  statementsPerSecond: number
  heartbeats: number
  seconds: number
}

export const GROWTH_MB_MAX = 200
export const CPU_SHARE_MAX = 0.05
const ACCOUNT_STREAMS = 50
/** Number of readings of the memory while nothing happens. */
const LOOKS = 5
const SIZES = {
  full: { streams: 1_000, idleMs: 45_000, beforeMs: 10_000, warmUp: 200 },
  smoke: { streams: 10, idleMs: 1_500, beforeMs: 200, warmUp: 5 },
}
/** Milliseconds in which garbage of the openings is collected and written, before idle time is measured. */
const SETTLE_MS = { full: 10_000, smoke: 100 }

export async function run({ smoke }: BenchOptions): Promise<StreamsResult> {
  const result = await onStage(smoke, (stage) => measure(stage, smoke))
  print(result)
  return result
}

async function measure(stage: Stage, smoke: boolean): Promise<StreamsResult> {
  const { streams, idleMs, beforeMs, warmUp } = SIZES[smoke ? 'smoke' : 'full']
  const env = { ROLES: 'api', MAX_ACTIVE_JOBS: String(streams * 2) }
  const orders = await orderJobs(stage, await stage.service(env), streams)
  // A fresh process: memory that the orders left free in the old one would hide what streams take.
  const service = await stage.service({ ...env, TRUSTED_PROXIES: '127.0.0.1' }) // not limited by address
  for (const order of orders) order.address = service.address
  const first = await openStreams(orders.slice(0, warmUp))
  await first.close()
  await pause(SETTLE_MS[smoke ? 'smoke' : 'full'])

  const before = await usedDuring(service, beforeMs)
  const open = await openStreams(orders)
  await pause(SETTLE_MS[smoke ? 'smoke' : 'full'])
  const heartbeatsBefore = open.heartbeats()
  const idle = await usedDuring(service, idleMs)
  const heartbeats = open.heartbeats() - heartbeatsBefore
  const stillOpen = open.count()
  await open.close()
  if (stillOpen !== streams) throw new Error(`${streams - stillOpen} streams ended`)
  return {
    streams,
    growthMb: idle.rssMb - before.rssMb,
    cpuShare: idle.cpuShare,
    cpuShareBefore: before.cpuShare,
    statementsPerSecond: idle.statementsPerSecond,
    heartbeats,
    seconds: idleMs / 1000,
  }
}

type Order = { client: Customer; job: Json; address: string }

/** Orders `count` jobs that no worker takes, fifty from each account. */
async function orderJobs(stage: Stage, service: MeasuredService, count: number): Promise<Order[]> {
  const orders: Order[] = []
  let client = await stage.client(service)
  for (let at = 0; at < count; at += 1) {
    if (at > 0 && at % ACCOUNT_STREAMS === 0) client = await stage.client(service)
    const urls = [`https://www.youtube.com/watch?v=v${String(at).padStart(10, '0')}`]
    orders.push({
      client,
      job: await client.startsJob({ urls, maxVideos: 1 }),
      address: service.address,
    })
  }
  return orders
}

async function openStreams(orders: readonly Order[]) {
  const answers: http.IncomingMessage[] = []
  let heartbeats = 0
  for (const order of orders) {
    const answer = await openStream(order)
    answer.on('data', (piece: Buffer) => {
      if (piece.includes(': here')) heartbeats += 1
    })
    answer.on('error', () => undefined)
    answers.push(answer)
  }
  return {
    heartbeats: () => heartbeats,
    count: () =>
      answers.filter(({ readableEnded, destroyed }) => !readableEnded && !destroyed).length,
    async close(): Promise<void> {
      for (const answer of answers) answer.destroy()
    },
  }
}

function openStream({ client, job, address }: Order): Promise<http.IncomingMessage> {
  const headers = { Authorization: `Bearer ${client.apiKey}` }
  return new Promise((resolve, reject) => {
    http
      .get(`${address}/api/v1/jobs/${job['id']}/events`, { agent: false, headers }, (answer) => {
        if (answer.statusCode === 200) resolve(answer)
        else reject(new Error(`a stream was answered ${answer.statusCode}`))
      })
      .once('error', reject)
  })
}

async function usedDuring(service: MeasuredService, ms: number) {
  const before = await service.usage()
  const startedMs = performance.now()
  let after = before
  let rssMb = 0
  for (let look = 0; look < LOOKS; look += 1) {
    await pause(ms / LOOKS)
    after = await service.usage()
    rssMb = Math.max(rssMb, after.rssBytes / 1e6)
  }
  const tookMs = performance.now() - startedMs
  return {
    rssMb,
    cpuShare: (after.cpuMs - before.cpuMs) / tookMs,
    statementsPerSecond: ((after.statements - before.statements) / tookMs) * 1000,
  }
}

function print(result: StreamsResult): void {
  const { streams, growthMb, cpuShare, cpuShareBefore, heartbeats, seconds } = result
  console.log(
    `${streams} event streams of as many jobs, idle for ${seconds} s (${heartbeats} heartbeats), at one API process`,
  )
  console.log(
    table([
      ['', 'measured', 'goal', ''],
      [
        'memory above none, MB',
        growthMb.toFixed(0),
        `< ${GROWTH_MB_MAX}`,
        verdict(growthMb < GROWTH_MB_MAX),
      ],
      ['a stream, KB', ((growthMb * 1000) / streams).toFixed(0), '', ''],
      [
        'CPU of one core',
        `${(cpuShare * 100).toFixed(1)} %`,
        `< ${percent(CPU_SHARE_MAX)}`,
        verdict(cpuShare < CPU_SHARE_MAX),
      ],
      ['the same without streams', `${(cpuShareBefore * 100).toFixed(1)} %`, '', ''],
      ['statements a second', result.statementsPerSecond.toFixed(1), '', ''],
    ]),
  )
}
