/** What the routes of OAuth share: finding the app of a request, answers in OAuth's own form, callers in browsers. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { limitRows } from '../../features/accounts/attempt-limits.ts'
import { LIMITS } from '../../config/config.ts'
import { declaredQuery } from '../../kit/http/declared-fields.ts'
import type { AppFinder } from '../../features/oauth/apps.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import { Problem } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'

export const hidden = { hide: true } as const
/** A field that may be left out and is anything: each refusal has OAuth's own form and code. */
const Anything = Type.Optional(Type.Unknown())

/** Returns the schema of a query or a form with these fields. */
export function fieldsNamed(...names: string[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, Anything])))
}

const QUERY_CHARS_MAX = 6_000
export const PACKED_CHARS_MAX = 3 * QUERY_CHARS_MAX // characters may be escaped anew

/** Returns the finder for a request: reading a document counts against the visitor who causes it. */
export type FindersOfRequest = (request: FastifyRequest) => AppFinder

export function appFinders({ db, box, pool, config, documents }: ApiContext): FindersOfRequest {
  return (request) => ({
    db,
    box,
    documents,
    isPrivateAllowed: config.WEBHOOK_ALLOW_PRIVATE,
    mayRead: () => limitRows(pool, request),
  })
}

/** Opens the path to programs in browsers, which send headers of their own; nothing here knows a cookie. */
export function openToBrowsers(app: FastifyInstance, path: string): void {
  app.options(path, { schema: hidden }, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Max-Age': String(LIMITS.preflightSeconds),
      })
      .send(),
  )
}

/** Returns the declared fields of the query; throws an OAuthError where it is too long to be carried on. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  if (request.url.length > QUERY_CHARS_MAX)
    throw new OAuthError(
      'invalid_request',
      `The address has more than ${QUERY_CHARS_MAX} characters.`,
    )
  return declaredQuery(request)
}

/** Returns a query as one word, which goes through the website's addresses and its sign-in page unchanged. */
export function packQuery(query: URLSearchParams): string {
  return Buffer.from(query.toString()).toString('base64url')
}

export function unpackQuery(packed: string): URLSearchParams {
  return new URLSearchParams(Buffer.from(packed, 'base64url').toString())
}

/**
 * Answers errors: refusals in OAuth's form for programs, of which a browser shows the sentence; other errors as
 * everywhere.
 */
export function answerInOAuthsForm(
  error: Error,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = asOAuthError(error)
  if (refusal === null) throw error
  if (error instanceof Problem) reply.headers(error.headers)
  void reply.code(refusal.status).header('Cache-Control', 'no-store').send(refusal.toJSON())
}

function asOAuthError(error: Error): OAuthError | null {
  if (error instanceof OAuthError) return error
  if (!(error instanceof Problem) || error.status >= 500) return null
  if (error.code === 'rate_limited') return new OAuthError('temporarily_unavailable', error.message)
  return new OAuthError('invalid_request', error.message, error.status === 403 ? 403 : undefined)
}
