/**
 * Where a browser may be sent with a code: https addresses, programs on the reader's own machine (loopback, any
 * port: RFC 8252), and schemes that belong to an installed program.
 */

export const REDIRECT_URI_CHARS_MAX = 1024
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Schemes that browsers act upon themselves, or that lead to somebody else's program. */
const FOREIGN_SCHEMES = new Set(
  (
    'about blob chrome chrome-extension content data edge file filesystem ftp ftps gopher intent javascript ' +
    'mailto moz-extension news res resource sms tel vbscript view-source ws wss'
  )
    .split(' ')
    .map((scheme) => `${scheme}:`),
)
const VISIBLE = /^[\x21-\x7e]+$/

export function isRedirectUri(text: string): boolean {
  if (text.length > REDIRECT_URI_CHARS_MAX || !VISIBLE.test(text) || !URL.canParse(text))
    return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '' || text.includes('#') || text.includes('\\')) return false
  if (protocol === 'https:') return hostname !== ''
  if (protocol === 'http:') return LOOPBACK.has(hostname)
  return !FOREIGN_SCHEMES.has(protocol)
}

/** Whether a client that named `registered` may be answered at `asked`: the same text, or the same but for a loopback port. */
export function isSameRedirect(asked: string, registered: string): boolean {
  if (asked === registered) return true
  const [one, other] = [withoutLoopbackPort(asked), withoutLoopbackPort(registered)]
  return one !== null && one === other
}

function withoutLoopbackPort(text: string): string | null {
  if (!isRedirectUri(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'http:') return null
  url.port = ''
  return url.href
}

/** Where it leads, for people: a host, their own computer, or the program that owns a scheme. */
export type Destination = { kind: 'host' | 'computer' | 'program'; name: string }

export function destinationOf(redirectUri: string): Destination {
  const { protocol, hostname, host } = new URL(redirectUri)
  if (LOOPBACK.has(hostname)) return { kind: 'computer', name: hostname }
  return protocol === 'https:'
    ? { kind: 'host', name: host }
    : { kind: 'program', name: protocol.slice(0, -1) }
}

/** The address to go back to, with the answer in its query. */
export function redirectWith(redirectUri: string, answer: Record<string, string | null>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer))
    if (value !== null) url.searchParams.set(name, value)
  return url.href
}
