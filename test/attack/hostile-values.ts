/** Values that no field should be sent, by the place of the field, each as it goes over the wire. */

const LONG = 'x'.repeat(3_000)
/** A query packed in one word, as the pages of consent get it, with what no field of it should hold. */
const PACKED = Buffer.from(
  'client_id=%00&redirect_uri=%00&state=%00&scope=%00&resource=%00&response_type=code',
).toString('base64url')

/** Texts that some code takes for more than text; each field gets one of them, and all fields together all. */
export const WORDS: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "' or 1=1 --",
  '{"$ne":null}',
  '-1',
  '1e999',
  'NaN',
  '99999999999999999999999',
]

/** Values in paths and queries, percent-encoded or not meant to be decoded at all. */
export const ENCODED: readonly string[] = [
  '%00',
  'x%00y',
  '%ED%A0%80',
  '%F0%9F%92',
  '%ff',
  '%zz',
  '%',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '%0d%0aSet-Cookie:x=y',
  '%2f..%2f',
  '',
  LONG,
  PACKED,
]

/** Whole queries or forms in which a field is more than one text. */
export function oddFormsOf(name: string): string[] {
  return [
    name,
    `${name}=a&${name}=b`,
    `${name}[]=a`,
    `${name}[toString]=a`,
    `${name}.__proto__=a`,
    `=${name}`,
    `&&&=${name}&`,
  ]
}

/** Values in JSON, as their texts. */
export const JSON_TEXTS: readonly string[] = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e"',
  // A list in a text, whose escapes are read only with the list.
  String.raw`"[\"https://youtu.be/jNQXAC9IVRw\\u0000\"]"`,
  String.raw`"[\"a\\ud800\"]"`,
  `"${LONG}"`,
  '""',
  '" "',
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e308',
  '1e999',
  '9007199254740993',
  '[]',
  '["a"]',
  '[[[[[[]]]]]]',
  '[null]',
  '{}',
  '{"toString":1}',
  '{"toString":null,"valueOf":null}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"length":4294967295}',
  '{"then":1}',
  '{"toJSON":"x"}',
  `"${PACKED}"`,
]

/** Whole bodies of JSON, and of none. */
export const ODD_BODIES: readonly Buffer[] = [
  '',
  'null',
  '[]',
  '"x"',
  '0',
  'true',
  '{}',
  '{',
  '\0',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"a":1}}',
  '{"toString":1,"hasOwnProperty":1}',
  '{"\\u0000":1}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
].map((text) => Buffer.from(text))
export const NO_UTF8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])

/** Values of headers, in which HTTP allows no zero. */
export const HEADER_VALUES: readonly string[] = [
  '',
  '%00',
  '\xff\xfe',
  '"',
  ',,,;;=',
  '-1',
  'bytes=-0,1-',
  '__proto__',
  'constructor',
  'x'.repeat(4_000),
]

/** Headers that the service reads; `declared-fields.test.ts` compares them with its source. */
export const ATTACKED_HEADERS: readonly string[] = [
  'accept',
  'accept-encoding',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'expect',
  'idempotency-key',
  'if-none-match',
  'if-range',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'origin',
  'prefer',
  'range',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'stripe-signature',
  'traceparent',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]
