/** How long something keeps the event loop, measured so that a busy machine does not spoil it: for the night and for commands. */
const MICROS_PER_MS = 1000
/** Systems account CPU time by the tick: a run of less may be told as none. */
const TICK_MS = 4

/** On the machine for which limits in milliseconds were written. */
const TURN_MS = 50

/** The least that the loop below took on the machine for which limits in milliseconds were written. */
const LOOP_MS = 26
const LOOP_STEPS = 20_000_000
const LOOP_RUNS = 5
/** Machines of the same arithmetic differ by as much in what memory and texts cost. */
const SPREAD = 1.5
/** A machine slower than that is not one that the limits are for. */
const SLOWNESS_MAX = 2

/** How many times slower than the machine of the limits this one is at the moment: from 1 to SLOWNESS_MAX. */
export function slowness(): number {
  const loopMs = leastMs(fixedLoop, { enoughMs: LOOP_MS, runsMax: LOOP_RUNS })
  return Math.min(SLOWNESS_MAX, Math.max(1, (SPREAD * loopMs) / LOOP_MS))
}

/** Without a sum, whose overflow V8 takes in one of two ways, by chance. The result is used, or it could be left out. */
function fixedLoop(): boolean {
  let state = 1
  for (let step = 0; step < LOOP_STEPS; step += 1) state = Math.imul(state, 1_664_525) ^ step
  return state === 0
}

/** The longest that a turn of the event loop may take (decision 0010), in milliseconds: longer on a slower machine. */
export function longestTurnMs(): number {
  return TURN_MS * slowness()
}

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
