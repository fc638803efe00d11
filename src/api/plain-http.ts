/**
 * What comes by plain http to a service of https is refused at every door that takes a secret, in the form of its
 * refusals and before a rate limit; the owner of a key or an app is told. A route is such a door unless it only shows
 * something, or says that it takes none.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limitApps } from '../features/accounts/attempt-limits.ts'
import {
  type ClearTextDeps,
  tellOwnerOfAppSecret,
  tellOwnerOfClearText,
} from '../features/accounts/clear-text-keys.ts'
import { authenticate } from '../features/accounts/keys.ts'
import { readRefusedForm } from '../kit/http/body.ts'
import { namesPlainHttp } from '../kit/http/plain-http.ts'
import { Problem } from '../kit/problem.ts'
import { rateHeaders } from './auth.ts'

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyContextConfig {
    /** True for a route that changes something and takes no secret: by plain http it is answered, too. */
    takesNoSecret?: boolean
  }
}

/**
 * Comes before every hook that reads a secret. Only proxies know how a request came, and say so in headers. A form may
 * take `bodyMs` to arrive.
 */
export function refusePlainHttp(app: FastifyInstance, deps: ClearTextDeps, bodyMs: number): void {
  if (!deps.publicUrl.startsWith('https:')) return
  app.addHook('onRequest', (request, reply, done) => {
    if (!namesPlainHttp(request.headers) || !mayBringSecret(request)) return done()
    const answer = (refusal: unknown): void => void reply.send(refusal)
    void tellOwnerOfForm(request, deps, bodyMs)
      .then(() => problemOfPlainHttp(request, reply, deps))
      .then(answer, answer)
  })
}

export const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Where GET brings a cookie, or the code or the question of a login. */
const OF_VISITORS = /^\/(?:account|oauth)\//

/** The route decides, not the address, which can be written in several ways. */
function mayBringSecret({ headers, method, routeOptions }: FastifyRequest): boolean {
  const { url = '', config } = routeOptions
  if (headers.authorization !== undefined) return true
  if (!READING_METHODS.has(method)) return config.takesNoSecret !== true
  return method !== 'OPTIONS' && OF_VISITORS.test(url)
}

/** Tells the owner of the key, where there is one, and returns the refusal, which pages of any origin may read. */
async function problemOfPlainHttp(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  deps: ClearTextDeps,
): Promise<Problem> {
  const open = { status: 403, headers: { 'Access-Control-Allow-Origin': '*' } }
  const key = await authenticate(deps.pool, headers.authorization)
  if (key === null)
    return new Problem('invalid_request', {
      ...open,
      message: `Nothing was done: this came by plain http, so others may have read it. Use ${deps.publicUrl} only, and replace any password, token or link that was sent.`,
    })
  reply.headers(rateHeaders(key))
  await tellOwnerOfClearText(deps, key)
  return new Problem('unauthorized', {
    ...open,
    message: `Nothing was done: this key came by plain http, so others may have read it. Replace it on the account page, and send keys to ${deps.publicUrl} only.`,
  })
}

/** The fields of a form in which apps send secrets that belong to an account. */
const SECRET_FIELDS = ['token', 'refresh_token', 'code', 'device_code']

/** Tells the owner of what an app sent in its form, as often as its network may ask for tokens. */
async function tellOwnerOfForm(
  request: FastifyRequest,
  deps: ClearTextDeps,
  bodyMs: number,
): Promise<void> {
  if (request.routeOptions.schema?.form === undefined) return
  const form = await readRefusedForm(request, bodyMs)
  const secrets = SECRET_FIELDS.map((name) => form.get(name)).filter((secret) => secret !== null)
  if (secrets.length === 0) return
  try {
    await limitApps(deps.pool, { ip: request.ip, work: 'token' })
  } catch (error) {
    if (error instanceof Problem) return
    throw error
  }
  for (const secret of secrets) await tellOwnerOfAppSecret(deps, secret)
}
