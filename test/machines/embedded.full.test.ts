/**
 * A serving process whose embedded database dies: the process that notices starts it again, and a stop still ends all.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { serverPid } from '../support/embedded-process.ts'
import { isRunning, launch, type ServiceProcess, untilReady } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-embedded-'))
fs.chmodSync(dataDir, 0o755)
const started: ServiceProcess[] = []
after(async () => {
  await Promise.all(started.map((one) => one.ends('SIGKILL')))
  const pid = serverPid(dataDir)
  if (pid !== null) process.kill(pid, 'SIGQUIT')
  fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

/** Returns whether the server in the cluster's file takes connections, by its own word there. */
function isServing(): boolean {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid')
  return fs.existsSync(file) && /^ready\s*$/m.test(fs.readFileSync(file, 'utf8'))
}

for (const ROLES of ['api', 'api,worker']) {
  test(`a process with ROLES=${ROLES} outlives its embedded database, again and again`, async () => {
    const one = launch({ ROLES, DATA_DIR: dataDir })
    started.push(one)
    await untilReady(one)
    const isReady = async (): Promise<boolean> =>
      (await fetch(`${one.address}/readyz`)).status === 200
    for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
      const pid = serverPid(dataDir)
      assert.ok(pid !== null)
      process.kill(pid, signal)
      await until('another server answers', async () => {
        const next = serverPid(dataDir) // between two servers it is a dead one or null
        // /readyz may be about the previous server; the file is about this one.
        return next !== null && next !== pid && isServing() && isRunning(next) && isReady()
      })
    }
    assert.ok(one.isAlive())
    assert.deepEqual(one.noise, [])

    process.kill(serverPid(dataDir) ?? 0, 'SIGQUIT')
    // A stop that outlasts the grace and a margin would end by force, with another code than 0.
    assert.equal(await one.ends('SIGTERM'), 0, 'a stop in that moment ends in order too')
    await until('no server is left', () => serverPid(dataDir) === null)
  })
}
