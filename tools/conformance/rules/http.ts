/** Rules of HTTP itself: routes, methods, HEAD, CORS and compression. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import zlib from 'node:zlib'
import type { Reply } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

const refused = (reply: Reply, status: number, code: string): void =>
  assert.deepEqual([reply.status, reply.body['error']?.code], [status, code])

export const httpRules: Rule[] = [
  rule('Unknown routes and trailing slashes answer 404 not_found', async (kit) => {
    for (const path of [
      '',
      '/',
      '/nothing',
      '/jobs/',
      '/balance/',
      '/jobs/x/',
      '/jobs/x/y',
      '//jobs',
      '/Jobs',
      '/jobs/x/files',
      '/openapi.yaml',
    ]) {
      refused(await kit.ask('GET', path), 404, 'not_found')
    }
    refused(
      await kit.ask('POST', '/nothing', {
        body: 'no json',
        headers: { 'Content-Type': 'text/plain' },
      }),
      404,
      'not_found',
    )
  }),
  rule('Malformed ids and file names answer 404 not_found', async (kit) => {
    for (const id of [
      'x'.repeat(41),
      'x'.repeat(200),
      'a.b',
      'a%20b',
      '%00',
      '%zz',
      '%E0%A4%A',
      'ä',
      '..%2Fbalance',
      "'--",
      '%F0%9F%98%80',
    ]) {
      for (const rest of ['', '/results', '/files/zip'])
        refused(
          await kit.ask('GET', `/jobs/${encodeURI(id).replaceAll('%25', '%')}${rest}`),
          404,
          'not_found',
        )
    }
    const { id } = await kit.finished()
    for (const file of [
      '0.txt',
      '01.txt',
      '1.TXT',
      '1.pdf',
      'ZIP',
      'all.csv',
      '-1.txt',
      '1.txt.json',
      '999999999999999999999.txt',
      '.txt',
      'zip%00',
      'report.csv%0A',
    ]) {
      refused(await kit.ask('GET', `/jobs/${id}/files/${file}`), 404, 'not_found')
    }
  }),
  rule('A wrong method answers 405 invalid_request with Allow', async (kit) => {
    for (const [method, path, allowed] of [
      ['DELETE', '/jobs', 'GET, HEAD, OPTIONS, POST'],
      ['PUT', '/jobs/x', 'GET, HEAD, OPTIONS, PATCH'],
      ['POST', '/balance', 'GET, HEAD, OPTIONS'],
      ['PATCH', '/jobs/x/results', 'GET, HEAD, OPTIONS'],
      ['POST', '/jobs/x/files/zip', 'GET, HEAD, OPTIONS'],
      ['GET', '/jobs/x/cancel', 'OPTIONS, POST'],
      ['PROPFIND', '/jobs', 'GET, HEAD, OPTIONS, POST'],
      ['TRACE', '/balance', 'GET, HEAD, OPTIONS'],
      ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const reply = await kit.ask(method, path)
      if (path !== '/openapi.json') refused(reply, 405, 'invalid_request')
      assert.equal(
        reply.headers.get('allow')?.split(', ').sort().join(', '),
        allowed,
        `${method} ${path}`,
      )
    }
  }),
  rule('HEAD answers like GET without a body', async (kit) => {
    const { id } = await kit.finished()
    for (const path of [
      '/balance',
      '/jobs',
      `/jobs/${id}`,
      `/jobs/${id}/results`,
      `/jobs/${id}/files/zip`,
      `/jobs/${id}/files/1.txt`,
      '/openapi.json',
      '/jobs/none',
    ]) {
      const [head, get] = [await kit.ask('HEAD', path), await kit.ask('GET', path)]
      assert.equal(head.status, get.status, path)
      assert.equal(head.bytes.length, 0)
      for (const name of ['content-type', 'content-length', 'etag', 'content-disposition'])
        assert.equal(head.headers.get(name), get.headers.get(name), `${path}: ${name}`)
    }
    assert.equal((await kit.ask('HEAD', '/balance', { key: null })).status, 401)
  }),
  rule(
    'A preflight needs no key, costs nothing, and any origin may read our headers',
    async (kit) => {
      const before = await remaining(kit)
      for (const path of ['/jobs', '/balance', '/jobs/x', '/jobs/x/files/zip', '/openapi.json']) {
        const reply = await kit.ask('OPTIONS', path, {
          key: null,
          headers: {
            Origin: 'https://app.test',
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'authorization,idempotency-key',
          },
        })
        assert.equal(reply.status, 204)
        assert.match(
          reply.headers.get('access-control-allow-headers') ?? '',
          /Authorization.*Content-Type.*Idempotency-Key/,
        )
        assert.match(reply.headers.get('access-control-allow-methods') ?? '', /GET/)
        assert.equal(reply.headers.get('access-control-allow-credentials'), null)
        await kit.ask('OPTIONS', path)
      }
      assert.ok((await remaining(kit)) >= before - 1, 'preflights cost nothing')
      const exposed =
        (await kit.ask('GET', '/balance', { headers: { Origin: 'https://app.test' } })).headers.get(
          'access-control-expose-headers',
        ) ?? ''
      for (const name of [
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-Request-Id',
        'Retry-After',
        'Idempotent-Replayed',
        'ETag',
        'Content-Disposition',
        'Location',
      ]) {
        assert.ok(exposed.includes(name), name)
      }
    },
  ),
  rule('Every answer has a request id of its own', async (kit) => {
    const ids = new Set<unknown>()
    for (let count = 0; count < 5; count++) {
      ids.add(
        (await kit.ask('GET', '/balance', { headers: { 'X-Request-Id': 'mine' } })).headers.get(
          'x-request-id',
        ),
      )
    }
    assert.equal(ids.size, 5)
    assert.ok(!ids.has('mine'))
  }),
  rule('Large JSON is compressed as the caller accepts it, small JSON never', async (kit) => {
    const whole = await kit.ask('GET', '/openapi.json', { key: null })
    assert.equal(whole.headers.get('content-encoding'), null)
    for (const [accept, expected] of [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['zstd', 'zstd'],
      ['gzip;q=0.5, br;q=0.9', 'br'],
      ['gzip;q=0, *;q=0', null],
      ['identity', null],
      ['br;q=0, gzip', 'gzip'],
      ['compress', null],
      ['', null],
      ['identity;q=1, gzip;q=0.5', null],
    ] as const) {
      const reply = await kit.ask('GET', '/openapi.json', {
        key: null,
        headers: { 'Accept-Encoding': accept },
      })
      assert.equal(reply.headers.get('content-encoding'), expected, accept)
      assert.match(reply.headers.get('vary') ?? '', /accept-encoding/i)
      assert.deepEqual(unpacked(reply), whole.bytes)
    }
    const small = await kit.ask('GET', '/balance', {
      headers: { 'Accept-Encoding': 'gzip, br, zstd' },
    })
    assert.equal(small.headers.get('content-encoding'), null)
  }),
  rule('Unknown query parameters are ignored', async (kit) => {
    const mark = randomUUID()
    assert.deepEqual(await kit.get(`/balance?${mark}=1&offset=x&limit=`), await kit.get('/balance'))
    await kit.get(`/jobs?${mark}=&page=2`)
  }),
]

async function remaining(kit: Kit): Promise<number> {
  return Number((await kit.ask('GET', '/balance')).headers.get('x-ratelimit-remaining'))
}

function unpacked({ headers, bytes }: Reply): Buffer {
  const unpack = {
    gzip: zlib.gunzipSync,
    br: zlib.brotliDecompressSync,
    zstd: zlib.zstdDecompressSync,
  }[headers.get('content-encoding') ?? '']
  return unpack === undefined ? bytes : unpack(bytes)
}
