/** Requests that nobody should send: generated from the contract's fields, almost right or hostile. */
import fc from 'fast-check'

export type HostileRequest = {
  method: string
  path: string
  headers: Record<string, string | string[]>
  body: Buffer | null
}

/** What is replaced by something that exists when the request is sent. */
export const HOLES = {
  jobId: 'KNOWN-JOB',
  foreignId: 'FOREIGN-JOB',
  apiKey: 'KNOWN-KEY',
  usedKey: 'USED-KEY',
}

const NASTY = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '50',
  '51',
  '200',
  '201',
  '1.5',
  '1e3',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '{}',
  '\u0000',
  '%00',
  '%zz',
  '%',
  '%25',
  '..',
  '../..',
  '..%2f..',
  '/',
  '//',
  '\\',
  ';',
  "'",
  '"',
  "' or 1=1--",
  '$1',
  '%s',
  '${7*7}',
  '<script>',
  '\u202e',
  'ä',
  '漢字',
  '💥',
  '\ud800',
  '𝔘𝔫𝔦',
  'x'.repeat(41),
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(5000),
  '9007199254740991',
  '9007199254740992',
  '99999999999999999999',
  '2147483648',
  '__proto__',
  'constructor',
  'toString',
  'zip',
  'all.txt',
  'report.csv',
  '1.txt',
  '1.json',
  '0.txt',
  '01.srt',
  '1.vtt',
  'success',
  'rows',
  'full',
]
const nasty = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

const url = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.uuid().map((mark) => `https://www.youtube.com/watch?v=jNQXAC9IVRw&fuzz=${mark}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'jNQXAC9IVRw',
      '@jawed',
      'https://youtu.be/jNQXAC9IVRw',
      'https://www.youtube.com/playlist?list=PLbpi6ZahtOH6Blw3RGYpWkSByi_T7Rygb',
    ),
  },
  { weight: 2, arbitrary: nasty },
  { weight: 1, arbitrary: fc.webUrl() },
)
const anyValue = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double({ noNaN: true }),
  fc.constantFrom(5e-324, 1e308, -0, 2 ** 53),
  fc.bigInt().map(Number),
)
const field = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 5, arbitrary: right as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: anyValue },
  )
const date = fc.oneof(
  fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
  fc.constantFrom('2020-01-01', '2026-02-30', '2024-02-29T23:59:60Z', '+275760-09-13'),
)

const jobBody = fc
  .record(
    {
      urls: field(fc.oneof(url, fc.array(url, { minLength: 1, maxLength: 4 }))),
      language: field(fc.constantFrom('original', 'en', 'pt-BR', 'zh-Hant-TW')),
      formats: field(fc.subarray(['text', 'srt', 'vtt', 'segments'], { minLength: 1 })),
      maxVideos: field(fc.integer({ min: 1, max: 500 })),
      publishedAfter: field(date),
      publishedBefore: field(date),
    },
    { requiredKeys: ['urls'] },
  )
  .chain((value) =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(value) },
      { weight: 1, arbitrary: anyValue.map((webhook) => ({ ...value, webhook })) },
    ),
  )

const nested = fc
  .integer({ min: 1, max: 20_000 })
  .map((depth) => `{"urls":${'['.repeat(depth)}${']'.repeat(depth)}}`)
const doubled = fc
  .tuple(fc.json({ maxDepth: 1 }), url)
  .map(
    ([one, two]) => `{"urls":${one},"maxVideos":1,"urls":${JSON.stringify(two)},"maxVideos":501}`,
  )
const huge = fc
  .constantFrom(65_535, 65_536, 65_537, 200_000)
  .map((size) => `{"urls":"${'x'.repeat(Math.max(0, size - 11))}"}`)
const body = fc.oneof(
  { weight: 12, arbitrary: jobBody.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 2, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.oneof(nested, doubled, huge).map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: jobBody.chain((value) => cut(JSON.stringify(value))) },
)

function cut(text: string): fc.Arbitrary<Buffer> {
  return fc.integer({ min: 0, max: text.length }).map((end) => Buffer.from(text.slice(0, end)))
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

/** Mostly the method that the address answers. */
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

/** A part of a file that exists, asked for rightly: among hostile ones that would happen once in thousands. */
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

/** Bytes that begin like a request and go astray. */
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

/** Only what HTTP cannot carry in a target is escaped; what is malformed stays so. */
function escaped(text: string): string {
  return Array.from(text, (letter) =>
    /[!$-;=?-~]/.test(letter) && letter !== '?' && letter !== '#' ? letter : bytesOf(letter),
  ).join('')
}

function bytesOf(letter: string): string {
  return letter === '%'
    ? '%'
    : Array.from(Buffer.from(letter), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
