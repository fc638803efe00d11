/**
 * Fields of a request that the schema of its route does not name do not exist: handlers cannot read them, so nothing is
 * read that is checked nowhere, and attacks that are made from the schemas miss none.
 */
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifySchema {
    /** Fields of a form (application/x-www-form-urlencoded), for routes that take one in place of JSON. */
    form?: { properties: Record<string, unknown> }
  }
}

/** Takes from each request what its route does not declare: before its handler, after all that refuses it. */
export function dropUndeclaredFields(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const { params, querystring, body, form } = request.routeOptions.schema ?? {}
    if (params === undefined) request.params = {}
    if (querystring === undefined) request.query = {}
    if (body === undefined && form === undefined) request.body = undefined
    done()
  })
}

/** Returns the declared fields of a request's query as they were sent; the framework's own reading makes lists. */
export function declaredQuery({ url, routeOptions }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?')
  const sent = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
  return declaredOf(sent, routeOptions.schema?.querystring)
}

/** Returns the fields of a query or a form that are declared, in the order in which they were sent. */
export function declaredOf(
  sent: URLSearchParams,
  declared: FastifySchema['querystring'],
): URLSearchParams {
  const { properties = {} } = (declared ?? {}) as { properties?: Record<string, unknown> }
  return new URLSearchParams([...sent].filter(([name]) => Object.hasOwn(properties, name)))
}
