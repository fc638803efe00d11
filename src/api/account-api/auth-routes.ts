/** /account/auth/…: the parts of better-auth that the website uses; no other part of it has an address. */
import { type FastifyPluginAsyncTypebox, type TSchema } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AUTH_BASE, readAddress } from '../../model/accounts/sign-in.ts'
import type { Auth } from '../../features/accounts/auth.ts'
import type { ApiContext } from '../api-context.ts'
import { limitGuesses, limitRows, limitVisitor } from '../../features/accounts/attempt-limits.ts'
import {
  askBetterAuth,
  authenticationBody,
  changeBody,
  type KnownDevices,
  noAddress,
  passkeyBody,
  passkeyNameBody,
  registrationBody,
  sendFetchResponse,
  signInBody,
  socialBody,
  takeAnswer,
  weakPassword,
} from './auth-answers.ts'
import { AS_THE_LIBRARY_ANSWERS, REPLIES } from './replies.ts'
import { meterVisitors, requireSession, visitorOf } from './visitor.ts'

const hide = true
const done = { status: true } as const
const answersDone = { 200: REPLIES.Done }
const handedOn = { 200: AS_THE_LIBRARY_ANSWERS }

export function authRoutes(
  ctx: ApiContext,
  auth: Auth,
  devices: KnownDevices,
): FastifyPluginAsyncTypebox {
  const { pool } = ctx
  const ask = askBetterAuth(auth, ctx.publicUrl)
  return async (app) => {
    const at = (path: string): string => `${AUTH_BASE}${path}`

    app.post(
      at('/sign-in/email'),
      { schema: { hide, body: signInBody, response: answersDone } },
      async (request, reply) => {
        const email = readAddress(request.body.email)
        if (email === null) throw noAddress()
        await limitGuesses(pool, { ip: request.ip, email, device: devices.find(request, email) })
        await takeAnswer(await ask(request, '/sign-in/email'), reply)
        devices.keep(reply, email)
        return done // better-auth's own answer has the session's token, which is for the cookie alone
      },
    )

    await app.register(passwordRoutes(ctx, auth, devices))

    app.post(
      at('/passkey/verify-authentication'),
      { schema: { hide, body: authenticationBody, response: answersDone } },
      async (request, reply) => {
        await limitVisitor(pool, request)
        await takeAnswer(await ask(request, '/passkey/verify-authentication'), reply)
        return done
      },
    )

    type Limit = typeof limitVisitor
    const handOn =
      (path: string, limit: Limit) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
        await limit(pool, request)
        return sendFetchResponse(await ask(request, path), reply)
      }
    const get = (path: string, limit: Limit): void => {
      app.get(
        at(path),
        { schema: { hide, response: handedOn }, exposeHeadRoute: false },
        handOn(path, limit),
      )
    }
    const post = (path: string, body: TSchema, limit: Limit): void => {
      app.post(at(path), { schema: { hide, body, response: handedOn } }, handOn(path, limit))
    }
    get('/callback/oidc', limitVisitor)
    get('/passkey/generate-register-options', limitRows)
    get('/passkey/generate-authenticate-options', limitRows)
    post('/sign-in/social', socialBody, limitRows)
    post('/passkey/verify-registration', registrationBody, limitVisitor)
    post('/passkey/delete-passkey', passkeyBody, limitVisitor)
    post('/passkey/update-passkey', passkeyNameBody, limitVisitor)
  }
}

/** Routes of passwords. A new password ends the other sessions, so their bearers end too; this session gets another. */
function passwordRoutes(
  ctx: ApiContext,
  auth: Auth,
  devices: KnownDevices,
): FastifyPluginAsyncTypebox {
  const ask = askBetterAuth(auth, ctx.publicUrl)
  return async (app) => {
    app.addHook('onRequest', meterVisitors(ctx, auth))
    app.addHook('onRequest', requireSession)
    app.post(
      `${AUTH_BASE}/change-password`,
      { schema: { hide, body: changeBody, response: answersDone } },
      async (request, reply) => {
        const { accountId, email } = visitorOf(request)
        await limitGuesses(ctx.pool, {
          ip: request.ip,
          email,
          device: devices.find(request, email),
        })
        const sentence = auth.whyRefused(request.body.newPassword, email)
        if (sentence !== null) throw weakPassword(sentence)
        await takeAnswer(await ask(request, '/change-password'), reply)
        await auth.endBearers(accountId)
        return done
      },
    )
  }
}
