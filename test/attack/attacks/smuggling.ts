/** Requests with two readings: where one ends, or which host it is for, is not clear. */
import assert from 'node:assert/strict'
import type { Attack } from '../attack.ts'
import { sendRaw } from '../raw.ts'

const CASES_MIN = 40
const CODES = new Set(['invalid_request', 'unauthorized', 'not_found'])

export const SMUGGLING: readonly Attack[] = [
  {
    name: 'requests of two readings: lengths, hosts, line ends, targets and versions that contradict themselves',
    class: 'two readings',
    isInGate: true,
    async run(target) {
      const { apiKey } = await target.customer()
      const { host } = new URL(target.address)
      const cases = casesOf(host, apiKey)
      assert.ok(cases.length >= CASES_MIN)
      const statuses: Record<number, number> = {}
      for (const { what, bytes } of cases) {
        const { answers, text } = await sendRaw(target.address, bytes)
        assert.equal(answers.length, 1, `${what}: ${answers.length} answers: ${text.slice(0, 400)}`)
        const { status, body, head } = answers[0]!
        assert.ok(status >= 400 && status < 500, `${what}: ${status} ${body.slice(0, 200)}`)
        const { error } = JSON.parse(body) as { error: { code: string; message: string } }
        assert.ok(CODES.has(error.code) && error.message.length > 0, `${what}: ${body}`)
        assert.ok(
          !head.includes('evil') && !text.includes('smuggled: '),
          `${what}: ${text.slice(0, 400)}`,
        )
        statuses[status] = (statuses[status] ?? 0) + 1
      }
      assert.equal((await fetch(`${target.address}/healthz`)).status, 200)
      return `${cases.length} requests, one refusal each (${Object.entries(statuses)
        .map(([status, times]) => `${times} × ${status}`)
        .join(', ')})`
    },
  },
]

type Case = { what: string; bytes: string }

function casesOf(host: string, apiKey: string): Case[] {
  const key = `Authorization: Bearer ${apiKey}\r\n`
  const smuggled = `GET /api/v1/balance HTTP/1.1\r\nHost: ${host}\r\n${key}\r\n`
  /** A POST whose body holds a request of its own; the two readings differ in where the POST ends. */
  const post = (what: string, headers: string, body: string): Case => ({
    what,
    bytes: `POST /api/v1/jobs HTTP/1.1\r\nHost: ${host}\r\n${key}Content-Type: application/json\r\n${headers}\r\n${body}`,
  })
  const get = (what: string, line: string, headers: string): Case => ({
    what,
    bytes: `${line}\r\n${headers}\r\n`,
  })
  const chunked = `0\r\n\r\n${smuggled}`
  const lengths = [
    'Content-Length: +5',
    'Content-Length: -1',
    'Content-Length: 0x5',
    'Content-Length: 5, 5',
    'Content-Length: 5 5',
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: 5\r\nContent-Length: 5',
    'Content-Length: 99999999999999999999999',
    'Content-Length: ',
    'Content-Length: five',
    'Content-Length: 5\r\ncontent-length : 0',
  ]
  const codings = [
    'Transfer-Encoding: chunked\r\nContent-Length: 4',
    'Content-Length: 4\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: chunked, chunked-not',
    'Transfer-Encoding : chunked',
    ' Transfer-Encoding: chunked',
    'Transfer-Encoding:\x0bchunked',
    'Transfer-Encoding: chunked\x00',
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: identity\r\nContent-Length: 4',
    'Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4',
    'X: y\nTransfer-Encoding: chunked\r\nContent-Length: 4',
    'Transfer-Encoding\r\n : chunked',
    'Transfer-Encoding: "chunked"',
    'Transfer-Encoding: chunked;x=y',
  ]
  const chunks = [
    '-1\r\n',
    '0x5\r\n',
    '5;\n',
    'ffffffffffffffffff\r\n',
    '5\r\n{"a":\r\nX',
    '1\r\n{}\r\n0\r\n\r\n',
    'z\r\n',
    '\r\n',
  ]
  const values = [
    'X: a\rEvil: smuggled',
    'X: a\nEvil\r: smuggled',
    'X: a\x00b',
    'X y: z',
    'X\r\n: z',
    ': no name',
    'no colon',
    'X: \x01',
    '(X): y',
  ]
  const lines = [
    'GET /api/v1/balance HTTP/9.9',
    'GET /api/v1/balance HTTP/1.1 HTTP/1.1',
    'GET /api/v1/ba lance HTTP/1.1',
    'GET\t/api/v1/balance\tHTTP/1.1',
    'G(T /api/v1/balance HTTP/1.1',
    'GET /api/v1/balance\x00 HTTP/1.1',
    '/api/v1/balance',
    'CONNECT evil.example:443 HTTP/1.1',
    'TRACE /api/v1/balance HTTP/1.1',
    'get /api/v1/balance HTTP/1.1',
    'PRI * HTTP/2.0',
  ]
  const named = `Host: ${host}\r\n`
  return [
    ...lengths.map((headers) => post(headers, `${headers}\r\n`, `{"a":${smuggled}`)),
    ...codings.map((headers) => post(headers, `${headers}\r\n`, chunked)),
    ...chunks.map((body) =>
      post(`a chunk ${JSON.stringify(body)}`, 'Transfer-Encoding: chunked\r\n', body + smuggled),
    ),
    ...values.map((header) =>
      get(
        `a header ${JSON.stringify(header)}`,
        'GET /api/v1/balance HTTP/1.1',
        `${named}${key}${header}\r\n`,
      ),
    ),
    ...lines.map((line) => get(`a request line ${JSON.stringify(line)}`, line, named)),
    get('no Host', 'GET /api/v1/balance HTTP/1.1', key),
    get('two hosts', 'GET /api/v1/balance HTTP/1.1', `${named}Host: evil.example\r\n${key}`),
    get('two equal hosts', 'GET /api/v1/balance HTTP/1.1', `${named}${named}${key}`),
    ...targetsElsewhere(host).map(([target, headers = named]) =>
      get(`a target ${target}`, `GET ${target} HTTP/1.1`, headers + key),
    ),
    get('HTTP/1.0 to two hosts', 'GET http://evil.example/api/v1/balance HTTP/1.0', named + key),
    get(
      'a target with a line end',
      'GET /api/v1/jobs/%0d%0aEvil:%20smuggled HTTP/1.1',
      named + key,
    ),
    get(
      'an upgrade that hides a request',
      'GET /api/v1/jobs/x HTTP/1.1',
      `${named}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n`,
    ),
  ]
}

/** Targets that are not at the host that Host names (`headers`, the attacked service's where left out). */
function targetsElsewhere(host: string): [target: string, headers?: string][] {
  const { hostname } = new URL(`http://${host}`)
  const path = '/api/v1/balance'
  return [
    [`http://evil.example${path}`],
    [`HTTPS://evil.example${path}`],
    ['http://evil.example'],
    [`http://evil.example?${path}`],
    [`http://${hostname}${path}`],
    [`http://${hostname}:1${path}`],
    [`http://${host}.${path}`],
    [`http://${host}%40evil.example${path}`],
    [`http://user@${host}${path}`],
    [`http://user@${host}${path}`, `Host: user@${host}\r\n`],
    [`http://evil.example.${path}`, 'Host: evil.example\r\n'],
    [`https://evil.example:80${path}`, 'Host: evil.example\r\n'],
    [`http://${path}`, 'Host:\r\n'],
    [`ftp://${host}${path}`],
    [`http:${path}`],
    [host],
    [`${host}${path}`],
  ]
}
