/**
 * Every problem of the API: its code, its HTTP status and its public sentence. A verb or a route throws a Problem when
 * the customer must change something; one handler writes it as the API's `{"error":{"code","message"}}`.
 */

/** Codes are stable for callers; the sentences may change. */
export const PROBLEMS = {
  invalid_request: { status: 400, sentence: 'The request is malformed.' },
  invalid_url: {
    status: 400,
    sentence: 'One of the lines is not a video, playlist or channel URL.',
  },
  unauthorized: {
    status: 401,
    sentence:
      'This API key is not known here, or it was revoked; check it, or create another one on the account page.',
  },
  insufficient_balance: {
    status: 402,
    sentence: 'The available balance does not cover one transcript ($0.008).',
  },
  not_found: { status: 404, sentence: 'Your account has nothing at this address; check the id.' },
  idempotency_conflict: {
    status: 409,
    sentence: 'This Idempotency-Key was used with a different body; choose a new key.',
  },
  job_in_progress: {
    status: 409,
    sentence: 'A job with the same URLs is still running; poll the job named in `jobId`.',
  },
  rate_limited: {
    status: 429,
    sentence: 'Too many requests with this key; wait the number of seconds in Retry-After.',
  },
  internal_error: { status: 500, sentence: 'Something went wrong on our side; try again later.' },
  server_busy: {
    status: 503,
    sentence: 'The server is running as many jobs as it can; try again after Retry-After seconds.',
  },
} as const

export type ProblemCode = keyof typeof PROBLEMS

/**
 * The header that names the field of a refused request, since the body of an error is fixed and its sentences may
 * change.
 */
export const FIELD_HEADER = 'X-Invalid-Field'

type ProblemDetails = {
  /** A sentence in place of the code's: which part of the request is wrong, and what to do. */
  message?: string
  /** A status in place of the code's: 413, 415 and 405 are `invalid_request` too. */
  status?: number
  /** The job that is still running; only with `job_in_progress`. */
  jobId?: string
  /** The field of the request that has to change, sent to programs as FIELD_HEADER. */
  field?: string
  headers?: Record<string, string>
}

export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly jobId: string | null
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.message ?? PROBLEMS[code].sentence)
    this.code = code
    this.status = details.status ?? PROBLEMS[code].status
    this.jobId = details.jobId ?? null
    const field = details.field === undefined ? {} : { [FIELD_HEADER]: details.field }
    this.headers = { ...field, ...details.headers }
  }

  /** Returns the body of the answer. */
  toJSON(): { error: { code: ProblemCode; message: string; jobId?: string } } {
    const jobId = this.jobId === null ? {} : { jobId: this.jobId }
    return { error: { code: this.code, message: this.message, ...jobId } }
  }
}

/** `server_busy`: something is away or has no room, and the same request may be sent again after these seconds. */
export class Busy extends Problem {
  constructor(message: string, retrySeconds: number) {
    super('server_busy', { message, headers: { 'Retry-After': String(retrySeconds) } })
  }
}

/** Throws `invalid_request` for the field of the request. */
export function refuseField(field: string, message: string): never {
  throw new Problem('invalid_request', { field, message })
}

/** Returns `it`, or throws `not_found` where it is null, with this sentence if there is one. */
export function found<T>(it: T | null, message?: string): T {
  if (it === null) throw new Problem('not_found', message === undefined ? {} : { message })
  return it
}
