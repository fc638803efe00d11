/** A benchmark, as tools/bench/main.ts runs it. */

/** `smoke` takes tiny sizes, which only show that the benchmark works; `long` takes the largest. */
export type BenchOptions = { smoke: boolean; long: boolean }

export type Bench = {
  /** Prints a table and returns its numbers. */
  run(options: BenchOptions): Promise<unknown>
}
