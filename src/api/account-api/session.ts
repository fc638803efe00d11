/**
 * /account/session, /account/bearer, /account/sign-out, /account/sessions: the visit itself, and other sessions of its
 * user.
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { issueSessionBearer } from '../../features/accounts/keys.ts'
import {
  endSession,
  listAddressChanges,
  readSignInMethods,
  readSessions,
} from '../../features/accounts/access.ts'
import { closedObject, rowId } from '../contract.ts'
import { readIsOperator } from '../../features/operator/operators.ts'
import { footOf } from '../landing/page.ts'
import { API_BASE } from '../links.ts'
import { Problem } from '../../kit/problem.ts'
import { type AccountContext, takeAnswer } from './auth-answers.ts'
import { isFirstRunOffered } from './first-run.ts'
import { answering, answersDone, DONE, REPLIES } from './replies.ts'
import { requireSession, visitorOf } from './visitor.ts'

const endSchema = {
  ...answersDone,
  params: Type.Object({ id: rowId() }),
}
/** What newcomers may try: addresses that the platform has, and those that its stand-in has. */
const EXAMPLES = {
  video: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
  channel: 'https://www.youtube.com/@TED',
}
const EXAMPLES_OF_THE_STAND_IN = {
  video: 'https://www.youtube.com/watch?v=QIyCJblUw9E',
  channel: 'https://www.youtube.com/@tallerpequeno',
}
const signOutSchema = { ...answersDone, body: closedObject({ everywhere: Type.Boolean() }) }

/** Routes for every visitor: who they are here, and what this server offers. */
export function visitRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/session', { schema: answering(REPLIES.Visit) }, async (request) => {
      const { visitor } = request
      return {
        email: visitor?.email ?? null,
        accountId: visitor?.accountId ?? null,
        isOperator: visitor !== null && (await readIsOperator(ctx.db, visitor.accountId)),
        foot: footOf(ctx.legal, ctx.config.STATUS_PAGE),
        apiBase: `${ctx.publicUrl}${API_BASE}`,
        signUp: ctx.config.SIGN_UP,
        sendsMail: ctx.auth.sendsMail,
        oidcName: ctx.auth.oidcName,
        isFirstRun: visitor === null && (await isFirstRunOffered(ctx, request)),
        examples: ctx.config.PLATFORM_ORIGIN === null ? EXAMPLES : EXAMPLES_OF_THE_STAND_IN,
      }
    })
  }
}

/** Routes for signed-in visitors and their sessions. */
export function sessionRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireSession)

    app.post('/account/bearer', { schema: answering(REPLIES.Bearer) }, async (request) => {
      const { accountId } = visitorOf(request)
      return issueSessionBearer(ctx.db, accountId)
    })

    app.post('/account/sign-out', { schema: signOutSchema }, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const { everywhere } = request.body
      const headers = new Headers({
        cookie: request.headers.cookie ?? '',
        origin: new URL(ctx.publicUrl).origin,
      })
      await takeAnswer(await ctx.auth.signOut(headers, { accountId, everywhere }), reply)
      return DONE
    })

    const schema = answering(REPLIES.SignInMethods)
    app.get('/account/sign-in-methods', { schema }, async (request) => {
      const { userId, accountId, sessionId } = visitorOf(request)
      const [methods, sessions, changes] = await Promise.all([
        readSignInMethods(ctx.db, userId),
        readSessions(ctx.db, userId),
        listAddressChanges(ctx.db, accountId),
      ])
      const pending = changes.find((change) => change.madeAt === null && change.userId === userId)
      return {
        ...methods,
        sessions: sessions.map(({ createdAt: signedInAt, ...session }) => ({
          ...session,
          signedInAt,
          isCurrent: session.id === sessionId,
        })),
        nextAddress:
          pending === undefined || pending.expiresAt < ctx.now()
            ? null
            : { email: pending.newEmail, expiresAt: pending.expiresAt },
      }
    })

    app.delete('/account/sessions/:id', { schema: endSchema }, async (request) => {
      const { userId, accountId } = visitorOf(request)
      const { id: sessionId } = request.params
      if (!(await endSession(ctx.db, { accountId, userId, sessionId }))) {
        throw new Problem('not_found', { message: 'This session has ended already.' })
      }
      return DONE
    })
  }
}
