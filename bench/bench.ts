/** A benchmark, as bench/main.ts runs it. */

/** `smoke`: tiny sizes, to see that it works; `long`: the largest. */
export type BenchOptions = { smoke: boolean; long: boolean }

export type Bench = {
  /** Prints a table and returns its numbers. */
  run(options: BenchOptions): Promise<unknown>
}
