/** Requests that no caller should send: generated from the contract's fields, almost right or hostile. */
import fc from 'fast-check'
import { body, jobBody } from './hostile-bodies.ts'
import { escaped, nasty } from './nasty.ts'

export type HostileRequest = {
  method: string
  path: string
  headers: Record<string, string | string[]>
  body: Buffer | null
}

/** Placeholders for values that exist when the request is sent. */
export const HOLES = {
  jobId: 'KNOWN-JOB',
  foreignId: 'FOREIGN-JOB',
  apiKey: 'KNOWN-KEY',
  usedKey: 'USED-KEY',
}

const id = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(HOLES.jobId, HOLES.foreignId) },
  { weight: 3, arbitrary: nasty.map(escaped) },
)
const file = fc.oneof(
  fc.constantFrom('zip', 'all.txt', 'report.csv', '1.txt', '1.srt', '1.vtt', '1.json'),
  nasty.map(escaped),
)
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'offset',
        'limit',
        'view',
        'status',
        'q',
        'names',
        'bom',
        'x',
        '__proto__',
        'wait',
      ),
      nasty,
    ),
    { maxLength: 4 },
  )
  .map((pairs) =>
    pairs.map(([name, value]) => `${name}=${name === 'wait' ? '0' : escaped(value)}`).join('&'),
  )
  .map((text) => (text === '' ? '' : `?${text}`))
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constant('/jobs') },
  { weight: 3, arbitrary: id.map((one) => `/jobs/${one}`) },
  { weight: 4, arbitrary: id.map((one) => `/jobs/${one}/results`) },
  { weight: 3, arbitrary: fc.tuple(id, file).map(([one, name]) => `/jobs/${one}/files/${name}`) },
  { weight: 1, arbitrary: id.map((one) => `/jobs/${one}/cancel`) },
  { weight: 1, arbitrary: id.map((one) => `/jobs/${one}/receipt`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '/balance',
      '/openapi.json',
      '',
      '/',
      '//',
      '/jobs/',
      '/balance/',
      '/.',
      '/..',
      '/jobs/%2e%2e/balance',
      '/jobs;x',
      '/%6Aobs',
      '/JOBS',
    ),
  },
  { weight: 1, arbitrary: nasty.map((one) => `/${escaped(one)}`) },
)

const headerValue = nasty.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '~'))
const headers = fc
  .record({
    Authorization: fc.oneof(
      { weight: 15, arbitrary: fc.constant(`Bearer ${HOLES.apiKey}`) },
      { weight: 1, arbitrary: headerValue },
      { weight: 1, arbitrary: headerValue.map((text) => `Bearer ${text}`) },
    ),
    'Content-Type': fc.oneof(
      {
        weight: 10,
        arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8'),
      },
      { weight: 1, arbitrary: headerValue },
      { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/xml') },
    ),
    'Idempotency-Key': fc.oneof(fc.uuid(), fc.constant(HOLES.usedKey), headerValue),
    Prefer: fc.constantFrom('wait=0', 'respond-async', 'wait=x', 'wait=-1', ','),
    'Accept-Encoding': fc.oneof(
      fc.constantFrom('gzip', 'br', 'zstd', 'gzip;q=0', '*'),
      headerValue,
    ),
    Accept: headerValue,
    Range: fc.oneof(
      fc.constantFrom('bytes=0-0', 'bytes=-5', 'bytes=999999-', 'bytes=5-1', 'bytes=0-1,2-3'),
      headerValue,
    ),
    'If-None-Match': fc.oneof(fc.constant('*'), headerValue),
    'Content-Encoding': fc.constantFrom('gzip', 'identity', ''),
    'X-HTTP-Method-Override': fc.constant('DELETE'),
    'X-Forwarded-For': headerValue,
    Cookie: headerValue,
  })
  .chain(({ Authorization, 'Content-Type': type, ...others }) =>
    fc
      .tuple(
        fc.subarray(Object.entries<string>(others), { maxLength: 2 }),
        fc.subarray(Object.entries({ Authorization, 'Content-Type': type }), { minLength: 1 }),
        fc.integer({ min: 0, max: 9 }),
      )
      .map(([some, few, dice]) =>
        Object.fromEntries([
          ...some,
          ...(dice === 0 ? few : Object.entries({ Authorization, 'Content-Type': type })),
        ]),
      ),
  )

/** Returns a method, mostly the one that the address answers. */
function methodFor(address: string): fc.Arbitrary<string> {
  const right = /^\/jobs$|\/cancel$/.test(address) ? ['POST', 'POST', 'GET'] : ['GET']
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...right) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'GET',
        'POST',
        'HEAD',
        'OPTIONS',
        'PUT',
        'PATCH',
        'DELETE',
        'TRACE',
        'PROPFIND',
        'QUERY',
        'MKCOL',
        'REPORT',
      ),
    },
  )
}

const rightPost: fc.Arbitrary<HostileRequest> = fc
  .tuple(jobBody, fc.uuid())
  .map(([value, key]) => ({
    method: 'POST',
    path: '/jobs',
    headers: {
      Authorization: `Bearer ${HOLES.apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: Buffer.from(JSON.stringify(value)),
  }))

/** A correct request for a part of an existing file: among hostile requests one would come up once in thousands. */
const rightDownload: fc.Arbitrary<HostileRequest> = fc
  .tuple(
    fc.constantFrom('zip', 'all.txt', 'report.csv'),
    fc.constantFrom('bytes=0-0', 'bytes=-5', 'bytes=1-', 'bytes=99999999-'),
  )
  .map(([name, Range]) => ({
    method: 'GET',
    path: `/jobs/${HOLES.jobId}/files/${name}`,
    headers: { Authorization: `Bearer ${HOLES.apiKey}`, Range },
    body: null,
  }))

const anyRequest: fc.Arbitrary<HostileRequest> = path
  .chain((address) =>
    fc.record({ method: methodFor(address), path: fc.constant(address), query, headers, body }),
  )
  .map(({ method, path, query, headers, body }) => ({
    method,
    path: path + query,
    headers,
    body: ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) ? null : body,
  }))

export const hostileRequest = fc.oneof(
  { weight: 35, arbitrary: anyRequest },
  { weight: 10, arbitrary: rightPost },
  { weight: 1, arbitrary: rightDownload },
)

/** Bytes that begin like a request and then go astray. */
export const hostileBytes: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'FOO', ''),
    nasty,
    fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', ''),
    fc.array(
      fc.tuple(
        fc.constantFrom(
          'Host',
          'Content-Length',
          'Transfer-Encoding',
          'Content-Type',
          'Connection',
          'Expect',
          'Upgrade',
          '',
        ),
        nasty,
      ),
      { maxLength: 5 },
    ),
    body,
  )
  .map(([verb, target, version, lines, rest]) =>
    Buffer.concat([
      Buffer.from(
        `${verb} /api/v1/${target} ${version}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
        'latin1',
      ),
      rest,
    ]),
  )
