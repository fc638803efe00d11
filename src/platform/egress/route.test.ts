/** Egress routes: what EGRESS_ROUTES may say, the pace of routes, and that secrets stay secret. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { directRoute, isLoopback, loopbackRoute, readRoutes } from './route.ts'
import {
  loweredRate,
  permitsPerLease,
  raisedRate,
  restAfterBlock,
} from '../../model/platform/route-budget.ts'

test('routes are read with their names, paces and credentials', () => {
  const routes = readRoutes(`direct
    http://user:p%40ss@proxy.example:8080#name=home&ratePerMinute=20&concurrency=3,
    https://gateway.example#rotating=true`)
  const [direct, home, gateway] = routes
  assert.deepEqual(
    routes.map(({ name }) => name),
    ['direct', 'home', 'gateway.example'],
  )
  assert.equal(direct?.proxyOrigin, null)
  assert.equal(home?.proxyOrigin, 'http://proxy.example:8080')
  assert.equal(home?.proxyAuthorization, `Basic ${Buffer.from('user:p@ss').toString('base64')}`)
  assert.deepEqual(home?.ratePerMinute, { start: 20, floor: 2, ceiling: 20 })
  assert.equal(home?.concurrency, 3)
  assert.ok(gateway?.isRotating && gateway.blocksForgiven > 0)
})

test('two sticky sessions of one proxy are two routes with lasting names', () => {
  const text = 'http://session-1:x@p.example:1 http://session-2:x@p.example:1'
  const [one, two] = readRoutes(text)
  assert.notEqual(one?.name, two?.name)
  assert.deepEqual(
    readRoutes(text).map(({ name }) => name),
    [one?.name, two?.name],
  )
  assert.doesNotMatch(`${one?.name} ${two?.name}`, /session/)
})

const WRONG: [string, RegExp][] = [
  ['', /names no route/],
  ['socks5://p.example:1', /entry 1: neither/],
  ['direct http://p.example:1/path', /entry 2: neither/],
  ['direct#speed=9', /entry 1: "speed" is none/],
  ['direct#ratePerMinute=0', /ratePerMinute/],
  ['direct#concurrency=many', /concurrency/],
  ['direct#name=a/b', /a name is/],
  ['direct direct', /two routes are named direct/],
]

test('what is wrong is said by position, without the entry’s text', () => {
  for (const [text, sentence] of WRONG) assert.throws(() => readRoutes(text), sentence)
  const secret = 'ftp://user:hunter2@p.example'
  assert.throws(
    () => readRoutes(secret),
    (error: Error) => !/hunter2|user/.test(error.message),
  )
})

test('one address towards the platform is polite, and only this machine may be asked at full speed', () => {
  const { ratePerMinute, concurrency } = directRoute()
  assert.ok(ratePerMinute.ceiling <= 20 && concurrency <= 2)
  assert.ok(loopbackRoute().ratePerMinute.start >= 100_000)
  for (const near of [
    'http://127.0.0.1:9000',
    'http://localhost',
    'http://[::1]:1',
    'http://127.1.2.3',
  ]) {
    assert.equal(isLoopback(near), true, near)
  }
  for (const far of [
    'https://www.youtube.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'nonsense',
  ]) {
    assert.equal(isLoopback(far), false, far)
  }
})

test('rests double with every block in a row, spread, and never undercut what was asked for', () => {
  const route = directRoute()
  const rests = [1, 2, 3, 4].map((blocks) =>
    restAfterBlock(route, { blocks, retryAfterMs: null, jitter: 0 }),
  )
  assert.deepEqual(rests, [30_000, 60_000, 120_000, 240_000])
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99 }),
      fc.option(fc.nat(86_400_000)),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (blocks, retryAfterMs, jitter) => {
        const rest = restAfterBlock(route, { blocks, retryAfterMs, jitter })
        assert.ok(rest >= (retryAfterMs ?? 0) && rest >= 30_000)
        assert.ok(rest <= Math.max(retryAfterMs ?? 0, route.restMs.longest * 1.5))
      },
    ),
  )
  const [rotating] = readRoutes('http://p.example:1#rotating=true')
  assert.ok(rotating !== undefined)
  assert.equal(restAfterBlock(rotating, { blocks: 5, retryAfterMs: null, jitter: 1 }), 0)
  assert.equal(restAfterBlock(rotating, { blocks: 6, retryAfterMs: null, jitter: 0 }), 30_000)
})

test('a rate rises by small steps, halves at a block, and stays between floor and ceiling', () => {
  const route = directRoute()
  const { floor, ceiling } = route.ratePerMinute
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(300), fc.constant('block' as const)), { maxLength: 60 }),
      (events) => {
        let rate = route.ratePerMinute.start
        for (const event of events) {
          const before = rate
          rate = event === 'block' ? loweredRate(route, rate) : raisedRate(route, rate, event)
          assert.ok(rate >= floor && rate <= ceiling)
          if (event === 'block') assert.equal(rate, Math.max(floor, before / 2))
        }
      },
    ),
  )
  assert.equal(raisedRate(route, floor, 1000), ceiling)
  assert.equal(permitsPerLease(15), 1)
  assert.equal(permitsPerLease(60_000), 500)
})
