/** Work beside other work: turns of the event loop, a bounded set of work under way, and a condition to wait for. */
import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that no other caller of this process gets, so that between the pieces of long
 * work arrived replies are read and the next requests sent.
 */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}

/** Runs work in steps; each pause between two is a turn for all other work. */
export async function inTurns<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await yieldToEventLoop()
  }
}

/** Resolves or rejects as `work` does; rejects with the signal's reason where that comes first. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.throwIfAborted()
    const once = { once: true, signal: over.signal }
    signal.addEventListener('abort', () => reject(signal.reason), once)
  })
  return Promise.race([work, aborted]).finally(() => over.abort())
}

/** A set of work under way, bounded in number. No work rejects; failures are reported. */
export type WorkSet = {
  /** Resolves as soon as one more work may be added. */
  room(): Promise<void>
  add(work: Promise<void>): void
  /** Resolves when no work is under way any more. */
  settled(): Promise<void>
}

export function openWorkSet(max: number, onFailure: (error: unknown) => void): WorkSet {
  const underWay = new Set<Promise<void>>()
  return {
    async room() {
      while (underWay.size >= max) await Promise.race(underWay)
    },
    add(work) {
      const kept = work.catch(onFailure).finally(() => underWay.delete(kept))
      underWay.add(kept)
    },
    async settled() {
      await Promise.all(underWay)
    },
  }
}

/** A condition: one part of the worker waits for it and another part notifies it, and no notification is missed. */
export type Condition = {
  notify(): void
  /** Counts notifications from here on, even one that comes before anybody waits. */
  reset(): void
  /** Resolves when notified since `reset`, or when `stop` aborts; rejects with the signal's reason. */
  wait(until: { signal: AbortSignal; stop?: AbortSignal }): Promise<void>
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
      signal.throwIfAborted()
      if (isNotified || stop?.aborted === true) return
      const notified = new Promise<void>((resolve) => (wake = resolve))
      const either = stop === undefined ? signal : AbortSignal.any([signal, stop])
      await unlessAborted(notified, either).catch(() => signal.throwIfAborted())
    },
  }
}
