/** A loop: repeats one step, at intervals or as soon as it is woken, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises'

export type Loop = {
  /** Starts the next step at once, or right after the running one. */
  wake(): void
  /** Resolves after the last step; never rejects. */
  done: Promise<void>
}

type LoopOptions = {
  everyMs: number
  /** Aborted to end the loop. */
  signal: AbortSignal
  /** Called after a failed step, before the next one. */
  onError(error: unknown): void | Promise<void>
}

export function startLoop(
  step: () => Promise<void>,
  { everyMs, signal, onError }: LoopOptions,
): Loop {
  let isAwake = false
  let nudge = (): void => undefined
  signal.addEventListener('abort', () => nudge(), { once: true })

  async function rest(): Promise<void> {
    if (isAwake || signal.aborted) return
    const resting = new AbortController()
    nudge = () => resting.abort()
    await sleep(everyMs, undefined, { signal: resting.signal }).catch(() => undefined)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      isAwake = false
      try {
        await step()
      } catch (error) {
        await onError(error)
      }
      await rest()
    }
  }

  const wake = (): void => {
    isAwake = true
    nudge()
  }
  return { wake, done: run() }
}

export const SWEEP_ROWS = 1_000
const SWEEP_ROUNDS = 50

/**
 * Deletes void rows in batches, so that no statement takes long; `sweep` deletes one and returns how many rows there
 * were. What is left after some rounds waits for the next time. Returns how many rows were deleted.
 */
export async function sweepInBatches(sweep: (rowsMax: number) => Promise<number>): Promise<number> {
  let swept = 0
  for (let round = 0; round < SWEEP_ROUNDS; round += 1) {
    const deleted = await sweep(SWEEP_ROWS)
    swept += deleted
    if (deleted < SWEEP_ROWS) break
  }
  return swept
}
