/** The headers that keep browsers from guessing, from http and from keeping what is private. */

/** How long a browser that came by https keeps to it: a year. */
const HTTPS_ONLY_SECONDS = 31_536_000

/** Of every answer, whatever it is. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  const always = { 'X-Content-Type-Options': 'nosniff' }
  if (!publicUrl.startsWith('https:')) return always
  return { ...always, 'Strict-Transport-Security': `max-age=${HTTPS_ONLY_SECONDS}` }
}

/** Whether answers at an address of ours are somebody's own, so that nobody may keep them. */
export function isPrivate(url: string): boolean {
  return PRIVATE_BASES.some((base) => url.startsWith(base))
}

const PRIVATE_BASES = ['/api/', '/account/', '/oauth/', '/mcp']
