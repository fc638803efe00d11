/**
 * Splits long work over turns of the event loop, so that between its pieces arrived replies are read and the next
 * requests sent.
 */
import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/** Resolves in a turn that no other caller of this process gets. */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}
