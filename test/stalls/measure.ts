/** How long something keeps the event loop, measured so that a busy machine does not spoil it. */
const MICROS_PER_MS = 1000
/** Systems account CPU time by the tick: a run of less may be told as none. */
const TICK_MS = 4

/** CPU time of the calling thread since its start. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / MICROS_PER_MS
}

/** Of several runs the least; no further one once it is at most `enoughMs`. */
export function leastMs(
  act: () => unknown,
  { enoughMs, runsMax }: { enoughMs: number; runsMax: number },
): number {
  let least = Infinity
  for (let run = 0; run < runsMax && least > enoughMs; run += 1) {
    const [at, cpu] = [performance.now(), cpuMs()]
    act()
    // On the clock, or by CPU time where others took the core meanwhile.
    least = Math.min(least, performance.now() - at, cpuMs() - cpu + TICK_MS)
  }
  return least
}
