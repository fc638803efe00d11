/** What went wrong with a request, in the API's own words. */

type Told = {
  code: string
  message: string
  status: number
  jobId: string | null
  field: string | null
}

export class ApiProblem extends Error {
  readonly code: string
  readonly status: number
  /** The running twin, only with `job_in_progress`. */
  readonly jobId: string | null
  /** The field of the request that has to change, where it is one. */
  readonly field: string | null

  constructor({ code, message, status, jobId, field }: Told) {
    super(message)
    this.code = code
    this.status = status
    this.jobId = jobId
    this.field = field
  }
}

type ErrorBody = { error?: { code?: string; message?: string; jobId?: string } }

/** Reads the problem from a refused answer; an answer without one is told by its status. */
export function problemOf({ status, headers }: Response, body: unknown): ApiProblem {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody
  return new ApiProblem({
    code: error?.code ?? 'internal_error',
    message: error?.message ?? `The server answered with status ${status}; try again.`,
    status,
    jobId: error?.jobId ?? null,
    field: headers.get('X-Invalid-Field'),
  })
}

/** A sentence for whatever was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.message
  if (error instanceof TypeError)
    return 'The server cannot be reached. Check your connection and try again.'
  return error instanceof Error ? error.message : 'Something went wrong; try again.'
}
