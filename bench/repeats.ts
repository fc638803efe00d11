/**
 * What a repeat over an unchanged channel of 12,000 videos (100,000 with --long) costs: requests to
 * the platform, time and memory.
 */
import v8 from 'node:v8'
import vm from 'node:vm'
import { Customer } from '../conformance/customer.ts'
import type { Video } from '../emulator/model.ts'
import { fillHistory } from '../test/repeats/known-videos.ts'
import { testService, type TestService } from '../test/support/service.ts'
import type { BenchOptions } from './bench.ts'
import { channelOf, startPlatform } from './stage/stage.ts'

export type RepeatsResult = {
  videos: number
  /** Requests to the platform by kind: `browse` is a listing page. */
  requests: Record<string, number>
  seconds: number
  unchangedRows: number
  /** Most bytes alive in the heap after a collection, above its start. */
  heapGrowthBytes: number
}

const HANDLE = { long: '@vastlibrary', full: '@endlessarchive', smoke: '@dailynotes' } as const
const SAMPLE_MS = 500
const PATIENCE_MS = 300_000

export async function run({ smoke, long }: BenchOptions): Promise<RepeatsResult> {
  const closers: (() => Promise<void>)[] = []
  const after = (close: () => Promise<void>): void => void closers.push(close)
  try {
    const origin = await startPlatform(false, after) // a process of its own: its heap is not measured
    const service = await testService({ after }, { env: { PLATFORM_ORIGIN: origin } })
    const result = await measure(
      service,
      origin,
      channelOf(HANDLE[smoke ? 'smoke' : long ? 'long' : 'full']),
    )
    print(result)
    return result
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function measure(
  service: TestService,
  origin: string,
  { channelId, videos }: { channelId: string; videos: Video[] },
): Promise<RepeatsResult> {
  const account = await service.customer()
  // A long list takes longer than a test's customer waits.
  const buyer = new Customer({ ...account, address: service.address, patienceMs: PATIENCE_MS })
  const videoIds = videos.map(({ videoId }) => videoId)
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
  const job = await buyer.waitsFor(await buyer.startsJob({ urls, maxVideos: 100 }))
  const seconds = (performance.now() - startedMs) / 1000
  clearInterval(sampling)
  const { byKind } = (await (await fetch(`${origin}/emulator/requests`)).json()) as {
    byKind: Record<string, number>
  }
  return {
    videos: videoIds.length,
    requests: byKind,
    seconds,
    unchangedRows: job['progress'].counts.unchanged,
    heapGrowthBytes: heapMost - heapBefore,
  }
}

/** Returns a function that collects garbage, then returns the bytes in use. */
function openLiveHeap(): () => number {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  return () => {
    collect()
    return process.memoryUsage().heapUsed
  }
}

function print({ videos, requests, seconds, unchangedRows, heapGrowthBytes }: RepeatsResult): void {
  const asked = Object.entries(requests)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
  const lines = [
    `a repeat over an unchanged channel of ${videos} videos`,
    `  requests   ${asked}: listing pages of 100 and nothing else`,
    `  time       ${seconds.toFixed(1)} s, ${(videos / seconds).toFixed(0)} videos a second`,
    `  rows       ${unchangedRows} unchanged`,
    `  memory     ${(heapGrowthBytes / 1e6).toFixed(1)} MB of live heap at most above its start`,
  ]
  console.log(lines.join('\n'))
}
