/** The time that somebody waits for something; it stands still while they wait for what must not count. */
export type Patience = {
  leftMs(): number
  /** Awaits work that does not count. */
  without<T>(work: () => Promise<T>): Promise<T>
  /** Calls `act` when it is used up; returns the function that takes this back. */
  onEnd(act: () => void): () => void
}

/** Pause between looks at a patience that stands still. */
const HELD_LOOK_MS = 20

export function openPatience(ms: number, nowMs = (): number => performance.now()): Patience {
  let left = ms
  let sinceMs = nowMs()
  let held = 0
  const leftMs = (): number => Math.max(0, held > 0 ? left : left - (nowMs() - sinceMs))
  const hold = (by: 1 | -1): void => {
    left = leftMs()
    sinceMs = nowMs()
    held += by
  }
  return {
    leftMs,
    async without(work) {
      hold(1)
      try {
        return await work()
      } finally {
        hold(-1)
      }
    },
    onEnd(act) {
      const look = (): void => {
        if (held === 0 && leftMs() === 0) act()
        else timer = setTimeout(look, Math.max(leftMs(), HELD_LOOK_MS))
      }
      let timer = setTimeout(look, leftMs())
      return () => clearTimeout(timer)
    },
  }
}
