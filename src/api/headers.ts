/** Headers of the service: the names of its own, and the lists of what pages of other origins may read and send. */
import { FIELD_HEADER } from '../kit/problem.ts'

/** How many videos behind the URLs the account owns by other orders; left out where that is not known of all. */
export const OWNED_HEADER = 'X-Owned-Videos'
/** The one of a new job's notices that says how few videos the balance covers; left out where it covers them all. */
export const BALANCE_HEADER = 'X-Balance-Notice'
/** The batch that a job is of; left out where it is of none. */
export const BATCH_HEADER = 'X-Batch'

/** Headers of answers that pages of other origins may read. */
export const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Retry-After',
  FIELD_HEADER,
  'Idempotent-Replayed',
  OWNED_HEADER,
  BALANCE_HEADER,
  BATCH_HEADER,
  'Location',
  'Link',
  'ETag',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'Accept-Ranges',
  'Allow',
  'WWW-Authenticate',
  'Preference-Applied',
].join(', ')

/** Headers of requests that pages of other origins may send. */
export const SENDABLE_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'traceparent',
  'Prefer',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Range',
  'Accept',
  'Accept-Encoding',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
].join(', ')
