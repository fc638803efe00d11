/**
 * How many jobs the service starts in a second, and with a second of its CPU: one process that only has the API, each
 * job of which stays open, so that admission has more and more of them to count.
 */
import type { BenchOptions } from './bench.ts'
import { videoLine } from '../test/support/money-fixtures.ts'
import { onStage, type Stage } from './stage/stage.ts'

export type StartsResult = { perSecond: number; perCpuSecond: number }

const SIZES = { smoke: { starts: 12, customers: 3 }, usual: { starts: 1_200, customers: 24 } }

export async function run({ smoke }: BenchOptions): Promise<StartsResult> {
  const size = SIZES[smoke ? 'smoke' : 'usual']
  const result = await onStage(smoke, (stage) => measureService(stage, size))
  console.log(
    `the service starts ${result.perSecond.toFixed(0)} jobs a second, ${result.perCpuSecond.toFixed(0)} with a second of its CPU`,
  )
  return result
}

/** Measures customers that start jobs as fast as they are answered, at one process that only has the API. */
async function measureService(
  stage: Stage,
  { starts, customers }: (typeof SIZES)['usual'],
): Promise<StartsResult> {
  const service = await stage.service({ ROLES: 'api', MAX_ACTIVE_JOBS: '100000' })
  const clients = await Promise.all(
    Array.from({ length: customers }, () => stage.client(service, '1000')),
  )
  let number = 0
  const startUntil = async (end: number): Promise<void> => {
    await Promise.all(
      clients.map(async (client) => {
        while (number < end) {
          number += 1
          await client.startsJob({ urls: videoLine(number), maxVideos: 1 })
        }
      }),
    )
  }
  await startUntil(Math.ceil(starts / 5))
  const [before, startedAt, first] = [await service.usage(), performance.now(), number]
  await startUntil(number + starts)
  const seconds = (performance.now() - startedAt) / 1000
  const cpuSeconds = ((await service.usage()).cpuMs - before.cpuMs) / 1000
  return { perSecond: (number - first) / seconds, perCpuSecond: (number - first) / cpuSeconds }
}
