/** Failover: which obstacles send a question to another route, how often, and which answer stands in the end. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { FIRST_REST_MS, poolInMemory } from '../../../test/support/route-pool.ts'
import { OPERATOR } from '../../kit/fair-queue.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import { openClientPool } from './client-pool.ts'
import { CLIENT_PROFILES } from './clients.ts'
import { type Failover, withFailover, withRoute } from './failover.ts'
import { type ObstacleName, type Obstructed, obstructed } from './obstacle.ts'
import type { RequestContext } from './session.ts'

const NEVER = new AbortController().signal
const THREE = 'direct http://p.example:1#name=second http://q.example:1#name=third'

type Said = { kind: 'said'; text: string }

function open(t: TestContext, text: string, limits: Partial<RequestContext['limits']> = {}) {
  const { pool, clock, waits } = poolInMemory(text, { concurrency: 1 })
  t.after(() => pool.close())
  const times = { clock, clientRestMs: 1, refusedRestMs: 1, closedFirstMs: 1 }
  const context = {
    share: OPERATOR,
    limits: { ...PLATFORM_LIMITS, ...limits },
    clock,
    clients: openClientPool(CLIENT_PROFILES, times),
  } as unknown as RequestContext // no request goes out, so the parts that only requests need are left out
  /** The identity with which each route was asked, in order. */
  const asked: string[] = []
  const ask = (
    answers: (Said | Obstructed)[],
    more: Partial<Failover<Said>> = {},
  ): Promise<Said | Obstructed> =>
    withFailover<Said>(
      { context, routes: pool, signal: NEVER, subject: 'video', ...more },
      async ({ lease }) => {
        asked.push(lease.visitors.get('WEB') ?? String(lease.limiter.visitorOf('WEB', lease.epoch)))
        return answers[asked.length - 1] ?? obstructed('unknown')
      },
    )
  return { pool, context, waits, asked, ask }
}

const says = (text: string): Said => ({ kind: 'said', text })

test('a route that is blocked rests for everybody, and the next one is asked at once', async (t) => {
  const { pool, asked, ask, waits } = open(t, THREE)
  assert.deepEqual(await ask([obstructed('rate_limited'), says('words')]), says('words'))
  assert.deepEqual(asked, ['direct in epoch 1', 'second in epoch 1'])
  assert.deepEqual(waits, [])
  assert.deepEqual(await pool.leaseOn('direct', OPERATOR, NEVER), {
    kind: 'resting',
    forMs: FIRST_REST_MS,
  })
})

test('only what another route may change is asked again: blocks, what nobody has seen, accidents', async (t) => {
  const cases: [ObstacleName, text: string, routes: number][] = [
    ['bot_check', THREE, 2],
    ['withheld', THREE, 2],
    ['unknown', THREE, 2],
    ['unreadable', THREE, 2],
    ['server_error', THREE, 2],
    ['unreachable', THREE, 2],
    ['server_error', 'direct', 1],
    ['retired', THREE, 1],
    ['too_large', THREE, 1],
    ['unreachable', 'http://p.example:1#name=a http://q.example:1#name=b', 2],
  ]
  for (const [name, text, routes] of cases) {
    const { asked, ask } = open(t, text)
    const result = await ask([obstructed(name), says('words')])
    assert.equal(new Set(asked).size, routes, `${name}: ${asked.join(', ')}`)
    assert.equal(result.kind, routes === 1 ? 'obstructed' : 'said', name)
  }
})

test('so many routes are asked and no more, and the last obstacle is told', async (t) => {
  const { asked, ask } = open(t, THREE, { routesPerQuestionMax: 2 })
  const result = await ask([obstructed('rate_limited'), obstructed('captcha')])
  assert.deepEqual(result, obstructed('captcha'))
  assert.equal(asked.length, 2)
})

test('the only route is asked again after its rest, as another visitor, if patience lasts', async (t) => {
  const patient = open(t, 'direct')
  assert.deepEqual(await patient.ask([obstructed('rate_limited'), says('words')]), says('words'))
  assert.deepEqual(patient.asked, ['direct in epoch 1', 'direct in epoch 2'])
  assert.deepEqual(patient.waits, [FIRST_REST_MS])

  const hasty = open(t, 'direct', { patienceMs: FIRST_REST_MS - 1 })
  const blocked = obstructed('rate_limited')
  assert.deepEqual(await hasty.ask([blocked, says('words')]), blocked)
  assert.deepEqual(
    await hasty.ask([says('words')]),
    obstructed('no_route', { retryAfterMs: FIRST_REST_MS }),
    'the next question learns when a route opens, and asks nothing',
  )
  assert.equal(hasty.asked.length, 1)
})

