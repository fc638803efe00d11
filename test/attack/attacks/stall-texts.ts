/** Texts within the limits that may take long to read: lines, headers, captions and replies. */
import type { FaultRule } from '../../../emulator/faults.ts'

const HEADER_CHARS = 15_000
const LINE_CHARS = 64_000

/** Lines that a reader of addresses may stumble over. */
export const STALL_LINES: [name: string, line: string][] = [
  ['closing brackets', `${')'.repeat(LINE_CHARS)}a`],
  ['quotes', `${`'"`.repeat(20_000)}a`],
  ['blanks between', `a${' '.repeat(40_000)}a`],
  ['wrapped again and again', 'https://www.youtube.com/redirect?q='.repeat(1_100)],
  ['marks on one letter', `@a${'\u0316\u0301'.repeat(9_000)}`],
  ['escapes', `https://youtube.com/${'%'.repeat(40_000)}`],
  ['app links', 'vnd.youtube:'.repeat(3_300)],
]

/** Values that a header's reader may stumble over, by header. */
export const STALL_HEADERS: [name: string, values: string[]][] = [
  [
    'Authorization',
    [
      `Bearer ${' '.repeat(HEADER_CHARS)}x`,
      `Bearer sk_${'a'.repeat(HEADER_CHARS)}`,
      'Bearer '.repeat(2_000),
    ],
  ],
  ['Idempotency-Key', ['k'.repeat(HEADER_CHARS), `k${' '.repeat(HEADER_CHARS)}k`]],
  [
    'Prefer',
    [
      `wait=${' '.repeat(HEADER_CHARS)}x`,
      ',wait'.repeat(3_000),
      `wait="${'1'.repeat(HEADER_CHARS)}`,
    ],
  ],
  [
    'Range',
    [
      `bytes=${' '.repeat(HEADER_CHARS)}x`,
      'bytes=0-'.repeat(1_800),
      `bytes=${'0'.repeat(HEADER_CHARS)}-`,
    ],
  ],
  [
    'If-None-Match',
    [
      'W/"'.repeat(5_000),
      '"'.repeat(HEADER_CHARS),
      `"${'a'.repeat(HEADER_CHARS)}`,
      'W/'.repeat(7_000),
    ],
  ],
  [
    'Accept-Encoding',
    ['gzip;q='.repeat(2_000), `gzip${' '.repeat(HEADER_CHARS)};`, ','.repeat(HEADER_CHARS)],
  ],
  [
    'Content-Type',
    [
      `application/json${';'.repeat(HEADER_CHARS)}`,
      `application/json;charset${' '.repeat(HEADER_CHARS)}=x`,
    ],
  ],
  [
    'Cookie',
    [
      'a='.repeat(7_000),
      `a${' '.repeat(HEADER_CHARS)}=b`,
      ';'.repeat(HEADER_CHARS),
      `x="${'\\"'.repeat(7_000)}`,
    ],
  ],
  ['Origin', [`http://${'a.'.repeat(7_000)}`]],
  ['X-Forwarded-For', ['1.1.1.1, '.repeat(1_600), `${' '.repeat(HEADER_CHARS)}x`]],
]

const JSON3 = { head: '{"wireMagic":"pb3","events":[', tail: '0]}' }
const MEGABYTE = 1024 * 1024

/** Captions that the platform, or a server posing as it, may serve, with the status that the row must get. */
export const STALL_CAPTIONS: [name: string, rule: Partial<FaultRule>, status: string][] = [
  [
    '15 MB of paragraphs that never close',
    { head: '<timedtext><body>', pump: '<p t="1" ', bytes: 15 * MEGABYTE },
    'blocked_suspect',
  ],
  [
    '29 MB of paragraphs that never close',
    { head: '<timedtext><body>', pump: '<p>', bytes: 29 * MEGABYTE },
    'failed',
  ],
  [
    '31 MB of tiny events',
    { ...JSON3, pump: '{"tStartMs":%n,"segs":[{"utf8":"a"}]},', bytes: 31 * MEGABYTE },
    'failed',
  ],
  [
    '15 MB of tiny events',
    { ...JSON3, pump: '{"tStartMs":%n,"segs":[{"utf8":"a"}]},', bytes: 15 * MEGABYTE },
    'failed',
  ],
  [
    '8 MB of tiny events',
    { ...JSON3, pump: '{"tStartMs":%n,"segs":[{"utf8":"a"}]},', bytes: 8 * MEGABYTE },
    'success',
  ],
  [
    '4 MB of marks on one letter',
    {
      head: `${JSON3.head}{"tStartMs":1,"segs":[{"utf8":"a`,
      pump: '\u0316\u0301',
      tail: '"}]}]}',
      bytes: 2 * MEGABYTE,
    },
    'success',
  ],
  [
    '190 KB of tiny events',
    { ...JSON3, pump: '{"tStartMs":%n,"segs":[{"utf8":"é"}]},', bytes: 190_000 },
    'success',
  ],
  [
    '190 KB of angle brackets',
    {
      head: `${JSON3.head}{"tStartMs":1,"segs":[{"utf8":"a`,
      pump: '<3',
      tail: '"}]}]}',
      bytes: 190_000,
    },
    'success',
  ],
  ['16 MB of nothing', { pump: ' ', bytes: 16 * MEGABYTE - 1 }, 'blocked_suspect'],
]

export const STALL_REPLIES: [name: string, rule: Partial<FaultRule>][] = [
  ['brackets', { pump: '[', bytes: 2 * MEGABYTE }],
  ['empty objects', { head: '{"contents":[', pump: '{},', tail: '0]}', bytes: 2 * MEGABYTE }],
  ['keys', { head: '{', pump: '"a":{},', tail: '"b":0}', bytes: 2 * MEGABYTE }],
  ['8 MB of anything', { pump: 'x', bytes: 8 * MEGABYTE }],
]
