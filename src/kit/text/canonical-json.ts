/** JSON of which equal values have equal bytes. */

/** Returns the value's JSON with the names of every object sorted by code units and nothing between the tokens. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part
    const sorted = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
    // A null prototype keeps a name such as __proto__ a name.
    return Object.assign(Object.create(null), Object.fromEntries(sorted))
  })
}
