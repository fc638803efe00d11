/** Flights: questions under way, so that a caller with the same question waits for its answer instead of asking. */
import { unlessAborted } from './concurrency.ts'

export type Flights = ReturnType<typeof openFlights>

export function openFlights() {
  const underWay = new Map<string, Promise<unknown>>()
  return {
    /**
     * Starts `work`, or waits for the work that is under way under this name. Rejects with the signal's reason. Where
     * the awaited work fails, its waiting callers do not: they try again.
     */
    async join<T>(name: string, signal: AbortSignal, work: () => Promise<T>) {
      for (;;) {
        const other = underWay.get(name) as Promise<T> | undefined
        if (other === undefined) break
        const [landed] = await unlessAborted(Promise.allSettled([other]), signal)
        if (landed.status === 'fulfilled') return { value: landed.value, isOwn: false }
      }
      const own = work().finally(() => underWay.delete(name))
      underWay.set(name, own)
      return { value: await own, isOwn: true }
    },
  }
}
