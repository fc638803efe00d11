/** Counts by name. A name whose count is 0 takes no memory. */

/** Opens counts that are all 0; `add` adds to one of them. */
export function openCounts(): { of(name: string): number; add(name: string, by: number): void } {
  const counts = new Map<string, number>()
  const of = (name: string): number => counts.get(name) ?? 0
  return {
    of,
    add(name, by) {
      const count = of(name) + by
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}
