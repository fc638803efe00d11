/**
 * A customer who owns as much as one may, under every route, tool and page: made from the schemas with which the
 * service is built, so that a new route is tried by itself.
 */
import assert from 'node:assert/strict'
import { type CustomerSize, LARGELY_OWNED } from '../../large/large-customer.ts'
import { OF_LARGE, openLargeWorld } from '../../large/large-world.ts'
import { worstStallMs } from '../../machines/fleet.ts'
import type { Attack, Target } from '../attack.ts'
import { routesOf } from '../routes-of.ts'

const HUGE: CustomerSize = {
  texts: 100_000,
  unchanged: 100_000,
  channels: 5_000,
  followed: 1_000,
  projectVideos: 10_000,
  batches: 99,
  batchLines: 1_000,
  words: 600_000,
  jobs: 200_000,
  accounts: 10_000,
}
const DEEP = 5_000
const DEADLINE_MS = 3_600_000

export const LARGE_CUSTOMERS: readonly Attack[] = [
  {
    name: 'every request of a customer who owns 100,000 texts',
    class: 'large customers',
    settings: OF_LARGE,
    deadlineMs: DEADLINE_MS,
    run: (target) => askEverything(target, HUGE),
  },
]

/** Asks everything once; what keeps the event loop is asked again, since a busy machine may have kept it. */
async function askEverything(target: Target, size: CustomerSize): Promise<string> {
  const { address, origin, fleet, process, turnMaxMs } = target
  const routes = await routesOf(target, OF_LARGE)
  const world = await openLargeWorld(
    { address, origin, database: fleet.database },
    { routes, size, deep: DEEP },
  )
  assert.ok(world.requests.length > routes.length)
  const faults: string[] = []
  let worst = { stallMs: 0, name: '' }
  for (const one of world.requests) {
    const { name } = one
    let [stallMs, status] = [Infinity, 0]
    for (let tries = 0; tries < 3 && stallMs > turnMaxMs; tries += 1) {
      await worstStallMs(process)
      status = (await world.send(one)).status
      stallMs = Math.min(stallMs, await worstStallMs(process))
    }
    if (stallMs > worst.stallMs) worst = { stallMs, name }
    if (stallMs > turnMaxMs || status >= 500)
      faults.push(
        `${Math.round(stallMs)} ms, ${status}: ${name.replaceAll(LARGELY_OWNED.channel, 'UC…')}`,
      )
  }
  await target.begins() // what is too long is told by name above
  assert.deepEqual(faults, [])
  return `${world.requests.length} requests; the longest turn took ${Math.round(worst.stallMs)} ms: ${worst.name}`
}
