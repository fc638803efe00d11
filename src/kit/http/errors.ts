/** Turns every failure of a request, also those of the framework and the HTTP parser, into the API's Error. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../postgres/database.ts'
import { Busy, Problem } from '../problem.ts'

/** The Retry-After while the database is unavailable. */
const DATABASE_RETRY_AFTER_SECONDS = 2

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers a failed request with its Problem. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error, request)
  // These headers belong to the response that failed before it was sent.
  for (const name of BODY_HEADERS) reply.removeHeader(name)
  reply.header('X-Content-Type-Options', 'nosniff').header('Cache-Control', 'no-store')
  reply.header('Link', `</docs#error-${problem.code}>; rel="help"`)
  void reply.code(problem.status).headers(problem.headers).type(JSON_TYPE).send(problem.toJSON())
}

/** Returns the Problem of a failed request, and logs an internal error. */
export function problemOf(error: unknown, request: FastifyRequest): Problem {
  const problem = error instanceof Problem ? error : toProblem(error as FastifyError, request)
  if (problem.code === 'internal_error') {
    const { log, id: requestId } = request
    log.error({ err: error, requestId }, 'a request failed with an internal error')
  }
  return problem
}

function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (isDatabaseAway(error)) return databaseAway()
  const status = error.statusCode ?? 500
  const refusal = REFUSALS[error.code]
  if (refusal !== undefined) return new Problem('invalid_request', refusal)
  if (status >= 400 && status < 500)
    return new Problem('invalid_request', { status, message: error.message })
  return new Problem('internal_error', {
    message: `Something went wrong on our side; try again later. If it persists, report request id ${request.id}.`,
  })
}

/** Returns the Problem of a request that needs a database which takes no writes now. */
export function databaseAway(): Problem {
  return new Busy(
    'The database is not responding; try again after Retry-After seconds.',
    DATABASE_RETRY_AFTER_SECONDS,
  )
}

/** The framework's refusals whose own sentences would not help a customer. */
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

const BODY_HEADERS = [
  'content-encoding',
  'content-length',
  'content-disposition',
  'etag',
  'last-modified',
]
