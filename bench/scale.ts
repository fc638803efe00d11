/**
 * Whether more workers deliver more: transcripts and platform requests per second with 1, 2 and 4 worker processes at
 * 50 ms platform latency, statements a transcript, and the same over a million old rows. Small workers, which wait for
 * the platform most of the time, tell whether anything they share is in the way; workers as they come tell what this
 * machine's cores can do. All share this machine's cores with the database and the platform's stand-in; the best of a
 * few rounds counts.
 */
import os from 'node:os'
import type { Customer } from '../conformance/customer.ts'
import type { BenchOptions } from './bench.ts'
import { addOldRows } from './old-rows.ts'
import { channelOf, onStage, type MeasuredService, type Stage } from './stage/stage.ts'
import { table } from './table.ts'

export type ScaleLine = {
  workers: number
  /** Videos that each worker fetches at once. */
  slots: number
  oldRows: number
  transcripts: number
  transcriptsPerSecond: number
  requestsPerSecond: number
  /** Statements of workers and API together. */
  statementsPerTranscript: number
  /** CPU of workers and API, and how many cores that was. */
  cpuMsPerTranscript: number
  cores: number
}
export type ScaleResult = { cores: number; latencyMs: number; lines: ScaleLine[] }

const LATENCY_MS = 50
const SIZES = {
  full: { workers: [1, 2, 4], jobs: 24, videos: 20, rounds: 3, oldJobs: 100_000, rowsPerJob: 10 },
  smoke: { workers: [1, 2], jobs: 2, videos: 4, rounds: 1, oldJobs: 20, rowsPerJob: 5 },
}
const CHANNEL = '@endlessarchive'
const ACCOUNTS = 4
const PLACES = { few: 6, usual: 64 }

type Size = (typeof SIZES)['full']

export async function run({ smoke }: BenchOptions): Promise<ScaleResult> {
  const result = await onStage(smoke, (stage) => measure(stage, SIZES[smoke ? 'smoke' : 'full']))
  print(result)
  return result
}

async function measure(stage: Stage, size: Size): Promise<ScaleResult> {
  const api = await stage.service({ ROLES: 'api' })
  const clients = await Promise.all(
    Array.from({ length: ACCOUNTS }, () => stage.client(api, '500')),
  )
  const { channelId } = channelOf(CHANNEL)
  await stage.setLatency(LATENCY_MS)
  const workers: MeasuredService[] = []
  const lines: ScaleLine[] = []
  const measureAll = async (slots: number, oldRows: number): Promise<void> => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()))
    for (const count of size.workers) {
      while (workers.length < count)
        workers.push(await stage.service({ ROLES: 'worker', WORKER_VIDEOS: String(slots) }))
      if (lines.length === 0) await deliverAll({ ...ground, workers }, { ...size, jobs: 1 }) // the session identity, warm caches
      const rounds: Delivered[] = []
      for (let round = 0; round < size.rounds; round += 1)
        rounds.push(await deliverAll({ ...ground, workers }, size))
      lines.push({
        ...rounds.reduce((best, one) =>
          one.transcriptsPerSecond > best.transcriptsPerSecond ? one : best,
        ),
        slots,
        oldRows,
      })
    }
  }
  const ground = { stage, api, clients, channelId }
  await measureAll(PLACES.few, 0)
  await measureAll(PLACES.usual, 0)
  const { oldJobs: jobs, rowsPerJob } = size
  await addOldRows(stage.pool, {
    accountId: clients[0]?.accountId ?? '',
    after: 0,
    jobs,
    rowsPerJob,
  })
  await measureAll(PLACES.usual, jobs * rowsPerJob)
  return { cores: os.availableParallelism(), latencyMs: LATENCY_MS, lines }
}

let spelling = 0

type Delivered = Omit<ScaleLine, 'oldRows' | 'slots'>
type Ground = {
  stage: Stage
  api: MeasuredService
  workers: MeasuredService[]
  clients: Customer[]
  channelId: string
}

async function deliverAll(
  { stage, api, workers, clients, channelId }: Ground,
  { jobs, videos }: Size,
): Promise<Delivered> {
  const usages = (): ReturnType<MeasuredService['usage']>[] =>
    [api, ...workers].map((one) => one.usage())
  await stage.asked()
  const before = await Promise.all(usages())
  const startedMs = performance.now()
  const ended = await Promise.all(
    Array.from({ length: jobs }, async (_, at) => {
      const client = clients[at % clients.length]
      if (client === undefined) throw new Error('a client for each account')
      const urls = [`https://www.youtube.com/channel/${channelId}?scale=${(spelling += 1)}`]
      return client.waitsFor(await client.startsJob({ urls, maxVideos: videos }))
    }),
  )
  const seconds = (performance.now() - startedMs) / 1000
  const after = await Promise.all(usages())
  const asked = await stage.asked()
  const used = (pick: (usage: (typeof after)[number]) => number): number =>
    after.reduce((sum, usage, at) => sum + pick(usage) - pick(before[at] ?? usage), 0)
  const transcripts = ended.reduce((sum, { progress }) => sum + progress.delivered, 0)
  if (transcripts === 0) throw new Error('nothing was delivered')
  const cpuMs = used(({ cpuMs: ms }) => ms)
  return {
    workers: workers.length,
    transcripts,
    transcriptsPerSecond: transcripts / seconds,
    requestsPerSecond: asked.total / seconds,
    statementsPerTranscript: used(({ statements }) => statements) / transcripts,
    cpuMsPerTranscript: cpuMs / transcripts,
    cores: cpuMs / 1000 / seconds,
  }
}

function print({ cores, latencyMs, lines }: ScaleResult): void {
  console.log(
    `platform latency ${latencyMs} ms; ${cores} cores for workers, API, database, stand-in and client`,
  )
  const firstOf = ({ slots, oldRows }: ScaleLine) =>
    lines.find((line) => line.slots === slots && line.oldRows === oldRows)
  console.log(
    table([
      [
        'workers',
        'of slots',
        'old rows',
        'transcripts/s',
        'to one worker',
        'requests/s',
        'statements each',
        'CPU ms each',
        'cores used',
      ],
      ...lines.map((line) => [
        line.workers,
        line.slots,
        line.oldRows.toLocaleString('en'),
        line.transcriptsPerSecond.toFixed(1),
        (line.transcriptsPerSecond / (firstOf(line)?.transcriptsPerSecond ?? 1)).toFixed(2),
        line.requestsPerSecond.toFixed(0),
        line.statementsPerTranscript.toFixed(2),
        line.cpuMsPerTranscript.toFixed(1),
        line.cores.toFixed(2),
      ]),
    ]),
  )
}
