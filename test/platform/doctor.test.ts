/** The doctor names what works, which client is refused and which route is blocked. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { type EmulatorOptions, startEmulator } from '../../emulator/server.ts'
import { examinePlatform } from '../../src/platform/doctor.ts'
import { type EgressRoute, readRoutes } from '../../src/platform/egress/route.ts'
import { openParts } from '../../src/platform/open-platform.ts'
import { localBudget, NEVER } from './near-platform.ts'

async function examined(
  t: TestContext,
  emulated: EmulatorOptions,
  routesOf: (exits: string[]) => EgressRoute[],
) {
  const emulator = await startEmulator(emulated)
  const parts = openParts({
    origin: emulator.origin,
    routes: routesOf(emulator.exits),
    budget: localBudget(),
    clients: null,
    now: () => new Date(),
    limits: { retryPauseMs: 1 },
  })
  t.after(async () => {
    await parts.routePool.close()
    await emulator.close()
  })
  const { lines, isHealthy } = await examinePlatform(parts, { channel: null, signal: NEVER })
  return { text: lines.join('\n'), isHealthy }
}

test('a healthy platform is called so, client by client', async (t) => {
  const { text, isHealthy } = await examined(t, {}, () => [])
  assert.ok(isHealthy)
  for (const client of ['VISIONOS', 'ANDROID', 'IOS', 'WEB_EMBEDDED_PLAYER', 'WEB']) {
    assert.match(text, new RegExp(`${client} [\\d.]+: works`), text)
  }
  assert.match(text, /lists \d+ videos/)
})

test('a retired client and a blocked route are named, in words that say what to do', async (t) => {
  const faults = [
    { do: 'sorry_page', identity: '127.0.0.3', on: 'browse' },
    { do: 'retired', client: 'VISIONOS' },
  ] as const
  const { text, isHealthy } = await examined(t, { exits: 2, faults }, (exits) => {
    return readRoutes(
      exits
        .map(
          (exit, at) => `${exit.replace('//', '//me:hidden@')}#name=exit${at}&ratePerMinute=60000`,
        )
        .join(' '),
    )
  })
  assert.ok(isHealthy, 'ANDROID still delivers through the first route')
  assert.match(text, /VISIONOS 1\.02: does not work\. .*no longer accepts/)
  assert.match(
    text,
    /Route exit1 \(proxy http:\/\/127\.0\.0\.1:\d+\):\n {2}.* cannot be listed\. is blocked/,
  )
  assert.match(text, /No longer accepted: VISIONOS/)
  assert.doesNotMatch(text, /hidden|me:/)
})

test('a platform that refuses everyone is not called healthy', async (t) => {
  const { text, isHealthy } = await examined(
    t,
    { faults: [{ do: 'bot_check', on: 'player' }] },
    () => [],
  )
  assert.equal(isHealthy, false)
  assert.match(text, /No route delivers transcripts/)
})
