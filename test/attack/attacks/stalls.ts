/** Attacks on the event loop: input within the limits that takes long to read. */
import assert from 'node:assert/strict'
import type { FaultRule } from '../../../emulator/faults.ts'
import { Visitor } from '../../account/visitor.ts'

import type { Customer } from '../../../conformance/customer.ts'
import type { Json } from '../../../conformance/http.ts'
import { worstStallMs } from '../../machines/fleet.ts'
import { proveAddress } from '../member.ts'
import type { Attack, Target } from '../attack.ts'

const HEADER_CHARS = 15_000
const LINE_CHARS = 64_000

/** Lines that a reader of addresses may stumble over. */
const LINES: [name: string, line: string][] = [
  ['closing brackets', `${')'.repeat(LINE_CHARS)}a`],
  ['quotes', `${`'"`.repeat(20_000)}a`],
  ['blanks between', `a${' '.repeat(40_000)}a`],
  ['wrapped again and again', 'https://www.youtube.com/redirect?q='.repeat(1_100)],
  ['marks on one letter', `@a${'\u0316\u0301'.repeat(9_000)}`],
  ['escapes', `https://youtube.com/${'%'.repeat(40_000)}`],
  ['app links', 'vnd.youtube:'.repeat(3_300)],
]

/** Header by header what its reader may stumble over. */
const HEADERS: [name: string, values: string[]][] = [
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

/** What a platform, or whoever poses as it, may serve as captions; the status that the row must have. */
const CAPTIONS: [name: string, rule: Partial<FaultRule>, status: string][] = [
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
    { ...JSON3, pump: '{"tStartMs":1,"segs":[{"utf8":"a"}]},', bytes: 31 * MEGABYTE },
    'failed',
  ],
  [
    '15 MB of tiny events',
    { ...JSON3, pump: '{"tStartMs":1,"segs":[{"utf8":"a"}]},', bytes: 15 * MEGABYTE },
    'failed',
  ],
  [
    '8 MB of tiny events',
    { ...JSON3, pump: '{"tStartMs":1,"segs":[{"utf8":"a"}]},', bytes: 8 * MEGABYTE },
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
    { ...JSON3, pump: '{"tStartMs":1,"segs":[{"utf8":"é"}]},', bytes: 190_000 },
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

const REPLIES: [name: string, rule: Partial<FaultRule>][] = [
  ['brackets', { pump: '[', bytes: 2 * MEGABYTE }],
  ['empty objects', { head: '{"contents":[', pump: '{},', tail: '0]}', bytes: 2 * MEGABYTE }],
  ['keys', { head: '{', pump: '"a":{},', tail: '"b":0}', bytes: 2 * MEGABYTE }],
  ['8 MB of anything', { pump: 'x', bytes: 8 * MEGABYTE }],
]

export const STALLS: readonly Attack[] = [
  {
    name: 'a Content-Type of blanks that almost matches, at sign-in',
    async run({ address, origin }) {
      const response = await fetch(`${address}/account/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'Content-Type': `application/json${' '.repeat(15_500)}x`, Origin: origin },
        body: '{}',
      })
      assert.ok(response.status >= 400 && response.status < 500)
      return `${response.status}`
    },
  },
  ...HEADERS.map(([name, values]): Attack => ({
    name: `a header ${name} of 15 KB`,
    run: (target) => sendHeaders(target, name, values),
  })),
  ...LINES.map(([name, line]): Attack => ({
    name: `a URL line of ${line.length} characters with no balance: ${name}`,
    async run({ customer }) {
      const { status, body } = await (
        await customer('0')
      ).asks('POST', '/jobs', { body: { urls: line } })
      assert.equal(status, 400, JSON.stringify(body))
      return `${status} ${body['error'].code}`
    },
  })),
  { name: 'URL lines of 60,000 characters while they are typed', run: recogniseLines },
  { name: '32,000 lines in one body', run: sendLines },
  ...CAPTIONS.map(([name, rule, status]): Attack => ({
    name: `captions: ${name}`,
    run: (target) => serve(target, { do: 'made_up', on: 'timedtext', ...rule }, [status]),
  })),
  ...REPLIES.map(([name, rule]): Attack => ({
    name: `a player reply of ${name}`,
    run: (target) =>
      serve(target, { do: 'made_up', on: 'player', ...rule }, ['failed', 'blocked_suspect']),
  })),
  ...REPLIES.map(([name, rule]): Attack => ({
    name: `a list page of ${name}`,
    run: (target) =>
      serve(
        target,
        { do: 'made_up', on: 'browse', ...rule },
        ['failed', 'blocked_suspect'],
        '@dailynotes',
      ),
  })),
]

async function sendHeaders(target: Target, name: string, values: string[]): Promise<string> {
  const { address, origin, customer } = target
  const { apiKey } = await customer('0')
  await loadSignIn(target)
  const statuses = new Set<number>()
  const ways: [method: string, path: string][] = [
    ['GET', '/api/v1/jobs'],
    ['GET', '/api/v1/openapi.json'],
    ['POST', '/api/v1/jobs'],
    ['GET', '/api/v1/jobs/x/files/zip'],
    ['POST', '/account/auth/sign-in/email'],
    ['GET', '/account/session'],
    ['GET', '/'],
  ]
  for (const value of values) {
    for (const [method, path] of ways) {
      const headers = {
        Authorization: `Bearer ${apiKey}`,
        Origin: origin,
        ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
        [name]: value,
      }
      const response = await fetch(`${address}${path}`, {
        method,
        headers,
        redirect: 'manual',
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
      await response.arrayBuffer()
      assert.ok(response.status < 500, `${method} ${path} answered ${response.status}`)
      statuses.add(response.status)
    }
  }
  return [...statuses].sort().join(', ')
}

/** The first request of a process for sign-in loads its library, once; no header has a part in that. */
export async function loadSignIn({ address, origin, process }: Target): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Origin: origin }
  await (
    await fetch(`${address}/account/auth/sign-in/email`, { method: 'POST', headers, body: '{}' })
  ).arrayBuffer()
  await worstStallMs(process)
}

async function recogniseLines({ address, origin, fleet, process }: Target): Promise<string> {
  const visitor = new Visitor({ address, origin })
  const email = 'typist@example.org'
  await visitor.signsUp(email)
  await proveAddress({ fleet }, email)
  assert.equal((await visitor.signsIn(email)).status, 200)
  await worstStallMs(process) // the password is another matter
  for (const [name, line] of LINES) {
    const { status, body } = await visitor.asks('POST', '/account/recognise', {
      text: `${line.slice(0, 59_999)}a`,
    })
    assert.equal(status, 200, name)
    assert.ok(
      (body as { lines: { kind: string | null }[] }).lines.every(({ kind }) => kind === null),
      name,
    )
  }
  return `${LINES.length} lines are no source`
}

async function sendLines({ customer }: Target): Promise<string> {
  const who = await customer('0')
  for (const line of ['a\n', '\n', '\r\n', ' \u2028']) {
    const { status } = await who.asks('POST', '/jobs', {
      body: { urls: `x\n${line.repeat(Math.floor(30_000 / line.length))}` },
    })
    assert.equal(status, 400)
  }
  return '400'
}

/** A job of one source under that fault, beside a caller who asks for their balance all the while. */
async function serve(
  { customer, fleet }: Target,
  rule: FaultRule,
  statuses: string[],
  line?: string,
): Promise<string> {
  const who = await customer('10')
  fleet.platform.apply({ faults: [rule] })
  try {
    const urls = line ?? fleet.platform.world.special('both').videoId
    const ended = await who.waitsFor(await who.startsJob({ urls, maxVideos: 1 }))
    assert.equal(ended['state'], 'finished')
    const [row] = await rowsOf(who, ended)
    assert.ok(statuses.includes(String(row?.['status'])), JSON.stringify(row).slice(0, 300))
    return `${row?.['status']}: ${row?.['errorMessage'] ?? row?.['label']}`
  } finally {
    fleet.platform.clear()
  }
}

async function rowsOf(who: Customer, job: Json): Promise<Json[]> {
  const { body } = await who.asks('GET', `/jobs/${job['id']}/results?view=rows`)
  return body['videos'] as Json[]
}
