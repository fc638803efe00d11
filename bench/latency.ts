/**
 * How long a customer waits for one video with a platform that answers at once: from POST to the first
 * text that can be read (polled), and to the final job (waited for), beside a bare loop over HTTP that only sends the
 * requests to the platform.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Customer } from '../conformance/customer.ts'
import type { Json } from '../conformance/http.ts'
import type { BenchOptions } from './bench.ts'
import { openBareLoop } from './bare-loop.ts'
import { TALKS } from './captions.ts'
import { channelOf, onStage, type Stage } from './stage/stage.ts'
import { median, table, verdict } from './table.ts'

export type LatencyResult = {
  jobs: number
  /** Medians in milliseconds, each from the moment before POST. */
  acceptedMs: number
  firstTextMs: number
  finalMs: number
  /** Time to the final job once V8 has compiled what is run, after hundreds of jobs more. */
  finalWarmMs: number
  /** Time in one request that is answered when the job ends (`Prefer: wait`), V8 warm as well. */
  finalAtOnceMs: number
  /** Time of one video's requests to the platform, sent bare. */
  bareMs: number
  /** Times to first text and final state, minus the bare loop's. */
  firstTextOverBareMs: number
  finalOverBareMs: number
  statementsPerJob: number
}

export const GOAL_MS = 60
const JOBS = { full: 60, smoke: 3 }
const WARM_UP = 10
/** Further jobs in each of two ways; the last ones count. */
const FURTHER = { full: 180, smoke: 6 }
/** Pause between two looks for the text, in milliseconds. */
const POLL_MS = 2

export async function run({ smoke }: BenchOptions): Promise<LatencyResult> {
  const result = await onStage(smoke, (stage) => measure(stage, smoke))
  print(result)
  return result
}

async function measure(stage: Stage, smoke: boolean): Promise<LatencyResult> {
  const jobs = smoke ? JOBS.smoke : JOBS.full
  const service = await stage.service()
  const client = await stage.client(service)
  const videoIds = channelOf(TALKS).videos.map(({ videoId }) => videoId)
  const ids = await delivering({ client, videoIds, wanted: jobs, smoke })

  const times: Timing[] = []
  const before = await service.usage()
  for (const videoId of ids) times.push(await orderOne(client, videoId))
  const after = await service.usage()
  const further: number[] = []
  const atOnce: number[] = []
  for (let at = 0; at < (smoke ? FURTHER.smoke : FURTHER.full); at += 1) {
    const videoId = ids[at % ids.length] ?? ''
    further.push(await orderAgain(client, videoId, at))
    atOnce.push(await orderAtOnce(client, videoId, at))
  }
  const bareMs = await bareMedian(stage.origin, ids)

  const firstTextMs = median(times.map((time) => time.firstTextMs))
  const finalMs = median(times.map((time) => time.finalMs))
  const finalWarmMs = median(further.slice(-jobs))
  const finalAtOnceMs = median(atOnce.slice(-jobs))
  return {
    jobs: ids.length,
    acceptedMs: median(times.map((time) => time.acceptedMs)),
    firstTextMs,
    finalMs,
    finalWarmMs,
    finalAtOnceMs,
    bareMs,
    firstTextOverBareMs: firstTextMs - bareMs,
    finalOverBareMs: finalMs - bareMs,
    statementsPerJob: (after.statements - before.statements) / (2 * ids.length),
  }
}

type Timing = { acceptedMs: number; firstTextMs: number; finalMs: number }

/**
 * Orders the video twice, by two spellings of its URL: polling for the text would slow down the job whose end is timed.
 */
async function orderOne(client: Customer, videoId: string): Promise<Timing> {
  const waited = await timeOne(client, videoId, async (job) => void (await client.waitsFor(job)))
  const read = await timeOne(client, `https://youtu.be/${videoId}`, async ({ id }) => {
    while (!(await hasText(client, id))) await pause(POLL_MS)
  })
  return { acceptedMs: waited.acceptedMs, firstTextMs: read.ms, finalMs: waited.ms }
}

