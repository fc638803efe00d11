/** The methods that each address of the API answers, from which 405, `Allow` and the OpenAPI document are made. */
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { Problem } from '../problem.ts'

/** A registered route; `url` includes its prefix and its `:parameters`. */
export type KnownRoute = {
  method: string
  url: string
  schema: FastifySchema | undefined
  config?: FastifyContextConfig | undefined
}

export type RouteWatch = ReturnType<typeof watchRoutes>

/**
 * Watches the routes that are registered from now on, so it must be called before the first one. `listedAt` is the
 * address that lists them, for whoever asked for one that does not exist.
 */
export function watchRoutes(app: FastifyInstance, listedAt: string) {
  const routes: KnownRoute[] = []
  const addresses = new Map<string, { form: string[]; methods: Set<string> }>()

  app.addHook('onRoute', ({ method, url, schema, config }) => {
    const known = addresses.get(url) ?? { form: url.split('/'), methods: new Set<string>() }
    addresses.set(url, known)
    for (const one of [method].flat()) {
      routes.push({ method: one, url, schema, config })
      known.methods.add(one)
    }
  })

  /** Returns the methods of an address, OPTIONS included; empty where no route matches. */
  const methodsAt = (url: string): string[] => {
    const parts = (url.split(/[?#]/, 1)[0] ?? '').split('/')
    const found = [...addresses.values()].find(({ form }) => isOfForm(parts, form))
    return found === undefined ? [] : [...found.methods, 'OPTIONS']
  }
  /** Returns the refusal of a request without a route: 404, or 405 where only the method is wrong. */
  const refusalOf = ({ url, method }: FastifyRequest): Problem => {
    const methods = methodsAt(url)
    if (methods.length === 0)
      return new Problem('not_found', {
        message: `There is no such address; ${listedAt} lists those that exist.`,
      })
    return new Problem('invalid_request', {
      status: 405,
      message: `This address does not answer ${method}; it answers ${methods.join(', ')}.`,
      headers: { Allow: methods.join(', ') },
    })
  }
  const refuse = (request: FastifyRequest): never => {
    throw refusalOf(request)
  }
  return { all: routes, methodsAt, refusalOf, refuse }
}

/** Whether an address matches a form such as `/jobs/:id`, part by part. */
function isOfForm(parts: readonly string[], form: readonly string[]): boolean {
  return (
    parts.length === form.length &&
    form.every((each, at) => (each.startsWith(':') ? parts[at] !== '' : each === parts[at]))
  )
}
