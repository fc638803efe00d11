/** Tries the shapes of a parser: none takes a turn too long at its limit, and time grows as the input does. */
import { leastMs, longestTurnMs } from './measure.ts'
import { type Parser, shapesOf } from './parser.ts'

const TURN_MS_MAX = longestTurnMs()
/** What takes less at its limit is quick enough, however it got there. */
const QUICK_MS = TURN_MS_MAX / 6
/** Between the two sizes; what is quadratic takes 64 times as long. */
const SIZES_APART = 8
const FACTOR_MAX = SIZES_APART * 3
/**
 * Asked of what exceeds FACTOR_MAX: memory that the system hands out anew makes one step of the way longer, a
 * quadratic makes each of them so. From the eighth to half it takes 16 times as long, from there to the whole 4 times.
 */
const TO_HALF_MAX = 8
const TO_WHOLE_MAX = 3
const RUNS_MAX = 12

/** A quick look takes no larger inputs: growth shows there too. */
const QUICK_CHARS = 65_536

/** What is wrong, one sentence for each shape; and the longest of those that are right, in milliseconds. */
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

/** What is wrong in a few words, or how long the largest one took. */
function faultOf(read: Record<'small' | 'half' | 'large', () => unknown>): string | number {
  // First the small one: what takes a turn at an eighth of the size need not be tried at the whole.
  const smallMs = leastMs(read.small, { enoughMs: QUICK_MS / SIZES_APART, runsMax: 3 })
  if (smallMs > TURN_MS_MAX) return `${smallMs.toFixed(0)} ms at an eighth of its limit`
  const mayMs = Math.max(QUICK_MS, Math.min(TURN_MS_MAX, smallMs * FACTOR_MAX))
  const largeMs = leastMs(read.large, { enoughMs: mayMs, runsMax: RUNS_MAX })
  if (largeMs <= mayMs) return largeMs
  const halfMs = leastMs(read.half, { enoughMs: 0, runsMax: RUNS_MAX })
  const isOneStep = halfMs <= smallMs * TO_HALF_MAX || largeMs <= halfMs * TO_WHOLE_MAX
  if (largeMs <= TURN_MS_MAX && isOneStep) return largeMs
  return (
    `${smallMs.toFixed(1)} ms, ${largeMs.toFixed(1)} ms for ${SIZES_APART} times as much, ` +
    `and ${halfMs.toFixed(1)} ms for half of that`
  )
}
