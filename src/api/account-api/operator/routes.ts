/** The addresses of the console, behind the session, the role and the second factor, which is shown here. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import { limitCodes } from '../../../features/accounts/attempt-limits.ts'
import { createFactor, proveFactor } from '../../../features/operator/operators.ts'
import type { ApiContext } from '../../api-context.ts'
import { closedObject } from '../../contract.ts'
import { answering, answersDone, DONE, REPLIES } from '../replies.ts'
import { refused, requireFreshSignIn, visitorOf } from '../visitor.ts'
import { operatorAccountRoutes } from './accounts.ts'
import { clearanceOf, requireOperator, requireProof } from './gate.ts'
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

// /account/operator and …/factor, …/proof: the role, and the second factor that the console asks for.

const factorSchema = { hide: true, response: { 201: REPLIES.NewFactor } }
const proofSchema = {
  ...answersDone,
  body: closedObject({ code: Type.String({ pattern: '^[0-9]{6}$', examples: ['123456'] }) }),
}
const NOT_FRESH = 'Sign out and in again: a second factor is set up right after signing in.'

function factorRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, pool, now, box } = ctx
  return async (app) => {
    const schema = answering(REPLIES.OperatorClearance)
    app.get('/account/operator', { schema }, async (request) => clearanceOf(request))

    app.post('/account/operator/factor', { schema: factorSchema }, async (request, reply) => {
      const visitor = visitorOf(request)
      requireFreshSignIn(ctx, visitor, NOT_FRESH)
      const factor = await createFactor(db, box, visitor)
      if (factor === null)
        throw refused('A second factor is already set up; enter its code.', { status: 403 })
      return reply.code(201).send(factor)
    })

    app.post('/account/operator/proof', { schema: proofSchema }, async (request) => {
      const { accountId, sessionId } = visitorOf(request)
      await limitCodes(pool, accountId)
      const { code } = request.body
      const proof = { accountId, sessionId, code, now: now() }
      if (!(await proveFactor(db, box, proof)))
        throw refused('This code is wrong, too old, or was used before; wait for the next one.', {
          field: 'code',
        })
      return DONE
    })
  }
}
