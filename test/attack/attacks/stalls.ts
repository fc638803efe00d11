/** Attacks on the event loop: input within the limits that takes long to read. */
import assert from 'node:assert/strict'
import type { FaultRule } from '../../../emulator/faults.ts'
import { Visitor } from '../../account/visitor.ts'
import type { Customer } from '../../../tools/conformance/customer.ts'
import type { Json } from '../../../tools/conformance/http.ts'
import { proveAddress } from '../member.ts'
import { STALL_CAPTIONS, STALL_HEADERS, STALL_LINES, STALL_REPLIES } from './stall-texts.ts'
import type { Attack, Target } from '../attack.ts'

/** Inputs of the gate, one or two of each kind; the night measures how long each takes. */
const OF_GATE = new Set([
  'Prefer',
  'Cookie',
  'wrapped again and again',
  '15 MB of paragraphs that never close',
  '31 MB of tiny events',
  '4 MB of marks on one letter',
  'empty objects',
])

export const STALLS: readonly Attack[] = [
  {
    name: 'a Content-Type of blanks that almost matches, at sign-in',
    class: 'headers',
    isInGate: true,
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
  ...STALL_HEADERS.map(([name, values]): Attack => ({
    name: `a header ${name} of 15 KB`,
    class: 'headers',
    ...(OF_GATE.has(name) ? { isInGate: true } : {}),
    run: (target) => sendHeaders(target, name, values),
  })),
  ...STALL_LINES.map(([name, line]): Attack => ({
    name: `a URL line of ${line.length} characters with no balance: ${name}`,
    class: 'lines',
    ...(OF_GATE.has(name) ? { isInGate: true } : {}),
    async run({ customer }) {
      const { status, body } = await (
        await customer('0')
      ).asks('POST', '/jobs', { body: { urls: line } })
      assert.equal(status, 400, JSON.stringify(body))
      return `${status} ${body['error'].code}`
    },
  })),
  {
    name: 'URL lines of 60,000 characters while they are typed',
    class: 'lines',
    run: previewLines,
  },
  { name: '32,000 lines in one body', class: 'lines', isInGate: true, run: sendLines },
  ...STALL_CAPTIONS.map(([name, rule, status]): Attack => ({
    name: `captions: ${name}`,
    class: 'captions',
    ...(OF_GATE.has(name) ? { isInGate: true } : {}),
    run: (target) => serve(target, { do: 'made_up', on: 'timedtext', ...rule }, [status]),
  })),
  ...STALL_REPLIES.map(([name, rule]): Attack => ({
    name: `a player reply of ${name}`,
    class: 'replies',
    ...(OF_GATE.has(name) ? { isInGate: true } : {}),
    run: (target) =>
      serve(target, { do: 'made_up', on: 'player', ...rule }, ['failed', 'blocked_suspect']),
  })),
  ...STALL_REPLIES.map(([name, rule]): Attack => ({
    name: `a list page of ${name}`,
    class: 'replies',
    ...(OF_GATE.has(name) ? { isInGate: true } : {}),
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

/** Loads the sign-in library by a first request, which takes long once; no header is to blame for that. */
export async function loadSignIn({ address, origin, begins }: Target): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Origin: origin }
  await (
    await fetch(`${address}/account/auth/sign-in/email`, { method: 'POST', headers, body: '{}' })
  ).arrayBuffer()
  await begins()
}

async function previewLines({ address, origin, fleet, begins }: Target): Promise<string> {
  const visitor = new Visitor({ address, origin })
  const email = 'typist@example.org'
  await visitor.signsUp(email)
  await proveAddress({ fleet }, email)
  assert.equal((await visitor.signsIn(email)).status, 200)
  await begins() // the time of the password does not count
  for (const [name, line] of STALL_LINES) {
    const { status, body } = await visitor.asks('POST', '/account/recognise', {
      text: `${line.slice(0, 59_999)}a`,
    })
    assert.equal(status, 200, name)
    assert.ok(
      (body as { lines: { kind: string | null }[] }).lines.every(({ kind }) => kind === null),
      name,
    )
  }
  return `${STALL_LINES.length} lines are no source`
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

/** Runs a job of one source under this fault, while a caller keeps asking for their balance. */
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
