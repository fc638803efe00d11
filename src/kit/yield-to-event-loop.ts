/**
 * Splits work that keeps the process busy over turns of the event loop, so that replies that arrived
 * meanwhile are read, and the next requests sent, before the next piece.
 */
import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/** Resolves in a turn that no other caller of this process gets. */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}
