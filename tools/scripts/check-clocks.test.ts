/**
 * The check of `npm run check` refuses, by file and line, what makes a test of the gate depend on the machine, and
 * deadlines of the product that nobody can lengthen.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { findClocks } from './check-clocks.ts'

const REFUSED = [
  'assert.ok(performance.now() - startedAt < 2_000)',
  'assert.ok(Date.now() - startedAt < 2_000)',
  'const passedMs = () => performance.now() - startedAt',
  'const startedAt = performance.now()',
  "import { setTimeout as sleep } from 'node:timers/promises'",
  'const chosen = Math.random()',
  'fc.assert(property, { seed: Date.now() })',
  'const seed = Date.now()',
  'const seed = Number(given ?? Date.now())',
  "assert.ok(Math.abs(signedAt - Date.now()) < HOUR_MS, 'receivers refuse it')",
  'assert.ok(atMs - leastMs <= 2 * nearMs(leastMs, Date.now()))',
  'assert.equal(new Date().getHours(), 12)',
  'await new Promise((resolve) => setTimeout(resolve, 50))',
  'await new Promise<void>((done) => { setTimeout(() => done(), PAUSE_MS) })',
  'const { promise, resolve: goOn } = Promise.withResolvers<void>(); setTimeout(goOn, 50)',
  'const late = Promise.withResolvers<void>(); setTimeout(() => late.resolve(), 50)',
  "import { freePort } from './support/service-process.ts'",
  'const service = await startService({ ...readConfig({ PORT: zero }), passwordCost })',
  "await until('it is there', isThere, 5_000)",
  "const PATIENCE_MS = 29_999; await until('it is there', isThere, PATIENCE_MS)",
]
const ALLOWED = [
  "await until('it is there', isThere)",
  "await until('it is there', isThere, 30_000)",
  'const expiresAt = new Date(Date.now() + 60_000)',
  'const begunAt = new Date(Date.now() - 60_000)',
  'const budget = memoryBudget(() => performance.now() + passedMs)',
  "import { setImmediate } from 'node:timers/promises'",
  'const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs }',
  'const seed = Number(process.env.SEED ?? SEED)',
  'setTimeout(() => socket.resume(), PACE_MS)',
  'await new Promise((resolve) => server.listen(0, resolve))',
  'const config = readConfig({ PORT })',
]

function check(files: Record<string, string>): string[] {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'clocks-'))
  for (const [name, code] of Object.entries(files)) {
    fs.mkdirSync(path.join(root, path.dirname(name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), code)
  }
  const found = findClocks(root)
  fs.rmSync(root, { recursive: true })
  return found
}

for (const line of REFUSED)
  test(`refused in a test: ${line}`, () => {
    const [found, ...more] = check({ 'test/odd.test.ts': `export {}\n${line}\n` })
    assert.match(found ?? '', /^test\/odd\.test\.ts:2 /)
    assert.deepEqual(more, [])
  })

test('what knows no clock is allowed, and so is everything in a nightly test', () => {
  assert.deepEqual(check({ 'test/even.test.ts': ALLOWED.join('\n') }), [])
  assert.deepEqual(check({ 'test/odd.nightly.test.ts': REFUSED.join('\n') }), [])
})

test('a helper is held to it where a test of the gate imports it, itself or through another one', () => {
  const helper = { 'test/support/waits.ts': 'export const chosen = Math.random()' }
  const between = { 'test/support/between.ts': "export { chosen } from './waits.ts'" }
  const test = "import { chosen } from './support/between.ts'\nchosen.toFixed()"
  assert.deepEqual(check({ ...helper, ...between, 'test/it.nightly.test.ts': test }), [])
  const found = check({ ...helper, ...between, 'test/it.test.ts': test })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /^test\/support\/waits\.ts:1 draws by chance/)
})

test('only helpers with a reason may choose a port or start a service by its own settings', () => {
  const ports = "import { freePort } from '../support/service-process.ts'"
  const settings = 'export const testConfig = (env) => readConfig({ ...USUAL, ...env })'
  const gate = "import '../rehearsal/rehearsal.ts'\nimport '../support/settings.ts'"
  const helpers = { 'test/rehearsal/rehearsal.ts': ports, 'test/support/settings.ts': settings }
  assert.deepEqual(check({ ...helpers, 'test/spec/it.test.ts': gate }), [])
})

const FIXED = [
  'const WAIT_MS = 20_000; places.acquire(share, AbortSignal.timeout(WAIT_MS))',
  'setTimeout(() => late.abort(), 5_000)',
  'const SECOND_MS = 1_000; setTimeout(tooLate, 5 * SECOND_MS)',
  "import { setTimeout as sleep } from 'node:timers/promises'; await sleep(OF_ANOTHER_FILE_MS)",
  'const untilMs = performance.now() + BUILD_MS + SEARCH_MS',
  'const PIECE_MS = 5_000; ask(path, { deadlineMs: PIECE_MS })',
  'const { video, waitSeconds: seconds = MCP_WAIT_SECONDS } = asked',
  'function open({ writeMs = WRITE_MS }) { run(name, { deadlineMs: writeMs }) }',
  'new Stripe(key, { timeout: LIMITS.paymentMs })',
  'const { documentMs } = OAUTH_LIMITS; AbortSignal.timeout(documentMs)',
  'const BUSY_MS = 5_000; db.exec(`pragma busy_timeout = ${BUSY_MS}; pragma x = 1`)',
  "client.query('set local statement_timeout = 5000')",
  "client.query(`set local lock_timeout = '${LOCK_SECONDS}s'`)",
]
const REACHED = [
  'places.acquire(share, AbortSignal.timeout(deadlines.passwordTurnMs))',
  'const untilMs = performance.now() + deadlines.searchMs',
  'ask(path, { deadlineMs: timeLeftMs() })',
  'setTimeout(caller.leave, waitMs)',
  'setTimeout(next, 0)',
  'const LOOK_MS = 1_000; startLoop(look, { everyMs: LOOK_MS })',
  'const left = Math.min(deadlines.agentPreviewMs, LIMITS.agentWaitSeconds * 1000)',
  "client.query('set local statement_timeout = 0')",
]

for (const line of FIXED)
  test(`a deadline that no setting reaches: ${line}`, () => {
    for (const folder of ['src/features/search', 'src/mcp']) {
      const found = check({ [`${folder}/odd.ts`]: `export {}\n${line}\n` })
      assert.ok(found.length > 0)
      for (const sentence of found)
        assert.match(sentence, /^src\/\S+\/odd\.ts:2 .* is a deadline that no setting reaches/)
    }
    assert.deepEqual(check({ 'src/kit/odd.ts': line, 'src/features/odd.test.ts': '' }), [])
  })

test('deadlines that are handed in, periods, and no deadline at all are allowed', () => {
  assert.deepEqual(check({ 'src/features/even.ts': REACHED.join('\n') }), [])
})

test('a deadline that is kept with a reason is allowed, and its row goes with it', () => {
  const file = 'src/features/webhooks/sender.ts'
  const kept = 'const deadline = AbortSignal.timeout(LIMITS.deliveryMs)'
  assert.deepEqual(check({ [file]: kept }), [])
  const [found, ...more] = check({ [file]: 'export {}' })
  assert.match(
    found ?? '',
    /keeps src\/features\/webhooks\/sender\.ts LIMITS\.deliveryMs, which is gone/,
  )
  assert.deepEqual(more, [])
})
