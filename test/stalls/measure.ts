/**
 * Measures how long code keeps the event loop, in a way that a busy machine does not spoil: for the night and for
 * commands.
 */
const MICROS_PER_MS = 1000
/** Tick of the system's CPU accounting, in milliseconds: a shorter run may be reported as none. */
const TICK_MS = 4

/** Longest turn on the machine for which limits in milliseconds were written. */
const TURN_MS = 50

/** Least time of the loop below on that machine. */
const LOOP_MS = 26
const LOOP_STEPS = 20_000_000
const LOOP_RUNS = 5
/** Factor by which machines with the same arithmetic differ in the cost of memory and texts. */
const SPREAD = 1.5
/** Greatest slowness that limits allow for; slower machines are not meant. */
const SLOWNESS_MAX = 2

/** Returns how many times slower this machine is at the moment than that of the limits: from 1 to SLOWNESS_MAX. */
export function slowness(): number {
  const loopMs = leastMs(fixedLoop, { enoughMs: LOOP_MS, runsMax: LOOP_RUNS })
  return Math.min(SLOWNESS_MAX, Math.max(1, (SPREAD * loopMs) / LOOP_MS))
}

/**
 * A fixed loop without a sum, since V8 compiles an overflowing sum in one of two ways. The result is used, or the
 * compiler could leave the loop out.
 */
function fixedLoop(): boolean {
  let state = 1
  for (let step = 0; step < LOOP_STEPS; step += 1) state = Math.imul(state, 1_664_525) ^ step
  return state === 0
}

/**
 * Returns the longest that a turn of the event loop may take (decision 0010), in milliseconds: longer on a slower
 * machine.
 */
export function longestTurnMs(): number {
  return TURN_MS * slowness()
}

/** Returns the CPU time of the calling thread since its start. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / MICROS_PER_MS
}

/** Returns the least of several runs, in milliseconds; stops once it is at most `enoughMs`. */
export function leastMs(
  act: () => unknown,
  { enoughMs, runsMax }: { enoughMs: number; runsMax: number },
): number {
  let least = Infinity
  for (let run = 0; run < runsMax && least > enoughMs; run += 1) {
    const [at, cpu] = [performance.now(), cpuMs()]
    act()
    // CPU time counts where other processes took the core meanwhile.
    least = Math.min(least, performance.now() - at, cpuMs() - cpu + TICK_MS)
  }
  return least
}
