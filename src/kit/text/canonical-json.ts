/** JSON of which equal values have equal bytes. */

/**
 * Returns the value's JSON with nothing between the tokens and the names of every object sorted by code units, but
 * names that are whole numbers first, by their value, as JavaScript keeps them.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part
    const sorted = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
    // A null prototype keeps a name such as __proto__ a name.
    return Object.assign(Object.create(null), Object.fromEntries(sorted))
  })
}
