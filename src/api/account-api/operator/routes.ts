/** The console's addresses: behind the session, the role and the second factor. */
import type { FastifyPluginAsync } from 'fastify'
import type { ApiContext } from '../../api-context.ts'
import { operatorAccountRoutes } from './accounts.ts'
import { factorRoutes } from './factor.ts'
import { requireOperator, requireProof } from './gate.ts'
import { operatorJobRoutes } from './jobs.ts'
import { operatorCheckRoutes, operatorServiceRoutes } from './service.ts'

export function operatorRoutes(ctx: ApiContext): FastifyPluginAsync {
  return async (app) => {
    app.decorateRequest('clearance', null)
    app.addHook('onRequest', requireOperator(ctx))
    await app.register(factorRoutes(ctx))
    await app.register(async (proven) => {
      proven.addHook('onRequest', requireProof)
      await proven.register(operatorServiceRoutes(ctx))
      await proven.register(operatorCheckRoutes(ctx))
      await proven.register(operatorAccountRoutes(ctx))
      await proven.register(operatorJobRoutes(ctx))
    })
  }
}
