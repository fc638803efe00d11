/**
 * Work over many rows, in steps: its driver decides what happens between two of them. A job's rows are done at once; a
 * collection's, of which there may be thousands, in turns of the event loop.
 */

/** Yields nothing at each place for a pause, and returns the result. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Number of rows in a step; a row costs up to a tenth of a millisecond in each pass. */
const ROWS_A_STEP = 100

/** Acts on each item, with a pause after each hundred. */
export function* eachInSteps<T>(
  items: readonly T[],
  act: (item: T, at: number) => void,
  itemsAStep = ROWS_A_STEP,
): Steps<void> {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % itemsAStep === 0) yield
    act(item, at)
  }
}

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
