/** Rules of the bare wire: bytes that are not HTTP, or hardly, sent over a socket. */
import assert from 'node:assert/strict'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

/** Returns the head and the Error of an answer over a bare socket. */
async function rawly(
  kit: Kit,
  write: () => string,
): Promise<{ status: number; code: string | undefined; text: string }> {
  const answer = await kit.raw(write)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  assert.match(head, /^x-request-id: \S/im)
  const json = JSON.parse(body) as { error: { code: string } }
  assert.deepEqual(Object.keys(json), ['error'])
  return { status: Number(answer.slice(9, 12)), code: json.error.code, text: answer }
}

function headOf(kit: Kit, line: string, ...headers: string[]): string {
  const { host } = new URL(kit.options.baseUrl)
  return [
    `${line} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${kit.apiKey}`,
    ...headers,
    '',
    '',
  ].join('\r\n')
}

const pathOf = (kit: Kit, path: string): string => new URL(kit.options.baseUrl).pathname + path

export const wireRules: Rule[] = [
  rule('What is not HTTP is refused in the Error shape', async (kit) => {
    for (const text of [
      'hello\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01',
      'GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n',
      'POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      'POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n',
    ]) {
      const { status, code } = await rawly(kit, () => text)
      assert.deepEqual([status, code], [400, 'invalid_request'], JSON.stringify(text))
    }
  }),
  rule('Headers that are too large answer 431 in the Error shape', async (kit) => {
    const { status, code } = await rawly(kit, () =>
      headOf(kit, `GET ${pathOf(kit, '/balance')}`, `X-Large: ${'x'.repeat(70_000)}`),
    )
    assert.deepEqual([status, code], [431, 'invalid_request'])
    const long = await rawly(kit, () =>
      headOf(kit, `GET ${pathOf(kit, `/jobs?${'x'.repeat(70_000)}`)}`),
    )
    assert.equal(long.status, 431)
  }),
  rule('A request of HTTP/1.1 without Host is refused, one of HTTP/1.0 is not', async (kit) => {
    const lines = (): string => `Authorization: Bearer ${kit.apiKey}\r\nConnection: close\r\n\r\n`
    const { status, code } = await rawly(
      kit,
      () => `GET ${pathOf(kit, '/balance')} HTTP/1.1\r\n${lines()}`,
    )
    assert.deepEqual([status, code], [400, 'invalid_request'])
    assert.match(
      await kit.raw(() => `GET ${pathOf(kit, '/balance')} HTTP/1.0\r\n${lines()}`),
      /^HTTP\/1\.1 200/,
    )
  }),
  rule(
    'A body that breaks HTTP is refused in the Error shape, with the rate-limit headers',
    async (kit) => {
      const { status, text } = await rawly(
        kit,
        () =>
          headOf(
            kit,
            `POST ${pathOf(kit, '/jobs')}`,
            'Content-Type: application/json',
            'Transfer-Encoding: chunked',
          ) + '5\r\n{"url\r\nzz\r\n',
      )
      assert.equal(status, 400)
      assert.match(text, /^x-ratelimit-remaining: \d+/im)
    },
  ),
  rule('A client that leaves in the middle of its body changes nothing', async (kit) => {
    const before = await kit.get('/jobs?limit=1')
    await kit.raw(
      () =>
        headOf(
          kit,
          `POST ${pathOf(kit, '/jobs')}`,
          'Content-Type: application/json',
          'Content-Length: 10',
          'Connection: close',
        ) + '{}        ',
    )
    assert.equal((await kit.get('/jobs?limit=1'))['total'], before['total'])
  }),
  rule(
    'A client that asks first whether to send its body is told to go on, or refused without it',
    async (kit) => {
      const line = `POST ${pathOf(kit, '/jobs')}`
      const wanted = [
        'Content-Type: application/json',
        'Content-Length: 2',
        'Expect: 100-continue',
        'Connection: close',
      ]
      assert.match(
        await kit.raw(() => `${headOf(kit, line, ...wanted)}{}`),
        /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400/,
      )
      const { status } = await rawly(kit, () =>
        headOf(
          kit,
          line,
          'Content-Type: application/json',
          'Content-Length: 70000',
          'Expect: 100-continue',
          'Connection: close',
        ),
      )
      assert.equal(status, 413)
      const other = await rawly(kit, () =>
        headOf(kit, `GET ${pathOf(kit, '/jobs/none')}`, 'Expect: miracles', 'Connection: close'),
      )
      assert.equal(other.status, 404)
    },
  ),
  rule('An address in absolute form is the same address', async (kit) => {
    const text = await kit.raw(() =>
      headOf(kit, `GET ${kit.options.baseUrl}/balance`, 'Connection: close'),
    )
    assert.match(text, /^HTTP\/1\.1 200/)
  }),
]
