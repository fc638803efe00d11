/** /account/session, /account/bearer, /account/sign-out: the visit itself. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { Auth } from '../accounts/auth.ts'
import { issueSessionBearer } from '../accounts/issue-session-bearer.ts'
import { readMethods } from '../accounts/read-access.ts'
import type { ApiContext } from '../api/api-context.ts'
import { API_BASE } from '../api/present.ts'
import type { SignInMethods } from '../store/sign-in.ts'
import { takeAnswer } from './auth-answers.ts'
import { type Reply, REPLIES } from './replies.ts'
import { findVisitor, requireSession, visitorOf } from './visitor.ts'

const visitSchema = { hide: true, response: { 200: REPLIES.Visit } }
const bearerSchema = { hide: true, response: { 200: REPLIES.Bearer } }
const methodsSchema = { hide: true, response: { 200: REPLIES.SignInMethods } }
const signOutSchema = {
  hide: true,
  body: Type.Object({ everywhere: Type.Boolean() }, { additionalProperties: false }),
  response: { 200: REPLIES.Done },
}

/** What everybody may know: who they are here, and what this server offers. */
export function visitRoutes(ctx: ApiContext, auth: Auth): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/session', { schema: visitSchema }, async (request, reply) => {
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

    app.post('/account/bearer', { schema: bearerSchema }, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const issued = await issueSessionBearer(ctx.db, { accountId })
      reply.header('Cache-Control', 'no-store')
      return issued
    })

    app.post('/account/sign-out', { schema: signOutSchema }, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const { everywhere } = request.body
      const headers = new Headers({
        cookie: request.headers.cookie ?? '',
        origin: new URL(ctx.publicUrl).origin,
      })
      await takeAnswer(await auth.signOut(headers, { accountId, everywhere }), reply)
      return { status: true as const }
    })

    app.get('/account/sign-in-methods', { schema: methodsSchema }, async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      return presentMethods(await readMethods(ctx.db, visitorOf(request).userId))
    })
  }
}

function presentMethods({ passkeys, ...methods }: SignInMethods): Reply<'SignInMethods'> {
  const present = ({ createdAt, ...passkey }: SignInMethods['passkeys'][number]) => ({
    ...passkey,
    createdAt: createdAt?.toISOString() ?? null,
  })
  return { ...methods, passkeys: passkeys.map(present) }
}
