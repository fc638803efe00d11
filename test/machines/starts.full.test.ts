/** The first and last moments of a process: a failed start leaves nothing, a stop is announced. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { launch } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { openFleet } from './fleet.ts'

const fleet = await openFleet({ after })

/** Returns the output of a process that cannot start, and its data folder. */
async function failingStart(
  t: TestContext,
  env: Record<string, string>,
): Promise<{ said: string; dataDir: string }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-start-'))
  fs.chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'data')
  const one = launch({ DATA_DIR: dataDir, ...env })
  t.after(() => {
    one.child.kill('SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true })
  })
  if (one.isAlive()) await once(one.child, 'exit')
  assert.equal(one.child.exitCode, 1)
  return { said: one.noise.join('\n'), dataDir }
}

for (const [name, wrong] of [
  ['EGRESS_ROUTES', { EGRESS_ROUTES: 'direct,nonsense' }],
  ['PLATFORM_CLIENTS', { PLATFORM_CLIENTS: '/nowhere/clients.json' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://me@db.example/x' }],
  ['LEGAL_DIR', { LEGAL_DIR: '/nowhere' }],
  ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_test_1' }],
  ['SECURITY_EXPIRES', { SECURITY_CONTACT: 'mailto:a@example.org' }],
  ['OIDC_CLIENT_SECRET', { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'texts' }],
] as const) {
  test(`a wrong or missing ${name} is told before a database is made`, async (t) => {
    const { said, dataDir } = await failingStart(t, wrong)
    assert.match(said, new RegExp(`^scriptorium: ${name}\\b`))
    assert.equal(fs.existsSync(dataDir), false)
  })
}

test('a start that fails after its database was started leaves no server behind', async (t) => {
  const taken = net.createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = taken.address() as net.AddressInfo
  const { said, dataDir } = await failingStart(t, { PORT: String(port) })
  assert.match(said, /^scriptorium: PORT \d+ on 127\.0\.0\.1 is in use/)
  assert.equal(fs.existsSync(path.join(dataDir, 'postgres')), true)
  assert.equal(fs.existsSync(path.join(dataDir, 'postgres', 'postmaster.pid')), false)
})

test('a stopping process is not ready at first, still answers, and only then closes its port', async () => {
  const preload = path.join(import.meta.dirname, 'notice-process.ts')
  const one = await fleet.start({ ROLES: 'api', STOP_NOTICE: '600' }, { preload })
  const who = await fleet.customer(one)
  assert.equal((await fetch(`${one.address}/readyz`)).status, 200)
  const exit = one.ends('SIGTERM')
  await until('it is not ready', async () => (await fetch(`${one.address}/readyz`)).status === 503)
  assert.match(await (await fetch(`${one.address}/readyz`)).text(), /stopping/)
  assert.equal((await who.asks('GET', '/balance')).status, 200)
  assert.deepEqual(await one.asks('the notice is over'), { wasWaiting: true })
  assert.equal(await exit, 0)
  await assert.rejects(fetch(`${one.address}/readyz`))
})
