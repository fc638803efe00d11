/**
 * Conventions that people and programs look for before they trust a project, each with where it is kept and which test
 * checks it. `npm run check` names a row whose file, or whose words in it, are gone: a convention is lost in passing,
 * by whoever does not know that others rely on it.
 */

/** A file, and words that stand in it while the convention holds. */
type Place = readonly [file: string, words: string]

export type Convention = {
  area: string
  /** What is there, in the words of who looks for it. */
  what: string
  where: readonly Place[]
  checkedBy: readonly Place[]
}

const OPENAPI_TEST = 'test/spec/openapi.test.ts'
const HTTP_TEST = 'test/spec/http-conventions.test.ts'

export const CONVENTIONS: readonly Convention[] = [
  {
    area: 'OpenAPI',
    what: 'the scheme oauth2, and the scopes of each operation',
    where: [
      ['src/api/openapi.ts', 'oauth2: oauthOf(publicUrl)'],
      ['src/api/openapi.ts', '{ oauth2: [scope] }'],
    ],
    checkedBy: [[OPENAPI_TEST, 'each operation lets in the scopes that the document says']],
  },
  {
    area: 'OpenAPI',
    what: 'info.contact and termsOfService',
    where: [
      ['src/api/openapi.ts', 'contact:'],
      ['src/api/openapi.ts', 'termsOfService'],
    ],
    checkedBy: [[OPENAPI_TEST, 'the document says who answers for the service']],
  },
  {
    area: 'OpenAPI',
    what: 'x-action-class of each operation',
    where: [['src/api/action-class.ts', "'x-action-class'"]],
    checkedBy: [[OPENAPI_TEST, 'what an operation does at most is said of each']],
  },
  {
    area: 'OpenAPI',
    what: 'why errors are not RFC 9457',
    where: [['src/api/openapi-introduction.ts', 'RFC 9457']],
    checkedBy: [[OPENAPI_TEST, 'RFC 9457']],
  },
  {
    area: 'HTTP',
    what: 'RateLimit and RateLimit-Policy',
    where: [
      ['src/api/auth.ts', "'RateLimit-Policy'"],
      ['src/api/openapi-headers.ts', 'RateLimitPolicy'],
    ],
    checkedBy: [[HTTP_TEST, 'RateLimit and RateLimit-Policy say of both buckets']],
  },
  {
    area: 'HTTP',
    what: 'Deprecation and Sunset, ready to be used',
    where: [
      ['src/kit/http/deprecation.ts', 'Sunset:'],
      ['src/app.ts', 'announceDeprecations(app)'],
    ],
    checkedBy: [[HTTP_TEST, 'a deprecated route says since when']],
  },
  {
    area: 'HTTP',
    what: 'a deprecation policy',
    where: [['src/api/openapi-introduction.ts', 'at least 12 months before']],
    checkedBy: [[OPENAPI_TEST, '12 months']],
  },
  {
    area: 'HTTP',
    what: 'traceparent read, handed on and logged',
    where: [
      ['src/api/routes/start-job.ts', 'traceparentOf(request.headers)'],
      ['src/features/webhooks/deliver.ts', 'nextTraceparent(trace)'],
      ['src/kit/http/bare-app.ts', 'traceIdOf(traceparent)'],
    ],
    checkedBy: [
      [HTTP_TEST, 'a trace goes with its job to the webhook'],
      [HTTP_TEST, 'lines of the log about a request name its trace'],
    ],
  },
  {
    area: 'HTTP',
    what: 'a key by plain http is refused, and its owner told',
    where: [
      ['src/api/auth.ts', 'cameByPlainHttp'],
      ['src/features/accounts/clear-text-keys.ts', 'tellOwnerOfClearText'],
    ],
    checkedBy: [['test/account/clear-text-keys.test.ts', 'its owner is told once']],
  },
  {
    area: 'HTTP',
    what: 'texts of more than 1 KB travel compressed',
    where: [
      ['src/app.ts', 'compressTexts(app)'],
      ['src/kit/http/accept.ts', 'COMPRESSED_BYTES_MIN = 1_024'],
    ],
    checkedBy: [[HTTP_TEST, 'every text of more than 1 KB travels compressed']],
  },
]
