/** The contract as the routes of the public API state it, from which the papers are printed. */
import { fastify } from 'fastify'
import type { ApiContext } from '../../src/api/api-context.ts'
import { API_BASE, linksFrom } from '../../src/api/links.ts'
import { PRINTED_ADDRESS } from '../../src/api/documents/printed.ts'
import { publicApi } from '../../src/public-api.ts'
import { readConfig } from '../../src/config/config.ts'
import { type KnownRoute, watchRoutes } from '../../src/kit/http/allowed-methods.ts'
import { documentOf } from './openapi.ts'

/** Returns every route of the public API. They are registered and never asked, so nothing has to be opened for them. */
export async function readRoutes(): Promise<readonly KnownRoute[]> {
  const app = fastify()
  const routes = watchRoutes(app, '')
  app.decorateRequest('authenticated', null)
  const known = {
    config: readConfig({}),
    publicUrl: PRINTED_ADDRESS,
    links: linksFrom(PRINTED_ADDRESS),
  }
  await app.register(publicApi(known as ApiContext, routes, Buffer.of()), { prefix: API_BASE })
  await app.ready()
  return routes.all
}

/** Returns the OpenAPI document as it is printed. */
export async function printDescription(): Promise<Record<string, unknown>> {
  return documentOf(await readRoutes())
}
