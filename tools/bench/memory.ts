/**
 * Memory of the API and of a worker, each a process of its own, while 20 jobs of 500 videos run and
 * three ZIPs are read slowly: a curve, and whether it still grows in its last third.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Customer } from '../conformance/customer.ts'
import type { Json } from '../conformance/http.ts'
import type { BenchOptions } from './bench.ts'
import { channelOf, newSpelling, onStage, type MeasuredService, type Stage } from './stage/stage.ts'
import { median, percent, sparkline, table, verdict } from './table.ts'

type Curve = {
  /** Resident memory in MB, one value each sample. */
  rssMb: number[]
  /** Medians of the thirds. */
  thirdsMb: number[]
  /** Growth of the last third's median over the second's, as a share. */
  growth: number
  isBounded: boolean
}
type MemoryResult = {
  jobs: number
  jobsAtOnce: number
  videosPerJob: number
  seconds: number
  transcripts: number
  zipBytes: number
  /** Count of whole ZIPs that the three readers got while the jobs ran. */
  zipsRead: number
  api: Curve
  worker: Curve
}

const SIZES = {
  full: { jobs: 20, videos: 500, zipVideos: 200, sampleMs: 500, rounds: 1 },
  /** Twenty jobs after twenty jobs, for minutes: growth that a short run shows either ends here or goes on. */
  long: { jobs: 20, videos: 500, zipVideos: 200, sampleMs: 500, rounds: 8 },
  smoke: { jobs: 2, videos: 4, zipVideos: 3, sampleMs: 20, rounds: 1 },
}
const READERS = 3
/** Pause of a slow reader after each chunk, in milliseconds. */
const READER_PAUSE_MS = 40
/** Share above which the difference of two thirds is growth; less is noise of the collector. */
export const MEMORY_GROWTH_MAX = 0.05
const CHANNEL = '@endlessarchive'

export async function run({ smoke, long }: BenchOptions): Promise<MemoryResult> {
  const result = await onStage(smoke, (stage) =>
    measure(stage, SIZES[smoke ? 'smoke' : long ? 'long' : 'full']),
  )
  print(result)
  return result
}

type Size = (typeof SIZES)['full']

async function measure(
  stage: Stage,
  { jobs, videos, zipVideos, sampleMs, rounds }: Size,
): Promise<MemoryResult> {
  const api = await stage.service({ ROLES: 'api' })
  const worker = await stage.service({ ROLES: 'worker' })
  const clients = [await stage.client(api, '2000'), await stage.client(api, '2000')] as const
  const { channelId } = channelOf(CHANNEL)
  const order = (client: Customer, maxVideos: number): Promise<Json> =>
    client.startsJob({ urls: [newSpelling(channelId)], maxVideos })
  const archived = await clients[0].waitsFor(await order(clients[0], zipVideos))
  const zipBytes = (await clients[0].downloads(`/jobs/${archived['id']}/files/zip`)).length

  const startedMs = performance.now()
  const over = new AbortController()
  const zips = Promise.all(
    Array.from({ length: READERS }, () => readSlowly(clients[0], archived, over.signal)),
  )
  zips.catch(() => undefined) // it is waited for at the end
  const sampling = sample({ api, worker }, sampleMs, over.signal)
  const ended: Json[] = []
  for (let round = 0; round < rounds; round += 1) {
    const started = await Promise.all(
      Array.from({ length: jobs }, async (_, at) => {
        const client = clients[at % 2 === 0 ? 0 : 1]
        return { client, job: await order(client, videos) }
      }),
    )
    ended.push(...(await Promise.all(started.map(({ client, job }) => client.waitsFor(job)))))
  }
  const seconds = (performance.now() - startedMs) / 1000
  over.abort()
  const curves = await sampling
  const notFinished = ended.filter(({ state }) => state !== 'finished').length
  if (notFinished > 0) throw new Error(`${notFinished} jobs did not finish`)
  return {
    jobs: ended.length,
    jobsAtOnce: jobs,
    videosPerJob: videos,
    seconds,
    transcripts: ended.reduce((sum, { progress }) => sum + progress.delivered, 0),
    zipBytes,
    zipsRead: (await zips).reduce((sum, read) => sum + read, 0),
    api: curveOf(curves.api),
    worker: curveOf(curves.worker),
  }
}

/** Reads one ZIP after the other, a chunk at a time; resolves with the number of whole ZIPs. */
async function readSlowly(client: Customer, { id }: Json, signal: AbortSignal): Promise<number> {
  let zips = 0
  while (!signal.aborted) {
    for await (const chunk of await client.opens(`/jobs/${id}/files/zip`)) {
      if (signal.aborted || chunk.length === 0) return zips
      await pause(READER_PAUSE_MS)
    }
    zips += 1
  }
  return zips
}

async function sample(
  { api, worker }: { api: MeasuredService; worker: MeasuredService },
  everyMs: number,
  signal: AbortSignal,
): Promise<{ api: number[]; worker: number[] }> {
  const taken = { api: [] as number[], worker: [] as number[] }
  while (!signal.aborted) {
    const [ofApi, ofWorker] = await Promise.all([api.usage(), worker.usage()])
    taken.api.push(ofApi.rssBytes / 1e6)
    taken.worker.push(ofWorker.rssBytes / 1e6)
    await pause(everyMs)
  }
  return taken
}

function curveOf(rssMb: number[]): Curve {
  const edges = [0, 1, 2, 3].map((third) => Math.floor((third * rssMb.length) / 3))
  const thirdsMb = [0, 1, 2].map((third) => median(rssMb.slice(edges[third], edges[third + 1])))
  const growth = (thirdsMb[2] ?? Number.NaN) / (thirdsMb[1] ?? Number.NaN) - 1
  return { rssMb, thirdsMb, growth, isBounded: growth <= MEMORY_GROWTH_MAX }
}

function print(result: MemoryResult): void {
  const { api, worker } = result
  const goal = `goal <= ${percent(MEMORY_GROWTH_MAX)}`
  const line = (name: string, { rssMb, thirdsMb, growth, isBounded }: Curve): string[] => [
    name,
    ...thirdsMb.map((mb) => mb.toFixed(0)),
    Math.max(...rssMb).toFixed(0),
    percent(growth),
    verdict(isBounded),
  ]
  console.log(
    `${result.jobs} jobs of ${result.videosPerJob} videos, ${result.jobsAtOnce} at a time, ${result.transcripts} transcripts in ${result.seconds.toFixed(0)} s, ` +
      `beside ${READERS} slow readers of a ZIP of ${(result.zipBytes / 1e6).toFixed(1)} MB (${result.zipsRead} read whole)`,
  )
  console.log(
    table([
      ['RSS in MB', '1st third', '2nd', 'last', 'most', 'growth', goal],
      line('API', api),
      line('worker', worker),
    ]),
  )
  console.log(`API     ${sparkline(api.rssMb)}\nworker  ${sparkline(worker.rssMb)}`)
}
