/**
 * The disk under the embedded database is full for longer than a worker may be silent: everything waits, and goes on.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Customer } from '../../tools/conformance/customer.ts'
import { startEmulator } from '../../emulator/server.ts'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { openDatabase } from '../../src/store/database.ts'
import { startEmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { holdAfter } from '../support/held-platform.ts'
import { liftLimits } from '../support/rate-limits.ts'
import { launch, type ServiceProcess, untilReady } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const DISK_MB = 200
/** Twice the seconds that a worker may be silent, by the database's clock. */
const FULL_SECONDS = 20
const VIDEOS = 300
const REQUESTS = 50

const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-disk-'))
fs.chmodSync(disk, 0o755)
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'none', disk])
const skip = mounted.status === 0 ? false : 'mounting a small disk is refused here'
let service: ServiceProcess | null = null
after(() => {
  service?.child.kill('SIGKILL')
  if (skip === false) spawnSync('umount', ['--lazy', disk])
  fs.rmdirSync(disk)
})

test(
  'a full disk costs no attempt: requests are 503, jobs go on once there is room',
  { skip },
  async () => {
    const platform = await startEmulator({})
    holdAfter(platform, 5)
    const dataDir = path.join(disk, 'data')
    const one = launch({
      DATA_DIR: dataDir,
      PLATFORM_ORIGIN: platform.origin,
      JOB_VIDEOS: '4',
      JOB_ATTEMPTS: '1',
    })
    service = one
    await untilReady(one)
    const quiet = { info: () => undefined, warn: () => undefined }
    const server = await startEmbeddedPostgres({ dataDir, log: quiet })
    const database = openDatabase({ url: server.url, connectionsMax: 2, name: 'test' })
    const account = await createAccountWithKey(database.db, {
      email: 'one@example.org',
      micros: 10_000_000n,
    })
    await liftLimits(database.pool, account.accountId)
    const who = new Customer({ address: one.address, ...account })
    const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: VIDEOS })
    const look = async (): Promise<Record<string, number>> =>
      (await who.asks('GET', `/jobs/${job['id']}`)).body['progress']
    await until('some rows are there', async () => ((await look())['delivered'] ?? 0) >= 5)

    const ballast = path.join(disk, 'ballast')
    fill(ballast)
    platform.clear() // the worker writes until nothing fits, and fails
    const readiness = (): Promise<Response> => fetch(`${one.address}/readyz`)
    await until('it tells that it is not ready', async () => (await readiness()).status === 503)
    const { rows: begun } = await database.pool.query<{ at: Date }>(
      'select clock_timestamp() as at',
    )
    const statuses = new Set<number>()
    for (let asked = 0; asked < REQUESTS; asked += 1) {
      fill(ballast) // fills what the server has freed meanwhile
      const body = { urls: ['@smallworkshop'], maxVideos: 1 }
      const answer = await who.asks('POST', '/jobs', { body })
      statuses.add(answer.status)
      if (answer.status >= 500) assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    await until('it is full for longer than a worker may be silent', async () => {
      fill(ballast)
      const { rows } = await database.pool.query<{ isOver: boolean }>(
        'select clock_timestamp() > $1::timestamptz + make_interval(secs => $2) as "isOver"',
        [begun[0]?.at, FULL_SECONDS],
      )
      return rows[0]?.isOver === true
    })
    assert.ok(!statuses.has(500), [...statuses].join())
    assert.equal((await readiness()).status, 503)

    fs.rmSync(ballast)
    await until('it is ready again', async () => (await readiness()).status === 200)
    const ended = await who.waitsFor(job)
    assert.equal(ended['state'], 'finished', ended['error'])
    assert.equal(ended['progress'].processed - ended['progress'].counts.truncated, VIDEOS)
    const { rows } = await database.pool.query(
      'select attempt, lost_attempts as lost from job where id = $1',
      [job['id']],
    )
    assert.deepEqual(rows, [{ attempt: 1, lost: 0 }])

    await database.close()
    await server.stop()
    assert.equal(await one.ends('SIGTERM'), 0)
    await platform.close()
  },
)

/** Writes until nothing more fits. */
function fill(file: string): void {
  const into = fs.openSync(file, 'a')
  try {
    for (let bytes = 1024 * 1024; bytes >= 4096;) {
      try {
        if (fs.writeSync(into, Buffer.alloc(bytes)) < bytes) bytes /= 2
      } catch {
        bytes /= 2
      }
    }
  } finally {
    fs.closeSync(into)
  }
}
