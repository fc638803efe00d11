/** `npm start` says on a terminal how the platform is: in one line, beside the work, and never in its way. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { pino } from 'pino'
import type { FaultRule } from '../../emulator/faults.ts'
import { startEmulator } from '../../emulator/server.ts'
import { startVerdict, tellsVerdict } from '../../src/start-verdict.ts'
import { testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { localBudget } from './near-platform.ts'

function begin(origin: string) {
  const printed: string[] = []
  const end = startVerdict(
    {
      config: testConfig({ PLATFORM_ORIGIN: origin }),
      budget: localBudget(),
      now: () => new Date(),
      log: pino({ level: 'silent' }),
    },
    (line) => void printed.push(line),
  )
  return { printed, end }
}

async function lineOf(t: TestContext, faults: FaultRule[]): Promise<string> {
  const emulator = await startEmulator({ faults })
  t.after(() => emulator.close())
  const { printed, end } = begin(emulator.origin)
  await until('a line is printed', () => printed.length > 0)
  await end()
  assert.equal(printed.length, 1)
  return printed[0] ?? ''
}

test('only a worker that asks the platform itself tells it, and only people', () => {
  const real = testConfig({})
  assert.equal(tellsVerdict(real, true), true)
  assert.equal(tellsVerdict(real, false), false)
  assert.equal(tellsVerdict(testConfig({ ROLES: 'api' }), true), false)
  assert.equal(tellsVerdict(testConfig({ PLATFORM_ORIGIN: 'http://127.0.0.1:1' }), true), false)
})

test('the line says the verdict, and what says more', async (t) => {
  const healthy = await lineOf(t, [])
  assert.equal(healthy, '  Platform  healthy: every client delivers on every route\n\n')
  const degraded = await lineOf(t, [{ do: 'retired', client: 'IOS' }])
  assert.match(
    degraded,
    /^ {2}Platform {2}degraded: .*; npm run --silent admin -- doctor says more/,
  )
  const checked = await lineOf(t, [{ do: 'bot_check', on: 'player' }])
  assert.match(checked, /^ {2}Platform {2}down: this looks like the address of a data centre: /)
})

test('a platform out of reach is told as that', async () => {
  const { printed, end } = begin('http://127.0.0.1:1')
  await until('a line is printed', () => printed.length > 0)
  await end()
  assert.match(
    printed[0] ?? '',
    /^ {2}Platform {2}down: the platform could not be reached; npm run/,
  )
})

test('a stop ends it, and nothing is printed', async (t) => {
  const emulator = await startEmulator({ faults: [{ do: 'hold' }] })
  t.after(() => emulator.close())
  const { printed, end } = begin(emulator.origin)
  await until('it asks', () => emulator.log.counts().inFlightMax > 0)
  await end()
  assert.deepEqual(printed, [])
})
