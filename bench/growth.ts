/**
 * Whether years of old jobs slow anything down: two services in one run, one over a thousand old jobs,
 * one over many; each request goes to both in turn, so that what else the machine does meets both.
 */
import type { Customer } from '../conformance/customer.ts'
import type { Json } from '../conformance/http.ts'
import { addOldRows } from './old-rows.ts'
import { TALKS } from './captions.ts'
import type { BenchOptions } from './bench.ts'
import { channelOf, openStage, type MeasuredService, type Stage } from './stage/stage.ts'
import { median, table, verdict } from './table.ts'

/** Medians in milliseconds; the last is a rate. */
export type Pace = {
  'POST /jobs': number
  'GET /jobs': number
  'GET /jobs/{id}': number
  'results, 20 rows': number
  'GET /balance': number
  'transcripts/s': number
}
export type GrowthStep = { oldJobs: number; oldRows: number; few: Pace; many: Pace }
export type GrowthResult = { steps: GrowthStep[] }

/** Bytes of a body with twelve minutes' words. */
const TALK_BYTES = 5_600

/** A tenth of the old jobs are the measured account's own. */
const SIZES = {
  /** A million texts of twelve minutes each: some seven GB of disk. */
  full: {
    few: 1_000,
    many: [100_000],
    rowsPerJob: 10,
    textBytes: TALK_BYTES,
    rounds: 60,
    videos: 150,
    deliveries: 3,
  },
  /** Ten million, where the disk has room for 70 GB. */
  long: {
    textBytes: TALK_BYTES,
    few: 1_000,
    many: [100_000, 1_000_000],
    rowsPerJob: 10,
    rounds: 200,
    videos: 200,
    deliveries: 3,
  },
  smoke: { few: 10, many: [30], rowsPerJob: 3, textBytes: 32, rounds: 2, videos: 3, deliveries: 1 },
}
export const SLOWER_MAX = 1.2
const RESULT_ROWS = 20
/** Jobs that are only started stay queued: no worker runs while requests are timed. */
const ENV = { ROLES: 'api', MAX_ACTIVE_JOBS: '100000' }

type Size = (typeof SIZES)['full']
type Side = {
  stage: Stage
  api: MeasuredService
  client: Customer
  channelId: string
  videoIds: string[]
  job: Json
}

export async function run({ smoke, long }: BenchOptions): Promise<GrowthResult> {
  const size = SIZES[smoke ? 'smoke' : long ? 'long' : 'full']
  const stages = [await openStage({ smoke })]
  try {
    stages.push(await openStage({ smoke }))
    const [few, many] = await Promise.all(stages.map((stage) => openSide(stage)))
    if (few === undefined || many === undefined) throw new Error('two services are compared')
    const result = await measure({ few, many }, size)
    print(result)
    return result
  } finally {
    await Promise.all(stages.map((stage) => stage.close()))
  }
}

async function openSide(stage: Stage): Promise<Side> {
  const api = await stage.service(ENV)
  const client = await stage.client(api, '5000')
  const { channelId, videos } = channelOf(TALKS)
  const worker = await stage.service({ ROLES: 'worker' })
  const job = await deliver({ client, channelId }, RESULT_ROWS)
  await worker.close()
  return { stage, api, client, channelId, videoIds: videos.map(({ videoId }) => videoId), job }
}

async function measure(
  { few, many }: { few: Side; many: Side },
  size: Size,
): Promise<GrowthResult> {
  const { rowsPerJob, textBytes } = size
  await addOldRows(few.stage.pool, {
    accountId: few.client.accountId,
    after: 0,
    jobs: size.few,
    rowsPerJob,
    textBytes,
  })
  const steps: GrowthStep[] = []
  let oldJobs = 0
  for (const jobs of size.many) {
    await addOldRows(many.stage.pool, {
      accountId: many.client.accountId,
      after: oldJobs,
      jobs: jobs - oldJobs,
      rowsPerJob,
      textBytes,
    })
    oldJobs = jobs
    const requests = await timeRequests([few, many], size)
    const rates = await timeDeliveries([few, many], size)
    const paceOf = (side: number): Pace =>
      ({ ...requests[side], 'transcripts/s': rates[side] ?? 0 }) as Pace
    steps.push({ oldJobs, oldRows: oldJobs * rowsPerJob, few: paceOf(0), many: paceOf(1) })
  }
  return { steps }
}

