/** /account/session, /account/bearer, /account/sign-out: the visit itself. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { Auth } from '../accounts/auth.ts'
import { issueSessionBearer } from '../accounts/issue-session-bearer.ts'
import { readMethods } from '../accounts/read-access.ts'
import type { ApiContext } from '../api/api-context.ts'
import { API_BASE } from '../api/present.ts'
import { sendFetchResponse } from './auth-answers.ts'
import { findVisitor, requireSession, visitorOf } from './visitor.ts'

const hidden = { hide: true }

/** What everybody may know: who they are here, and what this server offers. */
export function visitRoutes(ctx: ApiContext, auth: Auth): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/session', { schema: hidden }, async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const visitor = findVisitor(request)
      return {
        email: visitor?.email ?? null,
        accountId: visitor?.accountId ?? null,
        apiBase: `${ctx.publicUrl}${API_BASE}`,
        signUp: ctx.config.SIGN_UP,
        sendsMail: auth.sendsMail,
        oidcName: auth.oidcName,
      }
    })
  }
}

/** What signed-in visitors do with their session. */
export function sessionRoutes(ctx: ApiContext, auth: Auth): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireSession)

    app.post('/account/bearer', { schema: hidden }, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const issued = await issueSessionBearer(ctx.db, { accountId })
      reply.header('Cache-Control', 'no-store')
      return issued
    })

    const signOut = {
      ...hidden,
      body: Type.Object({ everywhere: Type.Boolean() }, { additionalProperties: false }),
    }
    app.post('/account/sign-out', { schema: signOut }, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const { everywhere } = request.body
      const headers = new Headers({
        cookie: request.headers.cookie ?? '',
        origin: new URL(ctx.publicUrl).origin,
      })
      return sendFetchResponse(await auth.signOut(headers, { accountId, everywhere }), reply)
    })

    app.get('/account/sign-in-methods', { schema: hidden }, async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      return readMethods(ctx.db, visitorOf(request).userId)
    })
  }
}
