/** The response headers of the OpenAPI document, and which answers carry them. */
import { BALANCE_HEADER, BATCH_HEADER, OWNED_HEADER } from '../../src/api/headers.ts'
import { FIELD_HEADER } from '../../src/kit/problem.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

export const HEADERS = {
  RateLimitLimit: {
    description: 'Requests that the key may make in a burst',
    schema: count,
    example: 60,
  },
  RateLimitRemaining: {
    description: 'Requests left now; one more is added every second',
    schema: count,
    example: 59,
  },
  RateLimit: {
    description:
      'What is left of the bounds of the key and of the account: requests (`r`), and seconds until there is one more (`t`)',
    schema: text,
    example: '"key";r=59;t=1, "account";r=1199;t=1',
  },
  RateLimitPolicy: {
    description:
      'The bounds of the key and of the account: requests (`q`) that may come in so many seconds (`w`)',
    schema: text,
    example: '"key";q=60;w=60, "account";q=1200;w=60',
  },
  RequestId: {
    description: 'Identifies this request if you ask us about it',
    schema: text,
    example: '3f1c6f0e-93f4-4a1e-9d5e-6a1f4f2f7c55',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next request',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  InvalidField: {
    description: 'The field of the body or the query that has to change, if there is one',
    schema: text,
    example: 'maxVideos',
  },
  IdempotentReplayed: {
    description: '`true` if the answer is the job that this Idempotency-Key started before',
    schema: text,
    example: 'true',
  },
  OwnedVideos: {
    description:
      'How many videos behind the URLs the account owns by other orders; left out where that is not known of all lines',
    schema: count,
    example: 2,
  },
  BalanceNotice: {
    description:
      'The one of `notices` that says how many of the videos asked for the balance covers: it matters only where there ' +
      'are more videos than that. Left out where the balance covers them all',
    schema: text,
    example:
      'The balance covers 3 of the 5 videos requested; adding $0.016 would cover all of them.',
  },
  Batch: {
    description: 'The batch that it is a job of; left out where it is of none',
    schema: text,
    example: 'batch_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11',
  },
  HelpLink: {
    description: 'Where the reference explains the code of this error',
    schema: text,
    example: '</docs#error-invalid_request>; rel="help"',
  },
  Location: {
    description: 'Address of what was started',
    schema: { type: 'string', format: 'uri' },
  },
  ETag: {
    description:
      'Identifies this content; send it as If-None-Match to learn whether it has changed',
    schema: text,
  },
  ContentDisposition: {
    description: 'The name to save the file under',
    schema: text,
    example: 'attachment; filename="1.txt"',
  },
  WwwAuthenticate: { description: 'How to authenticate', schema: text, example: 'Bearer' },
} as const

type Name = keyof typeof HEADERS

const FIELD: Record<Name, string> = {
  RateLimitLimit: 'X-RateLimit-Limit',
  RateLimitRemaining: 'X-RateLimit-Remaining',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  RequestId: 'X-Request-Id',
  RetryAfter: 'Retry-After',
  InvalidField: FIELD_HEADER,
  IdempotentReplayed: 'Idempotent-Replayed',
  OwnedVideos: OWNED_HEADER,
  BalanceNotice: BALANCE_HEADER,
  Batch: BATCH_HEADER,
  HelpLink: 'Link',
  Location: 'Location',
  ETag: 'ETag',
  ContentDisposition: 'Content-Disposition',
  WwwAuthenticate: 'WWW-Authenticate',
}

/**
 * Returns references to headers by field name. `isOpen` is true where the operation needs no key, so that nothing is
 * metered.
 */
export function responseHeaders(
  operationId: string,
  { status, isOpen }: { status: string; isOpen: boolean },
): Record<string, { $ref: string }> {
  const names: Name[] = ['RequestId']
  if (!isOpen && status !== '401' && status !== '431')
    names.push('RateLimitLimit', 'RateLimitRemaining', 'RateLimit', 'RateLimitPolicy')
  if (status === '429' || status === '503') names.push('RetryAfter')
  if (status >= '400' && status !== '431') names.push('HelpLink')
  if (status === '400') names.push('InvalidField')
  if (status === '401') names.push('WwwAuthenticate')
  if (operationId === 'createJob' && status === '200') names.push('IdempotentReplayed')
  if (operationId === 'createJob' && status === '201') names.push('OwnedVideos', 'BalanceNotice')
  if (operationId === 'getJob' && status === '200') names.push('Batch')
  if (['getFile', 'getCollectionFile'].includes(operationId) && status.startsWith('2'))
    names.push('ETag', 'ContentDisposition')
  if (['createJob', 'createPreview'].includes(operationId) && status === '201')
    names.push('Location')
  if (operationId === 'getOpenApi' && status !== '431') names.push('ETag')
  return Object.fromEntries(
    names.map((name) => [FIELD[name], { $ref: `#/components/headers/${name}` }]),
  )
}