let spelling = 0

async function timeRequests(
  sides: Side[],
  { rounds }: Size,
): Promise<Omit<Pace, 'transcripts/s'>[]> {
  const times = sides.map(() => new Map<string, number[]>())
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { client, videoIds, job }] of sides.entries()) {
      const url = `https://www.youtube.com/watch?v=${videoIds[round % videoIds.length]}&growth=${(spelling += 1)}`
      const asks: [keyof Pace, () => Promise<unknown>][] = [
        ['POST /jobs', () => client.startsJob({ urls: [url], maxVideos: 1 })],
        ['GET /jobs', () => client.gets('/jobs')],
        ['GET /jobs/{id}', () => client.gets(`/jobs/${job['id']}`)],
        ['results, 20 rows', () => client.gets(`/jobs/${job['id']}/results`)],
        ['GET /balance', () => client.gets('/balance')],
      ]
      for (const [name, ask] of asks) {
        const startedMs = performance.now()
        await ask()
        times[at]?.set(name, [...(times[at].get(name) ?? []), performance.now() - startedMs])
      }
    }
  }
  return times.map((ofSide) =>
    Object.fromEntries([...ofSide].map(([name, values]) => [name, median(values)])),
  ) as Omit<Pace, 'transcripts/s'>[]
}

/**
 * Returns the best of a few rounds for each side, the sides in turn. Each side's worker first ends the jobs that were
 * only started above.
 */
async function timeDeliveries(sides: Side[], { videos, deliveries }: Size): Promise<number[]> {
  const workers = await Promise.all(sides.map(({ stage }) => stage.service({ ROLES: 'worker' })))
  const best = sides.map(() => 0)
  await Promise.all(sides.map((side) => deliver(side, 1)))
  for (const { stage } of sides) await untilQuiet(stage)
  for (let round = 0; round < deliveries; round += 1) {
    for (const [at, side] of sides.entries()) {
      const startedMs = performance.now()
      const { progress } = await deliver(side, videos)
      best[at] = Math.max(
        best[at] ?? 0,
        progress.delivered / ((performance.now() - startedMs) / 1000),
      )
    }
  }
  await Promise.all(workers.map((worker) => worker.close()))
  return best
}

async function untilQuiet({ pool }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ open: boolean }>(
      "select exists (select from job where state in ('queued', 'running', 'cancelling')) as open",
    )
    if (rows[0]?.open === false) return
  }
}

async function deliver(
  { client, channelId }: Pick<Side, 'client' | 'channelId'>,
  maxVideos: number,
): Promise<Json> {
  const urls = [`https://www.youtube.com/channel/${channelId}?growth=${(spelling += 1)}`]
  return client.waitsFor(await client.startsJob({ urls, maxVideos }))
}

function print({ steps }: GrowthResult): void {
  for (const { oldJobs, oldRows, few, many } of steps) {
    console.log(
      `over ${oldJobs.toLocaleString('en')} old jobs and ${oldRows.toLocaleString('en')} old rows, beside a service with a thousand`,
    )
    const names = Object.keys(many) as (keyof Pace)[]
    console.log(
      table([
        ['median ms, or rate', 'few', 'many', 'slower by', `goal <= ${SLOWER_MAX}`],
        ...names.map((name) => {
          const slower = slowdown(name, few, many)
          return [
            name,
            few[name].toFixed(2),
            many[name].toFixed(2),
            slower.toFixed(2),
            verdict(slower <= SLOWER_MAX),
          ]
        }),
      ]),
    )
  }
}

/** Returns a ratio above 1 where many old rows cost time, whether the figure is a time or a rate. */
function slowdown(name: keyof Pace, few: Pace, many: Pace): number {
  return name === 'transcripts/s' ? few[name] / many[name] : many[name] / few[name]
}
