/** What a caller does about each error: when it comes, how it is put right, and whether to send the request again. */
import type { ProblemCode } from '../../src/kit/problem.ts'

type ErrorAdvice = { when: string; todo: string; again: string }

const AS_IT_IS = 'Not as it is: the same request is refused again.'

export const ERROR_GUIDE: Record<ProblemCode, ErrorAdvice> = {
  invalid_request: {
    when: 'A field, parameter or header is missing or has a value that is not allowed, or the request is too large, too slow, or not JSON.',
    todo: 'Read `message`, which names the field and the values that it takes; the header `X-Invalid-Field` has the name of the field alone.',
    again: `${AS_IT_IS} Only 408, where the body took too long to arrive, may be sent again unchanged.`,
  },
  invalid_url: {
    when: 'A line of `urls`, or the `url` to follow, is not a video, playlist or channel.',
    todo: 'Remove or correct what `message` quotes.',
    again: AS_IT_IS,
  },
  unauthorized: {
    when: 'There is no key, the key is unknown or revoked, or the token has expired. With 403, the key or token is good but may not do this.',
    todo: 'Send a key of your account as `Authorization: Bearer`; refresh an expired token. With 403, use a key or a token that was given the scope that `WWW-Authenticate` names.',
    again: 'Only with another key or token.',
  },
  insufficient_balance: {
    when: 'What is available of the balance, which is what open jobs have not reserved, covers no transcript, or the monthly limit of the app or key is used up.',
    todo: 'Add credit on the billing page, raise the monthly limit, or wait until open jobs release what they have reserved; `GET /balance` says what is available.',
    again: 'Once there is credit: nothing was started, and the Idempotency-Key is not used up.',
  },
  not_found: {
    when: 'There is no such address, or your account has nothing with this id. What belongs to others is answered the same way.',
    todo: 'Check the id and which account the key belongs to; the lists, such as `GET /jobs`, have the ids that exist.',
    again: AS_IT_IS,
  },
  idempotency_conflict: {
    when: 'This Idempotency-Key has started a job with another body before.',
    todo: 'Choose a new key for a new order; send the first body to get the job that it started.',
    again: AS_IT_IS,
  },
  job_in_progress: {
    when: 'A job of your account with the same URLs is still open.',
    todo: 'Poll or follow the job that `jobId` names; it brings what you asked for.',
    again: 'When that job is final: then the same URLs continue where it ended.',
  },
  rate_limited: {
    when: 'The key or the account has made too many requests, has too many jobs, downloads or streams open, or has used up an allowance of the day.',
    todo: 'Wait as many seconds as `Retry-After` says.',
    again: 'Yes, after `Retry-After`; a request refused for its rate costs nothing.',
  },
  internal_error: {
    when: 'Something went wrong on our side.',
    todo: 'If it persists, report the request id that `message` and the header `X-Request-Id` have.',
    again:
      'Yes, after a pause that grows; send a POST with an Idempotency-Key, so that it starts one job at most.',
  },
  server_busy: {
    when: 'The server is running as many jobs or sending as much as it can, a search took too long, or the database is not responding.',
    todo: 'Wait as many seconds as `Retry-After` says.',
    again: 'Yes, after `Retry-After`.',
  },
}
