/** Parsers of callers' input: headers, targets and bodies. */
import type { FastifyRequest } from 'fastify'
import { looksLikeKey } from '../../src/model/accounts/tokens.ts'
import { acceptedEncoding } from '../../src/kit/http/accept.ts'
import { preferredWaitMs } from '../../src/api/jobs/order-job.ts'
import { readableUrl } from '../../src/kit/http/every-answer.ts'
import { parseUsd } from '../../src/model/money/money.ts'
import { matchesEtag, readRange } from '../../src/kit/http/content.ts'
import { readFileName } from '../../src/model/files/addresses.ts'
import { readDates } from '../../src/model/jobs/date-bounds.ts'
import { readingOrder } from '../../src/model/jobs/read-order.ts'
import { readingUrlSet } from '../../src/model/jobs/url-set.ts'
import { readRetryAfter } from '../../src/platform/egress/connections.ts'
import { readSource } from '../../src/model/platform/source.ts'
import { MARKS, type Parser } from './parser.ts'

const BLANKS = [' ', '\t', '\u00a0', ', ', ' ,']

const request = (headers: Record<string, string>): FastifyRequest =>
  ({ headers }) as unknown as FastifyRequest
const wire = (url: string): Parameters<typeof readableUrl>[0] =>
  ({ url }) as Parameters<typeof readableUrl>[0]

export const HEADERS: Omit<Parser, 'charsMax'>[] = [
  {
    name: 'Prefer',
    read: (text) => preferredWaitMs(request({ prefer: text })),
    heads: ['wait=', ',', 'wait'],
    tails: ['x', '"'],
    pumps: [...BLANKS, 'wait', 'wait =', '=', '"', ';', '1'],
  },
  {
    name: 'Accept-Encoding',
    read: (text) => acceptedEncoding(text, ['zstd', 'br', 'gzip']),
    heads: ['gzip;q='],
    tails: ['x'],
    pumps: [...BLANKS, ';', 'q=0.', '0', '*', ';q='],
  },
  {
    name: 'If-None-Match',
    read: (text) => matchesEtag(text, '"abc"'),
    heads: ['W/"', '"'],
    tails: ['x', '"'],
    pumps: [...BLANKS, '"', 'W/', 'W/"', 'a'],
  },
  {
    name: 'Range',
    read: (range) => readRange({ range, ifRange: undefined }, { sizeBytes: 10, etag: '"a"' }),
    heads: ['bytes=', 'bytes=0-'],
    tails: ['x'],
    pumps: [...BLANKS, '0', '-', '0-'],
  },
  {
    name: 'Retry-After',
    read: (text) => readRetryAfter(text, new Date(0)),
    heads: ['1'],
    tails: ['x'],
    pumps: [...BLANKS, '1', '(', ':', 'Mon, '],
  },
  {
    name: 'a bearer key',
    read: looksLikeKey,
    heads: ['sk_'],
    tails: ['!'],
    pumps: [...BLANKS, 'a', '_'],
  },
  {
    name: 'a target',
    read: (text) => readableUrl(wire(text)),
    heads: ['http://', '/'],
    tails: ['?', '%'],
    pumps: ['/', '%', '%2f', '?', '#', 'a/'],
  },
  {
    name: 'a file name',
    read: readFileName,
    heads: ['1'],
    tails: ['.txt', '!'],
    pumps: ['1', '.', '1.', 'a'],
  },
]

function* lines(text: string): Generator<undefined, unknown, undefined> {
  try {
    return yield* readingOrder({ urls: text })
  } catch (problem) {
    return problem
  }
}

export const BODIES: Omit<Parser, 'charsMax'>[] = [
  {
    name: 'a URL line',
    read: readSource,
    heads: [
      'https://youtube.com/',
      'vnd.youtube:',
      'https://www.youtube.com/redirect?q=',
      '- [',
      '[a](https://youtu.be/',
      'https%3A%2F%2F',
    ],
    tails: ['a', ')', '#watch?v='],
    pumps: [
      ')',
      '(',
      '<',
      '\'"',
      ' ',
      '&amp;',
      '%',
      '/',
      '?v=',
      '#',
      'vnd.youtube:',
      '](',
      '%2F',
      'youtu.be/ ',
      '.',
      'a:',
      '\u200b',
      '@',
      ...MARKS,
    ],
  },
  {
    name: 'urls of a job',
    read: lines,
    heads: ['https://youtu.be/jNQXAC9IVRw\n'],
    tails: ['a'],
    pumps: [
      '\n',
      '\r\n',
      'a\n',
      ' ',
      ' \u2028',
      ')',
      'https://youtu.be/jNQXAC9IVRw\n',
      'https://youtu.be/jNQXAC9IVRw,',
      ',',
      ',@a',
      ',"',
      '%2C',
      'https://',
      '[a](https://youtu.be/x ',
      ...MARKS,
    ],
  },
  {
    name: 'a pasted document',
    read: lines,
    heads: [
      '<a href=x>https://youtu.be/jNQXAC9IVRw',
      'x,https://youtu.be/jNQXAC9IVRw\nx,https://youtu.be/jNQXAC9IVRw\n',
      '{"a":"https://youtu.be/jNQXAC9IVRw","b":"',
    ],
    tails: ['a', '"}', '>'],
    pumps: [
      '<',
      '<a ',
      '<a b=',
      '<a>',
      '<script>',
      '=',
      '&lt;',
      '&#38;',
      '"',
      '",',
      'a,',
      'a\n',
      'a,b\n',
      '@a,',
      '"a":',
      '\\u0061',
      '\\"',
      ',"',
      '[',
      'https://',
      '/ ',
    ],
  },
  {
    name: 'a URL set',
    read: (text) => readingUrlSet(text),
    heads: ['a'],
    tails: ['a'],
    pumps: ['\n', 'a\n', 'ab\n', '\r\n', ' ', '"a",', '[', ',@a', 'youtu.be/'],
  },
  {
    name: 'dates',
    read: (text) => readDates({ publishedAfter: text, publishedBefore: text }),
    heads: ['2026-01-01T00:00'],
    tails: ['Z', 'x'],
    pumps: ['0', ':00', '.', '-', '+', ' '],
  },
  { name: 'an amount', read: parseUsd, heads: ['1.'], tails: ['x'], pumps: ['0', '.', '1', ','] },
]
