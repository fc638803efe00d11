/** First steps: what all loops of a process do at once, at its start say, they do one after another. */
import { unlessAborted } from './concurrency.ts'

/** How long a step may keep the others waiting. */
const FIRST_STEP_MS = 1_000

export type FirstSteps = {
  /** Takes `step` when those given before have ended or taken too long, or not at all once `signal` aborts. */
  take(step: () => Promise<void>, signal: AbortSignal): Promise<void>
}

/**
 * Opens a line for first steps. Taken at once, each would open a connection to the database of its own, which most
 * servers pay dearly. One that takes longer than `maxMs` does not keep the others waiting.
 */
export function openFirstSteps(maxMs = FIRST_STEP_MS): FirstSteps {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async take(step, signal) {
      const before = last
      const { promise: over, resolve: leave } = Promise.withResolvers<void>()
      last = Promise.all([before, over])
      let late: NodeJS.Timeout | undefined
      try {
        await unlessAborted(before, signal).catch(() => undefined)
        if (signal.aborted) return
        late = setTimeout(leave, maxMs)
        await step()
      } finally {
        clearTimeout(late)
        leave()
      }
    },
  }
}
