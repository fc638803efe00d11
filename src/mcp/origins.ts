/**
 * Which pages may call what is meant for programs. A browser names its page's origin with every POST and preflight;
 * programs send none. A page that DNS rebinding leads here still has its own origin, and one in a sandbox has `null`.
 */
import type { FastifyRequest } from 'fastify'
import { Problem } from '../kit/problem.ts'
import { isOwnName } from '../kit/http/own-machine.ts'

/** Returns the refusal of a page's request; null for a program, and for a page that may call. */
type OriginGuard = (request: FastifyRequest) => Problem | null

/**
 * Lets pages of the service itself and of loopback (the tools of developers) call, and those of the origins named in
 * `setting`: a comma-separated list, or `*` for all.
 */
export function originGuard(publicUrl: string, setting: string | null): OriginGuard {
  const own = new URL(publicUrl).origin
  const named = new Set((setting ?? '').split(',').map((one) => one.trim().toLowerCase()))
  return ({ headers: { origin } }) => {
    const isWelcome =
      origin === undefined ||
      origin === own ||
      named.has('*') ||
      named.has(origin.toLowerCase()) ||
      isOfLoopback(origin)
    return isWelcome ? null : new Problem('invalid_request', { status: 403, message: REFUSAL })
  }
}

const REFUSAL =
  'Pages of this Origin may not call the tools: it is neither this service nor this machine, nor named in MCP_ORIGINS. ' +
  'Programs send no Origin.'

function isOfLoopback(origin: string): boolean {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin) return false
  return (url.protocol === 'http:' || url.protocol === 'https:') && isOwnName(url.host)
}
