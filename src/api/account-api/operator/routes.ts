/** The addresses of the console, behind the session, the role and the second factor, which is shown here. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import { limitCodes } from '../../../features/accounts/attempt-limits.ts'
import { createFactor, proveFactor } from '../../../features/operator/operators.ts'
import { LIMITS } from '../../../kit/config/config.ts'
import { Problem } from '../../../kit/problem.ts'
import type { ApiContext } from '../../api-context.ts'
import { REPLIES } from '../replies.ts'
import { visitorOf } from '../visitor.ts'
import { operatorAccountRoutes } from './accounts.ts'
import { clearanceOf, requireOperator, requireProof } from './gate.ts'
import { operatorJobRoutes } from './jobs.ts'
import { operatorCheckRoutes, operatorServiceRoutes } from './service.ts'

// The console's addresses: behind the session, the role and the second factor.

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

// /account/operator and …/factor, …/proof: the role, and the second factor that the console asks for.

const clearanceSchema = { hide: true, response: { 200: REPLIES.OperatorClearance } }
const factorSchema = { hide: true, response: { 201: REPLIES.NewFactor } }
const proofSchema = {
  hide: true,
  body: Type.Object(
    { code: Type.String({ pattern: '^[0-9]{6}$' }) },
    { additionalProperties: false },
  ),
  response: { 200: REPLIES.Done },
}

export function factorRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, pool, now, box } = ctx
  return async (app) => {
    app.get('/account/operator', { schema: clearanceSchema }, async (request) =>
      clearanceOf(request),
    )

    app.post('/account/operator/factor', { schema: factorSchema }, async (request, reply) => {
      const { accountId, email, signedInAt } = visitorOf(request)
      if (now().getTime() - signedInAt.getTime() > LIMITS.freshSignInSeconds * 1_000)
        throw refused('Sign out and in again: a second factor is set up right after signing in.')
      const factor = await createFactor(db, box, { accountId, email })
      if (factor === null) throw refused('There is a second factor already; type its code.')
      return reply.code(201).send(factor)
    })

    app.post('/account/operator/proof', { schema: proofSchema }, async (request) => {
      const { accountId, sessionId } = visitorOf(request)
      await limitCodes(pool, accountId)
      const { code } = request.body
      const proof = { accountId, sessionId, code, now: now() }
      if (!(await proveFactor(db, box, proof)))
        throw new Problem('invalid_request', {
          message: 'This code is wrong, too old, or was used before; wait for the next one.',
          field: 'code',
        })
      return { status: true as const }
    })
  }
}

function refused(message: string): Problem {
  return new Problem('invalid_request', { status: 403, message })
}
