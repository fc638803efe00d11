/** A fault script hits the calls that it describes, as many times as it says, and the same ones every time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from './call.ts'
import { type FaultRule, faultsOf } from './faults.ts'
import { mintVisitorData } from './wire/context.ts'

const call = (changes: Partial<Call> = {}): Call => ({
  kind: 'player',
  method: 'POST',
  path: '/youtubei/v1/player',
  query: new URLSearchParams(),
  body: {},
  client: { name: 'VISIONOS', version: '1.02' },
  identity: '127.0.0.1',
  referer: '',
  visitor: '',
  videoId: 'AAAAAAAAAAA',
  listId: '',
  nowMs: 0,
  ...changes,
})

/** Returns an `x` for each call that the rule hits and a `.` for each other one. */
function hits(rule: Partial<FaultRule>, calls: Call[], seed = 1): string {
  const faults = faultsOf([{ do: 'bot_check', ...rule }], seed)
  return calls.map((each) => (faults.fateOf(each).rule === null ? '.' : 'x')).join('')
}

const six = Array.from({ length: 6 }, () => call())

for (const [rule, drawn] of [
  [{}, 'xxxxxx'],
  [{ after: 2 }, '..xxxx'],
  [{ times: 2 }, 'xx....'],
  [{ after: 1, times: 2 }, '.xx...'],
  [{ every: 3 }, '..x..x'],
  [{ after: 2, times: 1, sticky: true }, '..xxxx'],
  [{ on: 'browse' }, '......'],
  [{ on: ['browse', 'player'] }, 'xxxxxx'],
  [{ client: 'ANDROID' }, '......'],
  [{ video: ['BBBBBBBBBBB', 'AAAAAAAAAAA'] }, 'xxxxxx'],
  [{ probability: 0 }, '......'],
  [{ probability: 1 }, 'xxxxxx'],
] as const) {
  test(`the rule ${JSON.stringify(rule)} hits ${drawn}`, () => assert.equal(hits(rule, six), drawn))
}

test('calls are counted per caller address, unless the rule counts by something else', () => {
  const [a, b] = [call(), call({ identity: '127.0.0.2', videoId: 'BBBBBBBBBBB' })]
  assert.equal(hits({ after: 1 }, [a, b, a, b]), '..xx')
  assert.equal(hits({ after: 1, per: 'all' }, [a, b, a, b]), '.xxx')
  assert.equal(hits({ times: 1, per: 'video' }, [a, a, b, b]), 'x.x.')
})

test('a sticky rule lets a fresh address start anew', () => {
  const exit = (name: string): Call => call({ identity: name })
  assert.equal(
    hits({ after: 2, sticky: true }, ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'a'].map(exit)),
    '..xx..xx',
  )
})

test('a window forgets', () => {
  const at = (nowMs: number): Call => call({ nowMs })
  assert.equal(hits({ after: 2, windowMs: 1000 }, [0, 10, 20, 2000, 2010, 2020].map(at)), '..x..x')
})

test('chance is drawn from the seed', () => {
  const many = Array.from({ length: 1000 }, () => call())
  const drawn = hits({ probability: 0.3 }, many, 7)
  assert.equal(drawn, hits({ probability: 0.3 }, many, 7))
  assert.notEqual(drawn, hits({ probability: 0.3 }, many, 8))
  const share = drawn.replaceAll('.', '').length / 1000
  assert.ok(Math.abs(share - 0.3) < 0.05, `${share}`)
})

test('an identity is foreign to clients other than the one that was given it', () => {
  const made = (name: string): string =>
    mintVisitorData(call({ client: { name, version: '1' }, nowMs: 1_800_000_000_000 }))
  const carrying = (visitor: string): Call => call({ visitor })
  const calls = ['WEB', 'VISIONOS', '', 'ANDROID', 'IOS'].map((name) => carrying(made(name)))
  assert.equal(hits({ do: 'visitor' }, calls), 'x..xx')
  assert.equal(hits({ do: 'visitor', after: 1, times: 1 }, calls), '...x.', 'others do not count')
  const madeUp = ['', 'identity', 'CgtUZXN0VmlzaXRvciijgZfRBg%3D%3D', '%', 'CgsA'].map(carrying)
  assert.equal(hits({ do: 'visitor' }, madeUp), '.....')
})

test('delays add up beside another fault', () => {
  const faults = faultsOf(
    [{ do: 'latency', ms: 20 }, { do: 'latency', ms: 5 }, { do: 'empty' }, { do: 'drip' }],
    1,
  )
  const fate = faults.fateOf(call())
  assert.equal(fate.latencyMs, 25)
  assert.equal(fate.rule?.do, 'empty')
  assert.equal(fate.transport?.do, 'drip')
})

test('a rule may hold a call beside what becomes of it later', () => {
  const faults = faultsOf([{ do: 'hold', after: 1 }, { do: 'empty' }], 1)
  const fates = [faults.fateOf(call()), faults.fateOf(call())]
  assert.deepEqual(
    fates.map(({ isHeld, rule }) => [isHeld, rule?.do]),
    [
      [false, 'empty'],
      [true, 'empty'],
    ],
  )
})

test('a misspelt script is refused in words', () => {
  assert.throws(() => faultsOf([{ do: 'bot_chek' as 'bot_check' }], 1), /no such fault: bot_chek/)
  assert.throws(
    () => faultsOf([{ do: 'empty', clients: 'IOS' } as FaultRule], 1),
    /knows no clients/,
  )
  assert.throws(
    () => faultsOf([{ do: 'cause', cause: 'kids' } as unknown as FaultRule], 1),
    /no such cause: kids; there are private, .*region/,
  )
})
