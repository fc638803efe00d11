/** Every failure of a request as the wire's Error, also the framework's and the HTTP parser's own. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../config.ts'
import { Problem } from '../problem.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

type AnswerError = (
  error: FastifyError | Problem,
  request: FastifyRequest,
  reply: FastifyReply,
) => void

/**
 * Answers with the Problem that a failure is; logs only what is ours. `isAway` says whether it is a
 * database that does not answer.
 */
export function errorHandler(isAway: (error: unknown) => boolean): AnswerError {
  return (error, request, reply) => {
    const isOfDatabase = !(error instanceof Problem) && isAway(error)
    answer(isOfDatabase ? away() : toProblem(error, request), error, request, reply)
  }
}

function answer(
  problem: Problem,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (problem.status >= 500 && problem.code === 'internal_error') {
    request.log.error(
      { err: error, requestId: request.id },
      'a request failed with an internal error',
    )
  }
  // Headers of the response that failed before it was sent.
  for (const name of OF_A_BODY) reply.removeHeader(name)
  reply.header('X-Content-Type-Options', 'nosniff').header('Cache-Control', 'no-store')
  void reply.code(problem.status).headers(problem.headers).type(JSON_TYPE).send(problem.toJSON())
}

function toProblem(error: FastifyError | Problem, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const status = error.statusCode ?? 500
  const refusal = REFUSALS[error.code]
  if (refusal !== undefined) return new Problem('invalid_request', refusal)
  if (status >= 400 && status < 500)
    return new Problem('invalid_request', { status, message: error.message })
  return new Problem('internal_error', {
    message: `Something went wrong on our side; try again later. If it persists, report request id ${request.id}.`,
  })
}

function away(): Problem {
  return new Problem('server_busy', {
    message: 'The database is not responding; try again after Retry-After seconds.',
    headers: { 'Retry-After': String(LIMITS.databaseRetryAfterSeconds) },
  })
}

/** Refusals of the framework whose own sentence would not help. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    message: 'Content-Type must be application/json, in UTF-8.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than 64 KB; send fewer or shorter lines.',
  },
}

const OF_A_BODY = [
  'content-encoding',
  'content-length',
  'content-disposition',
  'etag',
  'last-modified',
]