/**
 * Orders a video that was ordered before, by another spelling of its URL; returns the milliseconds until the job is
 * final.
 */
async function orderAgain(client: Customer, videoId: string, time: number): Promise<number> {
  const url = `https://www.youtube.com/watch?v=${videoId}&again=${time}`
  return (await timeOne(client, url, async (job) => void (await client.waitsFor(job)))).ms
}

/** Orders a video in one request that waits for the job's end, by a spelling of its own; returns the milliseconds. */
async function orderAtOnce(client: Customer, videoId: string, time: number): Promise<number> {
  const urls = [`https://www.youtube.com/watch?v=${videoId}&at-once=${time}`]
  const startedMs = performance.now()
  const job = await client.startsJob({ urls, maxVideos: 1 }, { Prefer: 'wait=10' })
  if (job['state'] !== 'finished') throw new Error(`the job was ${job['state']} after its wait`)
  return performance.now() - startedMs
}

async function timeOne(
  client: Customer,
  url: string,
  until: (job: Json) => Promise<void>,
): Promise<{ acceptedMs: number; ms: number }> {
  const startedMs = performance.now()
  const job = await client.startsJob({ urls: [url], maxVideos: 1 })
  const acceptedMs = performance.now() - startedMs
  await until(job)
  return { acceptedMs, ms: performance.now() - startedMs }
}

async function hasText(client: Customer, jobId: string): Promise<boolean> {
  return (await client.gets(`/jobs/${jobId}/results`))['videos'].some(
    ({ text }: Json) => text !== null,
  )
}

/** Returns videos that have captions, found by a first job over them, which also warms everything up. */
async function delivering({
  client,
  videoIds,
  wanted,
  smoke,
}: {
  client: Customer
  videoIds: string[]
  wanted: number
  smoke: boolean
}): Promise<string[]> {
  const asked = videoIds.slice(0, smoke ? wanted + 3 : 200)
  const pages = Array.from({ length: Math.ceil(asked.length / 50) }, (_, page) =>
    asked.slice(page * 50, page * 50 + 50),
  )
  const found: string[] = []
  for (const urls of pages) {
    const job = await client.waitsFor(await client.startsJob({ urls }))
    found.push(
      ...(await client.readsRows(job)).flatMap(({ videoId, status }) =>
        status === 'success' ? [videoId] : [],
      ),
    )
  }
  if (!smoke) for (const videoId of found.splice(0, WARM_UP)) await orderOne(client, videoId)
  return found.slice(0, wanted)
}

async function bareMedian(origin: string, ids: readonly string[]): Promise<number> {
  const bare = await openBareLoop(origin)
  const times: number[] = []
  try {
    for (let round = 0; round < WARM_UP; round += 1) await bare.one(ids[0] ?? '')
    for (const videoId of ids) {
      const startedMs = performance.now()
      if (!(await bare.one(videoId)))
        throw new Error(`the bare loop found no captions of ${videoId}`)
      times.push(performance.now() - startedMs)
    }
  } finally {
    await bare.close()
  }
  return median(times)
}

function print(result: LatencyResult): void {
  const ms = (value: number): string => value.toFixed(1)
  const judged = (name: string, value: number): string[] => {
    const over = value - result.bareMs
    return [name, ms(value), ms(over), verdict(over <= GOAL_MS)]
  }
  console.log(
    `one video, 2 x ${result.jobs} jobs one after the other, platform latency 0 ms, medians in ms`,
  )
  console.log(
    table([
      ['from POST to', 'ms', 'over bare HTTP', `goal ${GOAL_MS} over it`],
      ['bare loop, the platform alone', ms(result.bareMs), '', ''],
      ['accepted (201)', ms(result.acceptedMs), '', ''],
      judged('first text readable', result.firstTextMs),
      judged('job final', result.finalMs),
      judged(`job final, after ${2 * FURTHER.full} more`, result.finalWarmMs),
      judged('the same by one request that waits', result.finalAtOnceMs),
    ]),
  )
  console.log(
    `${result.statementsPerJob.toFixed(1)} SQL statements a job, those of reading the job included`,
  )
}
