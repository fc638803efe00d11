/** Tries the shapes of a parser: none takes a turn too long at its limit, and time grows as the input does. */
import { leastMs, leastTurnMs, longestTurnMs } from './measure.ts'
import { type Parser, shapesOf } from './parser.ts'

const TURN_MS_MAX = longestTurnMs()
/** Time at the limit that is quick enough, however it grows. */
const QUICK_MS = TURN_MS_MAX / 6
/** Ratio of the two sizes; a quadratic parser takes 64 times as long. */
const SIZES_APART = 8
const FACTOR_MAX = SIZES_APART * 3
/**
 * Bounds for a parser that exceeds FACTOR_MAX: memory newly given by the system makes one of the two steps longer, a
 * quadratic makes both so. A quadratic takes 16 times as long from an eighth to half, and 4 times from there to the
 * whole.
 */
const TO_HALF_MAX = 8
const TO_WHOLE_MAX = 3
const RUNS_MAX = 12

/** Most characters of a quick look: growth shows there too. */
const QUICK_CHARS = 65_536

/** Returns one sentence for each shape with a fault, and the longest time of the others in milliseconds. */
export function tryParser(
  parser: Parser,
  { isThorough }: { isThorough: boolean },
): { faults: string[]; worstMs: number } {
  const chars = isThorough ? parser.charsMax : Math.min(parser.charsMax, QUICK_CHARS)
  const faults: string[] = []
  let worstMs = 0
  for (const { name, make } of shapesOf(parser, isThorough)) {
    const [small, half, large] = [make(chars / SIZES_APART), make(chars / 2), make(chars)]
    const fault = faultOf({
      small: () => parser.read(small),
      half: () => parser.read(half),
      large: () => parser.read(large),
    })
    if (typeof fault === 'number') worstMs = Math.max(worstMs, fault)
    else faults.push(`${parser.name}, ${name}: ${fault}`)
  }
  return { faults, worstMs }
}

/** Returns the fault in a few words, or how long the largest input took, in milliseconds. */
function faultOf(read: Record<'small' | 'half' | 'large', () => unknown>): string | number {
  // The small input comes first: what takes a turn at an eighth of the size need not be tried at the whole.
  const smallMs = leastMs(read.small, { enoughMs: QUICK_MS / SIZES_APART, runsMax: 3 })
  if (smallMs > TURN_MS_MAX) return `${smallMs.toFixed(0)} ms at an eighth of its limit`
  const mayMs = Math.max(QUICK_MS, Math.min(TURN_MS_MAX, smallMs * FACTOR_MAX))
  const largeMs = leastMs(read.large, { enoughMs: mayMs, runsMax: RUNS_MAX })
  if (largeMs <= mayMs) return largeMs
  const halfMs = leastMs(read.half, { enoughMs: 0, runsMax: RUNS_MAX })
  const isOneStep = halfMs <= smallMs * TO_HALF_MAX || largeMs <= halfMs * TO_WHOLE_MAX
  const turnMs = leastTurnMs(read.large, { enoughMs: TURN_MS_MAX, runsMax: RUNS_MAX })
  if (turnMs <= TURN_MS_MAX && isOneStep) return turnMs
  return (
    `a turn of ${turnMs.toFixed(1)} ms; ${smallMs.toFixed(1)} ms, ${largeMs.toFixed(1)} ms for ${SIZES_APART} times as much, ` +
    `and ${halfMs.toFixed(1)} ms for half of that`
  )
}
