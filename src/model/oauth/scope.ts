/** What an app may be allowed to do, and for which of our interfaces its tokens are good. */

export const APP_SCOPES = ['transcripts:read', 'jobs:write', 'account:read'] as const
export type AppScope = (typeof APP_SCOPES)[number]

/** `api`: the REST API; `mcp`: the tools for agents. A token for one is refused by the other. */
export const AUDIENCES = ['api', 'mcp'] as const
export type Audience = (typeof AUDIENCES)[number]

const PATHS: Record<Audience, string> = { api: '/api/v1', mcp: '/mcp' }

/** The address by which clients name one of our interfaces (RFC 8707). */
export function resourceOf(publicUrl: string, audience: Audience): string {
  return `${publicUrl}${PATHS[audience]}`
}

/**
 * The scopes of a request in our order; all of ours where it names none. What we do not know is passed over,
 * since clients add scopes of other protocols (`offline_access`). Null where nothing of ours is left.
 */
export function readScopes(text: string | null): AppScope[] | null {
  const asked = (text ?? '').split(' ').filter((word) => word !== '')
  if (asked.length === 0) return [...APP_SCOPES]
  const known = APP_SCOPES.filter((scope) => asked.includes(scope))
  return known.length === 0 ? null : known
}

/** For whom a token is asked: everything of ours where none is named; null where one is not ours. */
export function readAudience(resources: readonly string[], publicUrl: string): Audience[] | null {
  if (resources.length === 0) return [...AUDIENCES]
  const found = new Set<Audience>()
  for (const resource of resources) {
    const bare = resource.endsWith('/') ? resource.slice(0, -1) : resource
    const named = AUDIENCES.filter(
      (one) => bare === publicUrl || bare === resourceOf(publicUrl, one),
    )
    if (named.length === 0) return null
    for (const one of named) found.add(one)
  }
  return AUDIENCES.filter((one) => found.has(one))
}
