/** Who asks: the bearer key's account, the tokens its bucket has left, and what was read on the way. */
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type pg from 'pg'
import { authenticate, type Authenticated, type ReadAlong } from '../accounts/authenticate.ts'
import type { Balance } from '../billing/ledger.ts'
import { Problem } from '../problem.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { Visit } from '../store/visits.ts'
import { JOB_ID } from './contract.ts'

/** What a route reads in the round trip of its authentication: named in its `config`. */
export type ReadOnVisit = 'balance' | 'job'

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyContextConfig {
    reads?: ReadOnVisit
  }
}

const visits = new WeakMap<FastifyRequest, Authenticated>()

/** The account of a request that passed authentication. */
export function accountOf(request: FastifyRequest): string {
  return visitOf(request).accountId
}

/** The balance of a route that reads it on the visit. */
export function balanceOf(request: FastifyRequest): Balance {
  const { balance } = visitOf(request)
  if (balance === undefined)
    throw new Error(`${request.url} does not read the balance on its visit`)
  return balance
}

/** The job `params.id` of a route that reads it on the visit; null where the account has none. */
export function jobOf(request: FastifyRequest): JobRecord | null {
  const { job } = visitOf(request)
  if (job === undefined) throw new Error(`${request.url} does not read a job on its visit`)
  return job
}

function visitOf(request: FastifyRequest): Authenticated {
  const visit = visits.get(request)
  if (visit === undefined) throw new Error(`${request.method} ${request.url} was not authenticated`)
  return visit
}

/**
 * Authenticates and meters a request before anything else is looked at. Every answer to a valid key
 * carries the rate-limit headers; a refused request costs no token.
 */
export function requireKey(pool: pg.Pool): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const visit = await authenticate(pool, request.headers.authorization, readAlong(request))
    if (visit === null) {
      throw new Problem('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } })
    }
    visits.set(request, visit)
    writeRateHeaders(reply, visit)
    if (!visit.isAdmitted) throw rateLimited(visit)
  }
}

/** The refusal of a visit for which a bucket had no token. */
export function rateLimited({ isAccountSpent, nextTokenSeconds }: Visit): Problem {
  return new Problem('rate_limited', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(nextTokenSeconds))) },
    ...(isAccountSpent ? { message: OF_ACCOUNT } : {}),
  })
}

const OF_ACCOUNT =
  'Too many requests by this account, over all its keys; wait the number of seconds in Retry-After.'

function readAlong(request: FastifyRequest): ReadAlong {
  const { reads } = request.routeOptions.config
  if (reads === 'balance') return { kind: 'balance' }
  const { id = '' } = (request.params ?? {}) as { id?: string }
  // What is no id is refused by its form, and may hold bytes that the database does not take.
  return reads === 'job' && JOB_ID.test(id) ? { kind: 'job', jobId: id } : { kind: 'nothing' }
}

function writeRateHeaders(reply: FastifyReply, visit: Visit): void {
  reply.header('X-RateLimit-Limit', visit.bucketSize)
  reply.header('X-RateLimit-Remaining', visit.remaining)
}
