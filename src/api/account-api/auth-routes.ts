/** /account/auth/…: the parts of better-auth that the website uses; no other part of it has an address. */
import { type FastifyPluginAsyncTypebox, type TSchema } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsNamed } from '../oauth/answers.ts'
import { limitGuesses, limitRows, limitVisitor } from '../../features/accounts/attempt-limits.ts'
import { AUTH_BASE } from '../../model/accounts/sign-in.ts'
import {
  type AccountContext,
  authenticationSchema,
  renewalSchema,
  signInSchema,
  passkeyBody,
  passkeyNameBody,
  registrationBody,
  requireAddress,
  requireStrong,
  sendFetchResponse,
  socialBody,
  takeAnswer,
} from './auth-answers.ts'
import { answering, AS_THE_LIBRARY_ANSWERS, DONE } from './replies.ts'
import { meterVisitors, requireSession, visitorOf } from './visitor.ts'

/** What a provider sends back; better-auth checks each. */
const callbackQuery = fieldsNamed('code', 'state', 'iss', 'error', 'error_description')
const handedOn = answering(AS_THE_LIBRARY_ANSWERS)

export function authRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  const { pool, auth, devices, askBetterAuth: ask } = ctx
  return async (app) => {
    const at = (path: string): string => `${AUTH_BASE}${path}`

    app.post(at('/sign-in/email'), { schema: signInSchema }, async (request, reply) => {
      const email = requireAddress(request.body.email)
      const [{ ip }, device] = [request, devices.find(request, email)]
      await limitGuesses(pool, { ip, email, device })
      const who = { ip, isKnown: device !== null }
      const answer = await auth.passwords.inTurn(who, () => ask(request, '/sign-in/email'))
      await takeAnswer(answer, reply)
      devices.keep(reply, email)
      return DONE // better-auth's own answer has the session's token, which is for the cookie alone
    })

    await app.register(passwordRoutes(ctx))

    app.post(
      at('/passkey/verify-authentication'),
      { schema: authenticationSchema },
      async (request, reply) => {
        await limitVisitor(pool, request)
        await takeAnswer(await ask(request, '/passkey/verify-authentication'), reply)
        return DONE
      },
    )

    type Limit = typeof limitVisitor
    const handOn =
      (path: string, limit: Limit) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
        await limit(pool, request)
        return sendFetchResponse(await ask(request, path), reply)
      }
    const get = (path: string, limit: Limit, querystring?: TSchema): void => {
      const schema = { ...handedOn, ...(querystring === undefined ? {} : { querystring }) }
      app.get(at(path), { schema, exposeHeadRoute: false }, handOn(path, limit))
    }
    const post = (path: string, body: TSchema, limit: Limit): void => {
      app.post(at(path), { schema: { ...handedOn, body } }, handOn(path, limit))
    }
    get('/callback/oidc', limitVisitor, callbackQuery)
    get('/passkey/generate-register-options', limitRows)
    get('/passkey/generate-authenticate-options', limitRows)
    post('/sign-in/social', socialBody, limitRows)
    post('/passkey/verify-registration', registrationBody, limitVisitor)
    post('/passkey/delete-passkey', passkeyBody, limitVisitor)
    post('/passkey/update-passkey', passkeyNameBody, limitVisitor)
  }
}

/** Routes of passwords. A new password ends the other sessions, so their bearers end too; this session gets another. */
function passwordRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', meterVisitors(ctx))
    app.addHook('onRequest', requireSession)
    app.post(`${AUTH_BASE}/change-password`, { schema: renewalSchema }, async (request, reply) => {
      const { accountId, email } = visitorOf(request)
      const device = ctx.devices.find(request, email)
      await limitGuesses(ctx.pool, { ip: request.ip, email, device })
      requireStrong(request.body.newPassword, email)
      const who = { ip: request.ip, isKnown: true } // signed in
      const answer = await ctx.auth.passwords.inTurn(who, () =>
        ctx.askBetterAuth(request, '/change-password'),
      )
      await takeAnswer(answer, reply)
      await ctx.auth.endBearers(accountId)
      return DONE
    })
  }
}
