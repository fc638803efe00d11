/**
 * What a repeat over an unchanged channel of 12,000 videos (100,000 with --long) costs: requests to
 * the platform, time and memory. `node bench/repeats.ts`, or `run()` from the suite. The stand-in of the platform runs
 * in a process of its own.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import v8 from 'node:v8'
import vm from 'node:vm'
import { startEmulator } from '../emulator/server.ts'
import type { BenchOptions } from './main.ts'
import { fillHistory } from '../test/repeats/known-videos.ts'
import type { Customer, Json } from '../test/support/customer.ts'
import { testService } from '../test/support/service.ts'

export type RepeatsResult = {
  videos: number
  /** Requests to the platform by kind: `browse` is a listing page. */
  requests: Record<string, number>
  seconds: number
  unchangedRows: number
  /** The most that lived in the heap above its start, in bytes: what a collection left. */
  heapGrowthBytes: number
}

const CHANNEL = { long: 'vast', full: 'large', smoke: 'medium' } as const
const SAMPLE_MS = 500
const MINUTES_MAX = 5

type Hello = { origin: string; channelId: string; videoIds: string[] }

export async function run({ smoke, long }: BenchOptions): Promise<RepeatsResult> {
  const closers: (() => Promise<void>)[] = []
  const child = fork(import.meta.filename, ['serve', CHANNEL[smoke ? 'smoke' : long ? 'long' : 'full']], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const [hello] = (await once(child, 'message')) as [Hello]
    const env = { PLATFORM_ORIGIN: hello.origin }
    const service = await testService({ after: (close) => void closers.push(close) }, { env })
    const result = await measure(service, hello)
    print(result)
    return result
  } finally {
    for (const close of closers.reverse()) await close()
    child.disconnect()
    await once(child, 'exit')
  }
}

async function measure(
  service: Awaited<ReturnType<typeof testService>>,
  { origin, channelId, videoIds }: Hello,
): Promise<RepeatsResult> {
  const buyer = await service.customer()
  const urls = [`https://www.youtube.com/channel/${channelId}`]
  const { job: earlier } = await buyer.orders({ urls, maxVideos: 1 })
  const { accountId } = buyer
  await fillHistory(service.database.db, { accountId, urls, jobId: earlier.id, videoIds })
  await fetch(`${origin}/emulator/requests`, { method: 'DELETE' })

  const liveHeap = openLiveHeap()
  const heapBefore = liveHeap()
  let heapMost = heapBefore
  const sampling = setInterval(() => {
    heapMost = Math.max(heapMost, liveHeap())
  }, SAMPLE_MS)
  const startedMs = performance.now()
  const job = await endOf(buyer, await buyer.startsJob({ urls, maxVideos: 100 }))
  const seconds = (performance.now() - startedMs) / 1000
  clearInterval(sampling)
  const { byKind } = (await (await fetch(`${origin}/emulator/requests`)).json()) as {
    byKind: Record<string, number>
  }
  return {
    videos: videoIds.length,
    requests: byKind,
    seconds,
    unchangedRows: job.progress.counts.unchanged,
    heapGrowthBytes: heapMost - heapBefore,
  }
}

/** A long list takes longer than a test's customer waits. */
async function endOf(buyer: Customer, { id }: Json): Promise<Json> {
  for (const untilMs = performance.now() + MINUTES_MAX * 60_000; performance.now() < untilMs; ) {
    const job = await buyer.gets(`/jobs/${id}?wait=30`)
    if (job['finishedAt'] !== null) return job
  }
  throw new Error(`the repeat did not end within ${MINUTES_MAX} minutes`)
}

/** Collects, then tells the bytes in use. */
function openLiveHeap(): () => number {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  return () => {
    collect()
    return process.memoryUsage().heapUsed
  }
}

function print({ videos, requests, seconds, unchangedRows, heapGrowthBytes }: RepeatsResult): void {
  const asked = Object.entries(requests).map(([kind, count]) => `${count} ${kind}`).join(', ')
  const lines = [
    `a repeat over an unchanged channel of ${videos} videos`,
    `  requests   ${asked}: listing pages of 100 and nothing else`,
    `  time       ${seconds.toFixed(1)} s, ${(videos / seconds).toFixed(0)} videos a second`,
    `  rows       ${unchangedRows} unchanged`,
    `  memory     ${(heapGrowthBytes / 1e6).toFixed(1)} MB of live heap at most above its start`,
  ]
  console.log(lines.join('\n'))
}

/** The child: the platform's stand-in. */
async function serve(key: string): Promise<void> {
  const emulator = await startEmulator()
  const channel = emulator.world.channel(key)
  const list = emulator.world.uploads(channel, null)
  const videoIds = Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
  process.send?.({ origin: emulator.origin, channelId: channel.channelId, videoIds })
  process.once('disconnect', () => void emulator.close())
}

if (process.argv[2] === 'serve') await serve(process.argv[3] ?? CHANNEL.full)
else if (process.argv[1] === import.meta.filename) await run({ smoke: process.argv.includes('--smoke'), long: process.argv.includes('--long') })
