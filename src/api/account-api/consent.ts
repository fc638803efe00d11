/**
 * /account/consent and /account/device: whether an app may act for the visitor. The app's question comes with the
 * request each time and is checked anew, so that nothing is kept of questions that are never answered.
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { limitVisitor } from '../../features/accounts/attempt-limits.ts'
import type { ApiContext } from '../api-context.ts'
import { closedObject } from '../contract.ts'
import { appFinders, PACKED_CHARS_MAX, unpackQuery } from '../oauth/answers.ts'
import { formatUsd, PRICE_MICROS } from '../../model/money/money.ts'
import {
  type AppScope,
  type Authorization,
  OAUTH_LIMITS,
  readAuthorization,
} from '../../model/oauth/authorization.ts'
import { type Client, destinationOf, publisherOf, redirectWith } from '../../model/oauth/client.ts'
import { confirmConsent, confirmDevice } from '../../features/oauth/consent.ts'
import { findApp, findConnection, findWaitingLogin } from '../../features/oauth/apps.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import { readUserCode } from '../../model/oauth/secrets.ts'
import { Problem } from '../../kit/problem.ts'
import { CapField, readCap } from './access.ts'
import { answering, answersDone, DONE, REPLIES, type Reply } from './replies.ts'
import { visitorOf } from './visitor.ts'

const UserCode = Type.String({ maxLength: 64 })
const Packed = Type.String({
  maxLength: PACKED_CHARS_MAX,
  pattern: '^[\\w-]*$',
  examples: ['Zk3v_9Q-x'],
})
const question = answering(REPLIES.AppQuestion)
const questionSchema = { ...question, querystring: Type.Object({ request: Packed }) }
const deviceSchema = { ...question, querystring: Type.Object({ code: UserCode }) }
const answerFields = { isAllowed: Type.Boolean(), monthlyCap: CapField }
const consentSchema = {
  ...answering(REPLIES.Decided),
  body: closedObject({ request: Packed, ...answerFields }),
}
const decideSchema = { ...answersDone, body: closedObject({ code: UserCode, ...answerFields }) }

function unknownCode(): Problem {
  return new Problem('not_found', {
    message:
      'No program is waiting with this code: check it, or start again there; a code is valid for ten minutes.',
  })
}

export function consentRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, pool, publicUrl } = ctx
  const finders = appFinders(ctx)
  const questionOf = async (
    request: FastifyRequest,
    packed: string,
  ): Promise<{ client: Client; asked: Authorization }> => {
    const query = unpackQuery(packed)
    const client = await findApp(finders(request), query.get('client_id'))
    const reading = readAuthorization(query, client, publicUrl)
    if (reading.kind === 'refused')
      throw new OAuthError('invalid_request', 'The app asked wrongly.')
    return { client, asked: reading.asked }
  }
  const waitingFor = async (code: string) => {
    const userCode = readUserCode(code)
    const waiting =
      userCode === null ? null : await findWaitingLogin(db, { userCode, isLocked: false })
    if (userCode === null || waiting === null) throw unknownCode()
    return { ...waiting, userCode }
  }
  return async (app) => {
    app.get('/account/consent', { schema: questionSchema }, async (request) => {
      const { client, asked } = await inOurWords(questionOf(request, request.query.request))
      const question = await present(ctx, request, client, asked.scopes)
      return { ...question, destination: destinationOf(asked.redirectUri) }
    })

    app.post('/account/consent', { schema: consentSchema }, async (request) => {
      const { request: packed, isAllowed, monthlyCap } = request.body
      const { accountId } = visitorOf(request)
      const { client, asked } = await inOurWords(questionOf(request, packed))
      const { redirectUri, state, scopes } = asked
      const answer = isAllowed
        ? {
            code: await confirmConsent(db, {
              accountId,
              client,
              asked,
              monthlyCapMicros: capOf(scopes, monthlyCap),
            }),
          }
        : { error: 'access_denied' }
      return { location: redirectWith(redirectUri, { ...answer, state, iss: publicUrl }) }
    })

    app.get('/account/device', { schema: deviceSchema }, async (request) => {
      await limitVisitor(pool, request)
      const { clientId, scopes } = await waitingFor(request.query.code)
      const client = await inOurWords(findApp(finders(request), clientId))
      return present(ctx, request, client, scopes)
    })

    app.post('/account/device', { schema: decideSchema }, async (request) => {
      await limitVisitor(pool, request)
      const { code, isAllowed, monthlyCap } = request.body
      const { accountId } = visitorOf(request)
      const { userCode, clientId, scopes } = await waitingFor(code)
      const consent = isAllowed
        ? {
            accountId,
            client: await inOurWords(findApp(finders(request), clientId)),
            monthlyCapMicros: capOf(scopes, monthlyCap),
          }
        : null
      if (!(await confirmDevice(db, { userCode, consent }))) throw unknownCode()
      return DONE
    })
  }
}

/** Returns the cap; null, which changes none, for an app that may not start jobs. */
function capOf(scopes: AppScope[], monthlyCap: string): bigint | null {
  return scopes.includes('jobs:write') ? readCap(monthlyCap) : null
}

async function present(
  { db }: ApiContext,
  request: FastifyRequest,
  client: Client,
  scopes: AppScope[],
): Promise<Reply<'AppQuestion'>> {
  const { accountId } = visitorOf(request)
  const known = await findConnection(db, { accountId, clientId: client.id })
  return {
    name: client.name,
    publisher: publisherOf(client),
    destination: null,
    scopes,
    isConnected: known !== null,
    monthlyCap: formatUsd(known?.monthlyCapMicros ?? OAUTH_LIMITS.capProposedMicros),
    spentThisMonth: formatUsd(known?.spentMicros ?? 0n),
    pricePerTranscript: formatUsd(PRICE_MICROS),
  }
}

/** Turns refusals in OAuth's form, which are for programs, into the sentence that the page shows. */
async function inOurWords<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    throw new Problem('invalid_request', { message: error.message })
  }
}
