/** A condition: one part of the worker waits for it and another part notifies it, and no notification is missed. */

export type Condition = {
  notify(): void
  /** Counts notifications from here on, even one that comes before anybody waits. */
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
