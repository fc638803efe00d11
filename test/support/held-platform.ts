/** A platform that is held: each request gets an answer in the end, and no job ends meanwhile. */
import type { Emulator } from '../../emulator/server.ts'
import { until } from './until.ts'

/** Half of the time that a request of ours may take in tests, so that none fails, and none is repeated. */
const HELD_MS = 5_000

/**
 * Lets the first `texts` captions come at once and delays each further one, so that a job of some dozens takes a minute
 * more on any machine. `clear` and other rules end it.
 */
export function holdAfter(platform: Pick<Emulator, 'apply'>, texts: number): void {
  platform.apply({
    faults: [{ do: 'latency', on: 'timedtext', after: texts, per: 'all', ms: HELD_MS }],
  })
}

/** Lets the first `pages` list pages come at once and delays each further one. */
export function holdListsAfter(platform: Pick<Emulator, 'apply'>, pages: number): void {
  platform.apply({
    faults: [{ do: 'latency', on: 'browse', after: pages, per: 'all', ms: HELD_MS }],
  })
}

/**
 * Waits until no request to the platform is under way; returns how many captions were asked for since its log began.
 */
export async function untilNothingIsAsked({ log }: Emulator): Promise<number> {
  let captions = 0
  await until('nobody asks the platform any more', async () => {
    const { byKind, inFlightMax } = log.counts()
    captions += byKind['timedtext'] ?? 0
    log.reset()
    return inFlightMax === 0
  })
  return captions
}
