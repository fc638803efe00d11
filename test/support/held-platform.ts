/** A platform that is held: whoever asks it has an answer in the end, and no job ends meanwhile. */
import type { Emulator } from '../../emulator/server.ts'
import { until } from './until.ts'

/** Half of what a request of ours may take on this machine, so that none fails, and none is repeated. */
const HELD_MS = 5_000

/**
 * From now on the first `texts` captions come at once and each further one takes its time, so that a job of some dozens
 * stands there for a minute on any machine, however fast or slow. `clear` and other rules end it.
 */
export function holdAfter(platform: Pick<Emulator, 'apply'>, texts: number): void {
  platform.apply({
    faults: [{ do: 'latency', on: 'timedtext', after: texts, per: 'all', ms: HELD_MS }],
  })
}

/** The same for list pages. */
export function holdListsAfter(platform: Pick<Emulator, 'apply'>, pages: number): void {
  platform.apply({
    faults: [{ do: 'latency', on: 'browse', after: pages, per: 'all', ms: HELD_MS }],
  })
}

/** Waits until nobody asks the platform anything; returns how often it was asked for captions since its log began. */
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
