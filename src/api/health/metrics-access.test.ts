/** Which requests may read /metrics, case by case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireMetricsReader } from './routes.ts'

type Case = { from?: string; headers?: Record<string, string>; token?: string }

function outcome({ from = '127.0.0.1', headers = {}, token }: Case): number {
  const request = {
    headers: { host: 'localhost:8080', ...headers },
    socket: { remoteAddress: from },
  }
  try {
    requireMetricsReader(request as never, token ?? null)
    return 200
  } catch (error) {
    return (error as { status: number }).status
  }
}

test('without a token only a direct client of this machine reads the metrics', () => {
  const cases: [Case, number][] = [
    [{}, 200],
    [{ from: '127.8.9.10' }, 200],
    [{ from: '::1', headers: { host: '[::1]:8080' } }, 200],
    [{ from: '::ffff:127.0.0.1', headers: { host: '127.0.0.1' } }, 200],
    [{ from: '192.0.2.7' }, 404],
    [{ from: '::ffff:192.0.2.7' }, 404],
    [{ from: '' }, 404],
    [{ headers: { 'x-forwarded-for': '127.0.0.1' } }, 404],
    [{ headers: { forwarded: 'for=127.0.0.1' } }, 404],
    [{ headers: { via: '1.1 proxy' } }, 404],
    [{ headers: { 'x-real-ip': '127.0.0.1' } }, 404],
    [{ headers: { host: 'scriptorium.example' } }, 404],
    [{ headers: { host: 'localhost.evil.example' } }, 404],
  ]
  for (const [one, status] of cases) assert.equal(outcome(one), status, JSON.stringify(one))
})

test('with a token nothing but the token counts', () => {
  const token = 'a long token'
  assert.equal(outcome({ token }), 401)
  assert.equal(outcome({ token, headers: { authorization: 'Bearer another' } }), 401)
  assert.equal(outcome({ token, headers: { authorization: `Bearer ${token} ` } }), 401)
  assert.equal(
    outcome({
      token,
      from: '192.0.2.7',
      headers: { authorization: `Bearer ${token}`, via: '1.1 proxy' },
    }),
    200,
  )
})
