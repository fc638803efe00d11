/** The response headers of the OpenAPI document, and which answers carry them. */
import { FIELD_HEADER } from '../problem.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

export const HEADERS = {
  RateLimitLimit: {
    description: 'Requests the key may make in a burst',
    schema: count,
    example: 60,
  },
  RateLimitRemaining: {
    description: 'Requests left at the moment; one more every second',
    schema: count,
    example: 59,
  },
  RequestId: {
    description: 'Names this request when you ask us about it',
    schema: text,
    example: '3f1c6f0e-93f4-4a1e-9d5e-6a1f4f2f7c55',
  },
  RetryAfter: {
    description: 'Seconds to wait before asking again',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  InvalidField: {
    description: 'The field of the body or the query that has to change, where it is one',
    schema: text,
    example: 'maxVideos',
    'x-extension': true,
  },
  IdempotentReplayed: {
    description: '`true`: the answer is about the job that this key started before',
    schema: text,
    example: 'true',
  },
  Location: { description: 'Address of the job', schema: { type: 'string', format: 'uri' } },
  ETag: {
    description: 'Names these bytes; send it as If-None-Match to be told whether they changed',
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
  RequestId: 'X-Request-Id',
  RetryAfter: 'Retry-After',
  InvalidField: FIELD_HEADER,
  IdempotentReplayed: 'Idempotent-Replayed',
  Location: 'Location',
  ETag: 'ETag',
  ContentDisposition: 'Content-Disposition',
  WwwAuthenticate: 'WWW-Authenticate',
}

/** References by field name. `isOpen`: the operation needs no key, so there is nothing to meter. */
export function responseHeaders({
  status,
  isOpen,
  operationId,
}: {
  status: string
  isOpen: boolean
  operationId: string
}): Record<string, { $ref: string }> {
  const names: Name[] = ['RequestId']
  if (!isOpen && status !== '401' && status !== '431')
    names.push('RateLimitLimit', 'RateLimitRemaining')
  if (status === '429' || status === '503') names.push('RetryAfter')
  if (status === '400') names.push('InvalidField')
  if (status === '401') names.push('WwwAuthenticate')
  if (operationId === 'createJob' && status === '200') names.push('IdempotentReplayed')
  if (operationId === 'createJob' && status === '201') names.push('Location')
  if (operationId === 'getFile' && status.startsWith('2')) names.push('ETag', 'ContentDisposition')
  if (operationId === 'getOpenApi' && status !== '431') names.push('ETag')
  return Object.fromEntries(
    names.map((name) => [FIELD[name], { $ref: `#/components/headers/${name}` }]),
  )
}
