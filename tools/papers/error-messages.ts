/** Messages of the errors that the OpenAPI document shows. */
import type { ProblemCode } from '../../src/kit/problem.ts'
import { dollars, PRICE_MICROS } from '../../src/model/money/money.ts'

/** Messages that say more than the code's own sentence, by code and status. */
export const ERROR_MESSAGES: Partial<Record<`${ProblemCode} ${string}`, string>> = {
  'invalid_request 400': 'maxVideos must be at most 500; got 501.',
  'invalid_request 408': 'The body took too long to arrive.',
  'invalid_request 413': 'The body is larger than 64 KB; send fewer or shorter lines.',
  'invalid_request 415': 'Content-Type must be application/json, in UTF-8.',
  'invalid_request 416':
    'The file has 1200 bytes and Range is beyond its end; choose a range within it.',
  'invalid_request 431': 'The request cannot be read: Request Header Fields Too Large.',
  'invalid_url 400':
    'Line 3 is not a video, playlist or channel URL: "https://example.org/"; it is a link to another site.',
  'insufficient_balance 402': `One transcript costs ${dollars(PRICE_MICROS)} and $0.004 is available. Add credit on the billing page.`,
  'internal_error 500':
    'Something went wrong on our side; try again later. If it persists, report request id 3f1c6f0e-93f4-4a1e-9d5e-6a1f4f2f7c55.',
}
