/** Tries the shapes of a parser: none takes a turn too long at its limit, and time grows as the input does. */
import { leastMs, slowness } from './measure.ts'
import { type Parser, shapesOf } from './parser.ts'

/** One turn of the event loop, in milliseconds; a slower machine has as much longer turns. */
const TURN_MS_MAX = 50 * slowness()
/** What takes less at its limit is quick enough, however it got there. */
const QUICK_MS = 8
/** Between the two sizes; what is quadratic takes 64 times as long. */
const SIZES_APART = 8
const FACTOR_MAX = SIZES_APART * 3
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
    const [small, large] = [make(chars / SIZES_APART), make(chars)]
    const fault = faultOf(
      () => parser.read(small),
      () => parser.read(large),
    )
    if (typeof fault === 'number') worstMs = Math.max(worstMs, fault)
    else faults.push(`${parser.name}, ${name}: ${fault}`)
  }
  return { faults, worstMs }
}

/** What is wrong in a few words, or how long the larger one took. */
function faultOf(readSmall: () => unknown, readLarge: () => unknown): string | number {
  // First the small one: what takes a turn at an eighth of the size need not be tried at the whole.
  const smallMs = leastMs(readSmall, { enoughMs: QUICK_MS / SIZES_APART, runsMax: 3 })
  if (smallMs > TURN_MS_MAX) return `${smallMs.toFixed(0)} ms at an eighth of its limit`
  const mayMs = Math.max(QUICK_MS, Math.min(TURN_MS_MAX, smallMs * FACTOR_MAX))
  const largeMs = leastMs(readLarge, { enoughMs: mayMs, runsMax: RUNS_MAX })
  if (largeMs <= mayMs) return largeMs
  return `${smallMs.toFixed(1)} ms, and ${largeMs.toFixed(1)} ms for ${SIZES_APART} times as much`
}
