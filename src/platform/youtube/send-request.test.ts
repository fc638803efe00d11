/** Repeated requests: only obstacles that may pass, after a pause that grows or that the platform asked for. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { readRetryAfter } from '../egress/connections.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import { retryPause } from './send-request.ts'
import { captionUrls } from './captions.ts'
import { obstacle, type ObstacleName, describeObstacle } from './obstacle.ts'

const pause = (
  name: ObstacleName,
  tries = 1,
  retryAfterMs: number | null = null,
  said: string | null = null,
): number | null => {
  return retryPause(obstacle(name, { retryAfterMs, said }), tries, PLATFORM_LIMITS, () => 1)
}

test('accidents are tried again, twice at most; blocks and answers never', () => {
  for (const name of [
    'unreachable',
    'timed_out',
    'truncated',
    'server_error',
    'not_found',
  ] as const) {
    assert.deepEqual([pause(name, 1), pause(name, 2), pause(name, 3)], [500, 1000, null], name)
  }
  for (const name of [
    'bot_check',
    'rate_limited',
    'forbidden',
    'retired',
    'withheld',
    'unknown',
    'track_gone',
    'too_large',
  ] as const) {
    assert.equal(pause(name), null, name)
  }
  assert.equal(
    pause('not_found', 1, null, 'NOT_FOUND'),
    null,
    'the platform’s own NOT_FOUND is an answer',
  )
})

test('what the platform asked for is waited for, or left where it is too long', () => {
  assert.equal(pause('server_error', 1, 3000), 3000)
  assert.equal(pause('server_error', 1, 600_000), null)
})

test('a pause is anything up to its bound', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
      const ms = retryPause(obstacle('server_error'), 2, PLATFORM_LIMITS, () => random)
      assert.ok(ms !== null && ms >= 0 && ms <= 1000)
    }),
  )
})

test('Retry-After is read in seconds and as a date, and bounded', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const cases: [string | null, number | null][] = [
    [null, null],
    ['7', 7000],
    [' 120 ', 120_000],
    ['Fri, 20 Nov 2026 12:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['99999999999', 259_200_000],
    ['soon', null],
  ]
  for (const [value, expected] of cases)
    assert.equal(readRetryAfter(value, now), expected, String(value))
})

test('caption addresses replace the format, drop what spoils, and end without the variant', () => {
  const told = (address: string): string[] => [...captionUrls(address)].map(({ search }) => search)
  assert.deepEqual(told('https://www.youtube.com/api/timedtext?v=x&xosf=1&lang=en&fmt=srv3'), [
    '?v=x&lang=en&fmt=json3',
    '?v=x&lang=en&fmt=srv3',
    '?v=x&lang=en&fmt=srv1',
  ])
  assert.deepEqual(told('/api/timedtext?v=x&variant=gemini'), [
    '?v=x&variant=gemini&fmt=json3',
    '?v=x&variant=gemini&fmt=srv3',
    '?v=x&fmt=json3',
    '?v=x&fmt=srv3',
    '?v=x&fmt=srv1',
  ])
  assert.deepEqual(told('https://www.youtube.com/api/timedtext?v=x&exp=xpe'), [])
  assert.deepEqual(told('http://169.254.169.254/latest?fmt=srv3'), [])
  assert.deepEqual(told('https://youtube.com.evil.example/api'), [])
})

test('an obstacle tells the customer the platform’s words without addresses, and not without end', () => {
  const { text } = describeObstacle(
    obstacle('unknown', { said: `See https://user:pass@proxy.example/x ${'long '.repeat(200)}` }),
  )
  assert.doesNotMatch(text, /proxy\.example|pass/)
  assert.ok(text.length < 450)
})
