/**
 * Tells callers of a route that it will be taken away, in the headers of every answer: since when it is deprecated
 * (RFC 9745), from when it may be gone (RFC 8594), and what takes its place.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Both days are written YYYY-MM-DD and begin at midnight, UTC. `link` leads to what takes the route's place. */
export type Deprecation = { since: string; sunset: string; link: string }

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyContextConfig {
    /** Set where the route will be taken away, a year before (see "Versions" in the reference). */
    deprecated?: Deprecation
  }
}

/** Makes every deprecated route that is registered from now on say so. */
export function announceDeprecations(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const deprecation = route.config?.deprecated
    if (deprecation === undefined) return
    const headers = deprecationHeaders(deprecation)
    const announce = (_request: unknown, reply: FastifyReply, _body: unknown, done: () => void) => {
      const { Link: link, ...days } = headers
      const links = [reply.getHeader('link') ?? [], link].flat() // an error's link leads to its explanation
      reply.headers(days).header('Link', links.join(', '))
      done()
    }
    route.onSend = [announce, ...[route.onSend ?? []].flat()]
  })
}

function deprecationHeaders({ since, sunset, link }: Deprecation) {
  return {
    Deprecation: `@${startOf(since) / 1000}`,
    Sunset: new Date(startOf(sunset)).toUTCString(),
    Link: `<${link}>; rel="deprecation"`,
  }
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}
