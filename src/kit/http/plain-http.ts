/**
 * Whether a proxy says that a request came by plain http, to itself or to a proxy before it. One header that says so is
 * enough, whatever another says: a caller who writes it harms nobody else, and what https says may be of a later hop.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** Headers that name a scheme: what proxies agree on, and what some of them write instead of it. */
const SCHEMES = [
  'x-forwarded-proto',
  'x-forwarded-protocol',
  'x-forwarded-scheme',
  'x-scheme',
  'x-url-scheme',
  'cloudfront-forwarded-proto',
  'cf-visitor',
]
/** Headers that say whether the request was encrypted. */
const SWITCHES = ['x-forwarded-ssl', 'front-end-https']

// A list may hold the word at any place, in quotes or as the beginning of an address, but HTTP/1.1 is no scheme.
const PLAIN = /(?<![\w.-])(?:http|ws)(?![\w./-])/i
const OFF = /(?<!\w)(?:off|no|false|0)(?!\w)/i

export function namesPlainHttp(headers: IncomingHttpHeaders): boolean {
  const said = (name: string): string => headers[name]?.toString() ?? ''
  return (
    isPlainForward(said('forwarded')) ||
    SCHEMES.some((name) => PLAIN.test(said(name))) ||
    SWITCHES.some((name) => OFF.test(said(name)))
  )
}

/** Whether `Forwarded` (RFC 7239) says so in one of its elements; its hosts and addresses may hold the word. */
function isPlainForward(forwarded: string): boolean {
  return forwarded.split(/[;,]/).some((pair) => {
    const [name = '', value = ''] = pair.split('=', 2)
    return name.trim().toLowerCase() === 'proto' && PLAIN.test(value.replaceAll('\\', ''))
  })
}
