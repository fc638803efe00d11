/** A condition: what one part of the worker waits for and another one notifies, without either missing the other. */

export type Condition = {
  notify(): void
  /** From here on a notification counts, also one that comes before anybody waits. */
  reset(): void
  /** Resolves when notified since `reset`, or when `stop` aborts; rejects with the signal's reason. */
  wait(until: { signal: AbortSignal; stop: AbortSignal }): Promise<void>
}

export function openCondition(): Condition {
  let isNotified = false
  let wake: () => void = () => undefined
  return {
    notify() {
      isNotified = true
      wake()
    },
    reset() {
      isNotified = false
    },
    async wait({ signal, stop }) {
      const over = new AbortController()
      await new Promise<void>((resolve, reject) => {
        signal.throwIfAborted()
        if (isNotified || stop.aborted) return resolve()
        wake = resolve
        const once = { once: true, signal: over.signal }
        signal.addEventListener('abort', () => reject(signal.reason), once)
        stop.addEventListener('abort', () => resolve(), once)
      }).finally(() => over.abort())
    },
  }
}
