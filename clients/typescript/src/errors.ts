/**
 * What can go wrong with a call, as classes.
 *
 *     ScriptoriumError
 *       ├── ApiError          the service refused: one class for each code of the API
 *       ├── ConnectionError   no whole answer arrived; TimeoutError: not in time
 *       ├── JobEndedError     a job that was waited for did not finish
 *       └── BatchStoppedError a batch that was waited for stopped
 */
import type { Batch, Error as ErrorBody, Job } from './schema.ts'

export type ErrorCode = ErrorBody['error']['code']

export type ErrorDetails = {
  /** A code of the API, `connection_lost`, `timeout`, `job_ended` or `batch_stopped`. Stable between releases. */
  code: string
  message: string
  /** Status of the HTTP answer; null where none arrived. */
  status?: number | null
  /** Id of this request in the service's log; null where no answer arrived. */
  requestId?: string | null
  /** Id of the job that is still running (`job_in_progress`), or that did not finish (`job_ended`). */
  jobId?: string | null
  /** Seconds to wait before the same request may be accepted; null where the service named none. */
  retryAfter?: number | null
  /** Field of the request that has to change, where one is known. */
  field?: string | null
  cause?: unknown
}

export class ScriptoriumError extends Error {
  readonly code: string
  readonly status: number | null
  readonly requestId: string | null
  readonly jobId: string | null
  readonly retryAfter: number | null
  readonly field: string | null

  constructor(details: ErrorDetails) {
    super(details.message, details.cause === undefined ? {} : { cause: details.cause })
    this.name = new.target.name
    this.code = details.code
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.jobId = details.jobId ?? null
    this.retryAfter = details.retryAfter ?? null
    this.field = details.field ?? null
  }
}

/** The service refused the request. */
export class ApiError extends ScriptoriumError {
  declare readonly status: number
}

/** 400, 413, 415: the request is malformed; `field` names the field that has to change, where one is known. */
export class InvalidRequestError extends ApiError {}
/** 400: one of the lines is not a video, playlist or channel URL. Nothing was started. */
export class InvalidUrlError extends ApiError {}
/** 401: the key is missing, unknown or revoked. */
export class UnauthorizedError extends ApiError {}
/** 402: the balance does not cover one transcript. Nothing was started. */
export class InsufficientBalanceError extends ApiError {}
/** 404: the account has no such job or file. */
export class NotFoundError extends ApiError {}
/** 409: the Idempotency-Key was used with another body. */
export class IdempotencyConflictError extends ApiError {}
/** 409: a job with the same URLs still runs; `jobId` names it. */
export class JobInProgressError extends ApiError {
  declare readonly jobId: string
}
/** 429: too many requests with this key. */
export class RateLimitedError extends ApiError {}
/** 500: a fault of the service. */
export class InternalError extends ApiError {}
/** 503: the service runs as many jobs as it can, or cannot reach its database. */
export class ServerBusyError extends ApiError {}

/** No whole answer arrived: refused, cut or unreachable. The request may have been carried out. */
export class ConnectionError extends ScriptoriumError {}
/** Nothing arrived within `timeoutMs`. The request may have been carried out. */
export class TimeoutError extends ConnectionError {}

/** A job that was waited for ended as `cancelled`, `failed` or `interrupted`. */
export class JobEndedError extends ScriptoriumError {
  readonly job: Job

  constructor(job: Job) {
    const why = job.error === null ? '' : `: ${job.error}`
    super({ code: 'job_ended', message: `The job is ${job.state}${why}`, jobId: job.id })
    this.job = job
  }
}

/** A batch that was waited for stopped before it had everything; `batches.continue` goes on with it. */
export class BatchStoppedError extends ScriptoriumError {
  readonly batch: Batch

  constructor(batch: Batch) {
    const why = batch.notice === null ? '' : `: ${batch.notice}`
    super({ code: 'batch_stopped', message: `The batch has stopped${why}` })
    this.batch = batch
  }
}

const CLASSES: Record<ErrorCode, typeof ApiError> = {
  invalid_request: InvalidRequestError,
  invalid_url: InvalidUrlError,
  unauthorized: UnauthorizedError,
  insufficient_balance: InsufficientBalanceError,
  not_found: NotFoundError,
  idempotency_conflict: IdempotencyConflictError,
  job_in_progress: JobInProgressError,
  rate_limited: RateLimitedError,
  internal_error: InternalError,
  server_busy: ServerBusyError,
}

/**
 * Returns the error of a refused answer. One without words of ours, as a proxy or another service may send it, is
 * classified by its status and names the `server`.
 */
export function errorOf(
  { status, headers }: Response,
  body: unknown,
  server = 'The server',
): ApiError {
  const told = ((body ?? {}) as Partial<ErrorBody>).error
  const error = typeof told?.message === 'string' ? told : undefined
  const code = typeof error?.code === 'string' ? error.code : codeOf(status)
  const Refusal = Object.hasOwn(CLASSES, code) ? CLASSES[code] : ApiError
  return new Refusal({
    code,
    message:
      error?.message ??
      `${server} answered with status ${status}; ${status < 500 ? 'check the address' : 'try again'}.`,
    status,
    requestId: headers.get('X-Request-Id'),
    jobId: error?.jobId ?? null,
    retryAfter: secondsOf(headers.get('Retry-After')),
    field: headers.get('X-Invalid-Field'),
  })
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status === 502 || status === 503 || status === 504) return 'server_busy'
  return status >= 500 ? 'internal_error' : 'invalid_request'
}

/** Returns the seconds of `Retry-After`, which is a number or a date. */
function secondsOf(text: string | null): number | null {
  if (text === null) return null
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