test('what may be the video’s own rests nobody: on the only route it is asked again as a stranger', async (t) => {
  const { ask, asked, waits, pool } = open(t, 'direct')
  assert.deepEqual(await ask([obstructed('captcha'), says('words')]), says('words'))
  assert.deepEqual(asked, ['direct in epoch 1', 'stranger on direct'])
  assert.deepEqual(waits, [FIRST_REST_MS], 'not at once')
  assert.equal((await pool.leaseOn('direct', OPERATOR, NEVER)).kind, 'leased')
})

test('an answer that nobody has seen is told only where no other route knows better', async (t) => {
  const unseen = open(t, THREE)
  assert.deepEqual(await unseen.ask([obstructed('unknown'), says('words')]), says('words'))
  const blocked = open(t, THREE)
  const met = [obstructed('bot_check'), obstructed('unknown'), obstructed('unknown')]
  assert.deepEqual(await blocked.ask(met), obstructed('bot_check'), 'a block is one')
  const alone = open(t, 'direct')
  assert.deepEqual(await alone.ask([obstructed('unknown'), says('words')]), obstructed('unknown'))
  assert.deepEqual(alone.waits, [], 'nothing is waited for')
})

test('an accident is tried on one more route, and waits for none that rests', async (t) => {
  const down = open(t, THREE)
  const faults = [obstructed('server_error'), obstructed('nothing'), says('words')]
  assert.deepEqual(await down.ask(faults), obstructed('nothing'), 'two routes and no more')
  assert.equal(down.asked.length, 2)
  down.asked.length = 0
  const blocked = [obstructed('captcha'), obstructed('server_error'), says('words')]
  assert.deepEqual(await down.ask(blocked), says('words'), 'a block is none of them')
  assert.deepEqual(down.waits, [])

  const resting = open(t, 'direct http://p.example:1#name=second')
  await resting.ask([obstructed('rate_limited'), says('words')])
  resting.asked.length = 0
  const fault = obstructed('server_error')
  assert.deepEqual(await resting.ask([fault, says('words')]), fault)
  assert.deepEqual([resting.asked, resting.waits], [['second in epoch 1'], []])
})

test('where the last route met an accident, the block before it is told', async (t) => {
  const { ask } = open(t, 'direct http://p.example:1#name=second')
  const met = [obstructed('captcha'), obstructed('server_error')]
  assert.deepEqual(await ask(met), obstructed('captcha'))
})

test('an answer that may differ elsewhere stands unless another open route has a better one', async (t) => {
  const mayDiffer = ({ text }: Said): boolean => text === 'not in this country'
  const better = open(t, THREE)
  assert.deepEqual(
    await better.ask([says('not in this country'), says('words')], { mayDiffer }),
    says('words'),
  )
  const worse = open(t, THREE)
  assert.deepEqual(
    await worse.ask([says('not in this country'), obstructed('unknown')], { mayDiffer }),
    says('not in this country'),
  )
  const alone = open(t, 'direct')
  assert.deepEqual(
    await alone.ask([says('not in this country')], { mayDiffer }),
    says('not in this country'),
  )
  assert.deepEqual([worse.asked.length, alone.asked.length], [3, 1])
})

test('whatever becomes of the work, its route is given back', async (t) => {
  const { pool, context } = open(t, 'direct', { visitMs: 5 })
  const cancelled = new AbortController()
  const cancels = new Error('cancelled')
  const ends: [string, (signal: AbortSignal) => Promise<Said>, RegExp | string][] = [
    ['a fault', () => Promise.reject(new Error('a fault')), /a fault/],
    ['out of time', (signal) => untilAborted(signal), 'timed_out'],
    [
      'cancelled',
      (signal) => {
        cancelled.abort(cancels)
        return untilAborted(signal)
      },
      /cancelled/,
    ],
  ]
  for (const [what, work, expected] of ends) {
    const leasing = await pool.lease(
      { share: OPERATOR, avoid: new Set(), patienceMs: 0, isStranger: false },
      NEVER,
    )
    assert.ok(leasing.kind === 'leased', what)
    const result = withRoute(
      { context, signal: cancelled.signal, subject: 'video' },
      leasing.lease,
      ({ signal }) => work(signal),
    )
    if (typeof expected === 'string')
      assert.deepEqual(await result, obstructed(expected as ObstacleName), what)
    else await assert.rejects(result, expected, what)
  }
  const free = await pool.lease(
    { share: OPERATOR, avoid: new Set(), patienceMs: 0, isStranger: false },
    NEVER,
  )
  assert.equal(free.kind, 'leased')
})

/** Rejects when the signal aborts; the test's end is its deadline. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}
