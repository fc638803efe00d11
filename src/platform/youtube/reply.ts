/** A reply off the wire, judged before it is understood: the body, or the hurdle it stands for. */
import type { WireReply } from '../egress/connections.ts'
import { type Hurdle, hurdle, type HurdleName } from './hurdle.ts'
import { textAt } from './json.ts'

export type Body = { kind: 'body'; text: string } | { kind: 'hurdle'; hurdle: Hurdle }
export type Answer = { kind: 'json'; value: unknown } | { kind: 'hurdle'; hurdle: Hurdle }

const BLOCK_PAGE = /automated queries|g-recaptcha|\/sorry\/|unusual traffic|consent\.youtube\.com\/s/i
const SIGN_IN = /accounts\.google\.|consent\./

/** Statuses and pages alike for every call. A rotating exit's web page or torso is a block. */
export function readBody(reply: WireReply, { isRotating }: { isRotating: boolean }): Body {
  if (reply.kind === 'broken') {
    const isCut = reply.hurdle.name === 'truncated' && isRotating
    return stop(isCut ? 'block_page' : reply.hurdle.name)
  }
  const { status, text, location, retryAfterMs } = reply
  if (status === 200) {
    if (!isPage(text)) return { kind: 'body', text }
    return stop(isRotating || BLOCK_PAGE.test(text) ? 'block_page' : 'unreadable')
  }
  if (status === 429) return stop('rate_limited', retryAfterMs)
  if (status >= 300 && status < 400) {
    if (location?.includes('/sorry/') === true) return stop('block_page', retryAfterMs)
    return stop(location !== null && SIGN_IN.test(location) ? 'forbidden' : 'unreadable')
  }
  if (BLOCK_PAGE.test(text)) return stop('block_page', retryAfterMs)
  if (status === 401 || status === 403) return stop('forbidden', retryAfterMs)
  if (status === 407) return stop('unreachable')
  if (status >= 500) return stop('server_error', retryAfterMs)
  return refusedCall(status, text)
}

/** InnerTube's own errors are JSON: `{ error: { code, message, status } }`. */
function refusedCall(status: number, text: string): Body {
  const error = parsed(text)
  const name = textAt(error, 'error', 'status')
  const said = textAt(error, 'error', 'message')
  if (status === 404) return { kind: 'hurdle', hurdle: hurdle('not_found', { said: name }) }
  if (status === 400 && name === 'FAILED_PRECONDITION') {
    return { kind: 'hurdle', hurdle: hurdle('retired', { said }) }
  }
  return { kind: 'hurdle', hurdle: hurdle('bad_request', { said: said ?? `HTTP ${status}` }) }
}

export function readJson(body: Body): Answer {
  if (body.kind === 'hurdle') return body
  const value = parsed(body.text)
  if (typeof value === 'object' && value !== null) return { kind: 'json', value }
  const isTorso = body.text.trimStart().startsWith('{')
  return { kind: 'hurdle', hurdle: hurdle(isTorso || body.text === '' ? 'truncated' : 'unreadable') }
}

function isPage(text: string): boolean {
  return /^\s*<(?:!doctype html|html)/i.test(text.slice(0, 200))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function stop(name: HurdleName, retryAfterMs: number | null = null): Body {
  return { kind: 'hurdle', hurdle: hurdle(name, { retryAfterMs }) }
}
