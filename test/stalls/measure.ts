/**
 * Measures how long code keeps the event loop, in a way that a busy machine does not spoil: for the night and for
 * commands.
 */
import { atOnce, type Steps } from '../../src/model/transcripts/steps.ts'

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

/** A run stops being repeated once it took at most `enoughMs`. */
type Runs = { enoughMs: number; runsMax: number }

/** Returns the least of several runs, in milliseconds. Steps that it returns are taken one after another. */
export function leastMs(act: () => unknown, runs: Runs): number {
  return leastOf(runs, () => msOf(() => lastOf(act())))
}

/** Returns the least of several runs' longest turn, in milliseconds, where each step is a turn. */
export function leastTurnMs(act: () => unknown, runs: Runs): number {
  return leastOf(runs, () => {
    let result: unknown
    let longest = msOf(() => (result = act()))
    let isDone = !(result instanceof Iterator)
    while (!isDone && result instanceof Iterator) {
      const steps: Iterator<unknown> = result
      longest = Math.max(
        longest,
        msOf(() => (isDone = steps.next().done === true)),
      )
    }
    return longest
  })
}

function leastOf({ enoughMs, runsMax }: Runs, run: () => number): number {
  let least = Infinity
  for (let runs = 0; runs < runsMax && least > enoughMs; runs += 1) least = Math.min(least, run())
  return least
}

function msOf(act: () => unknown): number {
  const [at, cpu] = [performance.now(), cpuMs()]
  act()
  // CPU time counts where other processes took the core meanwhile.
  return Math.min(performance.now() - at, cpuMs() - cpu + TICK_MS)
}

function lastOf(result: unknown): void {
  if (result instanceof Iterator) atOnce(result as Steps<unknown>)
}
