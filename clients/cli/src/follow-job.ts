/** Follows a job to its end with one line on the terminal, through restarts of the service and lost networks. */
import { isFinal, type Job, type Scriptorium } from '../../typescript/src/index.ts'
import { untilAnswered } from './patience.ts'
import { type Progress, progressLine } from './progress-line.ts'
import type { Terminal } from './terminal.ts'
import { costOf, dollars, microsOf } from './usd.ts'

/** Seconds of a look: the service answers at the job's end, or after this time with its progress. */
const LOOK_S = 2
/** Longest time without any answer, in milliseconds; then the command ends, and the same one goes on later. */
export const PATIENCE_MS = 300_000
/** Looks over which the rate is measured. */
const SAMPLES = 15

type Sample = { atMs: number; processed: number }

/** Progress of a job, of which a rate is measured. */
export type Counted = Omit<Progress, 'perSecond'>

export type Following = {
  /** Called with the job's states. */
  onLook?: (job: Job) => void
  /** Makes the progress of the whole order from that of the job. */
  whole?: (progress: Counted, priceMicros: bigint) => Counted
}

/**
 * Resolves with the final job. Throws the last error after five minutes without an answer.
 */
export async function followJob(
  client: Scriptorium,
  job: Job,
  terminal: Terminal,
  { onLook, whole = (progress) => progress }: Following = {},
): Promise<Job> {
  const samples: Sample[] = []
  let current = job
  while (!isFinal(current)) {
    const progress = whole(progressOf(current), priceOf(current))
    samples.push({ atMs: performance.now(), processed: progress.processed })
    if (samples.length > SAMPLES) samples.shift()
    const shown = { ...progress, perSecond: rateOf(samples) }
    terminal.status((look) => (current.state === 'queued' ? 'Queued' : progressLine(shown, look)))
    // The first look is early: small jobs are done by then, and large ones have found something.
    const waitSeconds = samples.length === 1 ? 1 : LOOK_S
    const { id } = current
    const ask = (): Promise<Job> => client.jobs.get(id, { waitSeconds })
    current = await untilAnswered(ask, terminal, PATIENCE_MS)
    onLook?.(current)
  }
  terminal.status(null)
  return current
}

export function progressOf(job: Job): Counted {
  const { progress, input } = job
  const { delivered, processed, discovered, counts } = progress
  // Rows that use no slot are recorded at once, and are not waited for.
  const free = (counts['unchanged'] ?? 0) + (counts['skipped'] ?? 0) + (counts['truncated'] ?? 0)
  const expected = discovered === null ? null : Math.min(discovered - free, input.maxVideos)
  return {
    delivered,
    processed: processed - free,
    expected: expected === null || expected < 0 ? null : expected,
    spent: dollars(costOf(delivered, priceOf(job))),
  }
}

function priceOf({ billing }: Job): bigint {
  return microsOf(billing.pricePerTranscript) ?? 0n
}

function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.atMs - first.atMs < 500) return null
  return (last.processed - first.processed) / ((last.atMs - first.atMs) / 1000)
}
