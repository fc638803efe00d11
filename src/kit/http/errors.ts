/** Every failure of a request as the wire's Error, also the framework's and the HTTP parser's own. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/** What a caller is told to wait while the database is away. */
const DATABASE_RETRY_AFTER_SECONDS = 2

export const JSON_TYPE = 'application/json; charset=utf-8'

type AnswerError = (
  error: FastifyError | Problem,
  request: FastifyRequest,
  reply: FastifyReply,
) => void

/** Answers with the Problem that a failure is. */
export function errorHandler(isAway: (error: unknown) => boolean): AnswerError {
  const read = failureReader(isAway)
  return (error, request, reply) => answer(read(error, request), reply)
}

/** The Problem that a failure of a request is. */
export type ReadFailure = (error: unknown, request: FastifyRequest) => Problem

/** Logs only what is ours. `isAway` says whether it is a database that does not answer. */
export function failureReader(isAway: (error: unknown) => boolean): ReadFailure {
  return (error, request) => {
    const problem =
      error instanceof Problem
        ? error
        : isAway(error)
          ? away()
          : toProblem(error as FastifyError, request)
    if (problem.code === 'internal_error') {
      request.log.error(
        { err: error, requestId: request.id },
        'a request failed with an internal error',
      )
    }
    return problem
  }
}

function answer(problem: Problem, reply: FastifyReply): void {
  // Headers of the response that failed before it was sent.
  for (const name of OF_A_BODY) reply.removeHeader(name)
  reply.header('X-Content-Type-Options', 'nosniff').header('Cache-Control', 'no-store')
  reply.header('Link', `</docs#error-${problem.code}>; rel="help"`)
  void reply.code(problem.status).headers(problem.headers).type(JSON_TYPE).send(problem.toJSON())
}

function toProblem(error: FastifyError, request: FastifyRequest): Problem {
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
    headers: { 'Retry-After': String(DATABASE_RETRY_AFTER_SECONDS) },
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
