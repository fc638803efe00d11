/**
 * /account/session, /account/bearer, /account/sign-out, /account/sessions: the visit itself, and other sessions of its
 * user.
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { Auth } from '../../features/accounts/auth.ts'
import { issueSessionBearer } from '../../features/accounts/keys.ts'
import {
  endSession,
  type OpenSessionRow,
  readAddressChanges,
  readMethods,
  readSessions,
} from '../../features/accounts/access.ts'
import type { ApiContext } from '../api-context.ts'
import { readIsOperator } from '../../features/operator/operators.ts'
import { API_BASE } from '../present.ts'
import { Problem } from '../../kit/problem.ts'
import type { SignInMethods } from '../../store/sign-in.ts'
import { takeAnswer } from './auth-answers.ts'
import { type Reply, REPLIES } from './replies.ts'
import { requireSession, visitorOf } from './visitor.ts'

const visitSchema = { hide: true, response: { 200: REPLIES.Visit } }
const bearerSchema = { hide: true, response: { 200: REPLIES.Bearer } }
const methodsSchema = { hide: true, response: { 200: REPLIES.SignInMethods } }
const endSchema = {
  hide: true,
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  response: { 200: REPLIES.Done },
}
const signOutSchema = {
  hide: true,
  body: Type.Object({ everywhere: Type.Boolean() }, { additionalProperties: false }),
  response: { 200: REPLIES.Done },
}

/** Routes for every visitor: who they are here, and what this server offers. */
export function visitRoutes(ctx: ApiContext, auth: Auth): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/session', { schema: visitSchema }, async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const { visitor } = request
      return {
        email: visitor?.email ?? null,
        accountId: visitor?.accountId ?? null,
        isOperator: visitor !== null && (await readIsOperator(ctx.db, visitor.accountId)),
        hasStatusPage: ctx.config.STATUS_PAGE,
        legal: ctx.legal.map(({ path, title }) => ({ path, title })),
        apiBase: `${ctx.publicUrl}${API_BASE}`,
        signUp: ctx.config.SIGN_UP,
        sendsMail: auth.sendsMail,
        oidcName: auth.oidcName,
      }
    })
  }
}

/** Routes for signed-in visitors and their sessions. */
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
      const { userId, accountId, sessionId } = visitorOf(request)
      const [methods, sessions, changes] = await Promise.all([
        readMethods(ctx.db, userId),
        readSessions(ctx.db, userId),
        readAddressChanges(ctx.db, accountId),
      ])
      const pending = changes.find((change) => change.madeAt === null && change.userId === userId)
      return {
        hasPassword: methods.hasPassword,
        providers: methods.providers,
        passkeys: methods.passkeys.map(presentPasskey),
        sessions: sessions.map((session) => presentSession(session, sessionId)),
        nextAddress:
          pending === undefined || pending.expiresAt < ctx.now()
            ? null
            : { email: pending.newEmail, expiresAt: pending.expiresAt.toISOString() },
      }
    })

    app.delete('/account/sessions/:id', { schema: endSchema }, async (request) => {
      const { userId, accountId } = visitorOf(request)
      const { id: sessionId } = request.params
      if (!(await endSession(ctx.db, { accountId, userId, sessionId }))) {
        throw new Problem('not_found', { message: 'This session has ended already.' })
      }
      return { status: true as const }
    })
  }
}

type Methods = Reply<'SignInMethods'>

function presentPasskey({
  createdAt,
  ...passkey
}: SignInMethods['passkeys'][number]): Methods['passkeys'][number] {
  return { ...passkey, createdAt: createdAt?.toISOString() ?? null }
}

function presentSession(session: OpenSessionRow, ownId: string): Methods['sessions'][number] {
  return {
    id: session.id,
    device: session.device,
    signedInAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    isCurrent: session.id === ownId,
  }
}
