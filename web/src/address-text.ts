/** Parameters of addresses, between the text of an address and what pages read from it. */

/**
 * Returns the parameters of an address as the texts that they are: nothing that is typed there means JSON. Where one is
 * named twice, the first counts.
 */
export function parseAddress(query: string): Record<string, string> {
  const named = [...new URLSearchParams(query)].reverse()
  return Object.fromEntries(named.map(([name, value]) => [name, withoutQuotes(value)]))
}

/** Writes parameters so that `parseAddress` returns them; those without a value are left out. */
export function writeAddress(parameters: Record<string, unknown>): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    const text = String(value)
    written.append(name, withoutQuotes(text) === text ? text : JSON.stringify(text))
  }
  return written.size === 0 ? '' : `?${written}`
}

/**
 * Links of releases before have texts that are JSON in quotes (`"true"` for `true`): these are taken away, and those of
 * a phrase stay.
 */
function withoutQuotes(value: string): string {
  const inner = value.startsWith('"') ? parsed(value) : undefined
  return typeof inner === 'string' && parsed(inner) !== undefined ? inner : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
