/** A serving process whose embedded database dies: whoever notices starts it again, and a stop still ends all. */
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

/** Whether the server that the cluster's file names takes connections, as it says there itself. */
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
        const next = serverPid(dataDir) // between two servers: one that is gone, or nobody
        // /readyz may tell of the server before; the file tells of this one.
        return next !== null && next !== pid && isServing() && isRunning(next) && isReady()
      })
    }
    assert.ok(one.isAlive())
    assert.deepEqual(one.noise, [])

    process.kill(serverPid(dataDir) ?? 0, 'SIGQUIT')
    // Later than the grace and a margin it would end by force, which is no 0.
    assert.equal(await one.ends('SIGTERM'), 0, 'a stop in that moment ends in order too')
    await until('no server is left', () => serverPid(dataDir) === null)
  })
}
