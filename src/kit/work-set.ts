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
