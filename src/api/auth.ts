/** Authentication of API requests: the key's account, its rate limit, and what was read in the same round trip. */
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import {
  authenticate,
  type Authenticated,
  isKey,
  type ReadAlong,
} from '../features/accounts/keys.ts'
import type { Balance } from '../model/money/ledger.ts'
import { challengeOf } from '../model/oauth/metadata.ts'
import type { AppScope, Audience } from '../model/oauth/authorization.ts'
import { found, Problem } from '../kit/problem.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { AuthenticatedKey, MeteredRequest } from '../store/authentication.ts'
import type { ApiContext } from './api-context.ts'
import { JOB_ID } from './jobs/schema.ts'

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyContextConfig {
    /** What a route reads in the round trip of its authentication. */
    reads?: 'balance' | 'job'
    /**
     * The scope that an app must have to call the route; without one, no app may (docs/oauth.md). `by body`: the route
     * checks by itself, once it has read what is wanted.
     */
    scope?: AppScope | 'by body'
    /** True for a route that answers for as long as there is something to tell: its time says nothing about us. */
    isStream?: boolean
  }
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyRequest {
    /** Set by `requireKey`; null before. */
    authenticated: Authenticated | null
  }
}

/** The `config` of routes that apps may call which are allowed to read what was delivered. */
export const READING = { scope: 'transcripts:read' } as const
export const READING_JOB = { ...READING, reads: 'job' } as const

/** The `config` of routes that apps may call which are allowed to order. */
export const ORDERING = { scope: 'jobs:write' } as const

/** Returns the caller of a request that passed authentication, and what was read with it. */
export function callerOf(request: FastifyRequest): Authenticated {
  if (request.authenticated === null)
    throw new Error(`${request.method} ${request.url} was not authenticated`)
  return request.authenticated
}

export function accountOf(request: FastifyRequest): string {
  return callerOf(request).accountId
}

/** Returns the balance for a route that reads it with its authentication. */
export function balanceOf(request: FastifyRequest): Balance {
  const { balance } = callerOf(request)
  if (balance === undefined)
    throw new Error(`${request.url} does not read the balance with its authentication`)
  return balance
}

/**
 * Returns the job `params.id` for a route that reads it with its authentication. Throws `not_found` where the account
 * has none.
 */
export function jobOf(request: FastifyRequest): JobRecord {
  const { job } = callerOf(request)
  if (job === undefined)
    throw new Error(`${request.url} does not read a job with its authentication`)
  return found(job)
}

const NO_KEY = {
  message:
    'Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page.',
}

/**
 * Authenticates and meters a request before anything else is looked at. Every answer to a valid key carries the
 * rate-limit headers; a refused request costs no token. A token of an app is good for `audience` only, and for routes
 * whose `scope` it has.
 */
export function requireKey(
  { pool, publicUrl }: ApiContext,
  audience: Audience = 'api',
): onRequestAsyncHookHandler {
  const challenge = challengeOf(publicUrl, audience)
  const refusal = challengeOf(publicUrl, audience, { error: 'invalid_token' })
  return async (request, reply) => {
    const { authorization } = request.headers
    const key = await authenticate(pool, authorization, readAlong(request))
    if (key === null || key.app?.audience.includes(audience) === false) {
      const headers = { 'WWW-Authenticate': authorization === undefined ? challenge : refusal }
      throw new Problem('unauthorized', { headers, ...(isKey(authorization) ? {} : NO_KEY) })
    }
    request.authenticated = key
    reply.headers(rateHeaders(key))
    if (!key.isAdmitted) throw rateLimited(key)
    const { scope } = request.routeOptions.config
    if (!request.is404 && scope !== 'by body') requireScope(key, scope, { publicUrl, audience })
  }
}

/**
 * Throws where an app or a restricted key may not do what needs `scope`; undefined stands for what only unrestricted
 * keys may do.
 */
export function requireScope(
  { app, scopes, own }: AuthenticatedKey,
  scope: AppScope | undefined,
  { publicUrl, audience }: { publicUrl: string; audience: Audience },
): void {
  // A route without a scope may spend in its own name, as followed channels do, so a key with a cap may not call it.
  const isWhole = scopes === null && (scope !== undefined || own?.isCapped !== true)
  if (isWhole || (scope !== undefined && scopes?.includes(scope) === true)) return
  const asked = scope === undefined ? {} : { scope }
  const challenge = challengeOf(publicUrl, audience, { error: 'insufficient_scope', ...asked })
  throw new Problem('unauthorized', {
    status: 403,
    message: app === null ? refusalOfKey(scope) : refusalOfApp(scope),
    headers: { 'WWW-Authenticate': challenge },
  })
}

function refusalOfApp(scope: AppScope | undefined): string {
  return scope === undefined
    ? 'Apps cannot do this; use an API key of your account.'
    : `This app is not allowed to do this: it needs the scope ${scope}, which its user has to grant.`
}

function refusalOfKey(scope: AppScope | undefined): string {
  return scope === undefined
    ? 'This key is restricted and cannot do this; use a key that may do everything.'
    : `This key is not allowed to do this: it lacks the scope ${scope}. Its owner can create another key on the account page.`
}

/**
 * Returns what is left of the key's bucket and of the account's: the contract's own headers, and those of
 * draft-ietf-httpapi-ratelimit-headers, version 11, in which a bucket's window is the time in which it fills up.
 */
export function rateHeaders({
  remaining,
  buckets,
}: MeteredRequest): Record<string, string | number> {
  const named = Object.entries({ key: buckets.own, account: buckets.account })
  const policies = named.map(
    ([name, { size, refillPerSecond }]) =>
      `"${name}";q=${size};w=${Math.ceil(size / refillPerSecond)}`,
  )
  const levels = named.map(
    ([name, level]) => `"${name}";r=${level.remaining};t=${level.nextSeconds}`,
  )
  return {
    'X-RateLimit-Limit': buckets.own.size,
    'X-RateLimit-Remaining': remaining,
    'RateLimit-Policy': policies.join(', '),
    RateLimit: levels.join(', '),
  }
}

/** Returns the refusal of a request for which a bucket had no token. */
export function rateLimited({ isAccountSpent, nextTokenSeconds }: MeteredRequest): Problem {
  return new Problem('rate_limited', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(nextTokenSeconds))) },
    ...(isAccountSpent ? { message: ACCOUNT_SPENT } : {}),
  })
}

const ACCOUNT_SPENT =
  'Too many requests by this account, over all its keys; wait the number of seconds in Retry-After.'

function readAlong(request: FastifyRequest): ReadAlong {
  const { reads } = request.routeOptions.config
  if (reads === 'balance') return { kind: 'balance' }
  const { id = '' } = (request.params ?? {}) as { id?: string }
  // A malformed id is refused by its form; it may contain bytes that the database does not accept.
  return reads === 'job' && JOB_ID.test(id) ? { kind: 'job', jobId: id } : { kind: 'nothing' }
}
