/** /account/first-run: the operator's account, while there is none and on this machine only. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { limitVisitor } from '../../features/accounts/attempt-limits.ts'
import { isOfThisMachine } from '../../kit/http/own-machine.ts'
import { Problem } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'
import {
  type AccountContext,
  firstRunSchema,
  headersOf,
  requireAddress,
  requireStrong,
  takeAnswer,
} from './auth-answers.ts'
import { DONE } from './replies.ts'
import { refused } from './visitor.ts'

/**
 * Returns whether the page is offered to this request: it comes from this machine, under the service's own name, and
 * there is no account.
 */
export async function isFirstRunOffered(
  { firstRun, publicUrl }: ApiContext,
  request: FastifyRequest,
): Promise<boolean> {
  if (firstRun === null || request.headers.host !== new URL(publicUrl).host) return false
  return isOfThisMachine(request) && firstRun.isOpen()
}

export function firstRunRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  const { pool, auth, devices, firstRun } = ctx
  return async (app) => {
    if (firstRun === null) return
    app.post('/account/first-run', { schema: firstRunSchema }, async (request, reply) => {
      if (!(await isFirstRunOffered(ctx, request))) throw new Problem('not_found')
      await limitVisitor(pool, request)
      const { code, password } = request.body
      const email = requireAddress(request.body.email)
      requireStrong(password, email)
      const hashed = await auth.passwords.hash(password)
      const userId = await firstRun.claim({ code, email, password: hashed })
      if (userId === null)
        throw refused(
          'This is not the code that the service printed when it started, or an account already exists.',
          { field: 'code', status: 403 },
        )
      await takeAnswer(await auth.signIn(headersOf(request), userId), reply)
      devices.keep(reply, email)
      return DONE
    })
  }
}
