/** A standby that must confirm is away: commits hang, the service says so, refuses at once, and goes on by itself. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startEmulator } from '../../emulator/server.ts'
import { startEmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { openDatabase } from '../../src/store/database.ts'
import { openReadiness, READINESS_KEPT_MS } from '../../src/store/readiness.ts'
import { deadlinesOf } from '../../src/config/config.ts'
import { startService } from '../../src/serve.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { holdAfter } from '../support/held-platform.ts'
import { liftLimits } from '../support/rate-limits.ts'
import { TEST_DEADLINES, testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'

/** Looks and refused orders, each of which would hold a session if it waited for a commit. */
const ROUNDS = 30

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-standby-'))
const quiet = { info: () => undefined, warn: () => undefined }
const server = await startEmbeddedPostgres({ dataDir, log: quiet })
const admin = openDatabase({ url: server.url, connectionsMax: 2, name: 'admin' })
after(async () => {
  await awaitStandby(false)
  await admin.close()
  await server.stop()
  fs.rmSync(dataDir, { recursive: true })
})

/** Makes commits wait for a standby that never comes, as when the one that must confirm is away; or no more. */
async function awaitStandby(isOn: boolean): Promise<void> {
  const how = isOn ? "set synchronous_standby_names = 'nobody'" : 'reset synchronous_standby_names'
  await admin.pool.query(`alter system ${how}`)
  await admin.pool.query('select pg_reload_conf()')
  const names = isOn ? 'nobody' : ''
  await until('the setting is read', async () => {
    const { rows } = await admin.pool.query('show synchronous_standby_names')
    return rows[0]?.synchronous_standby_names === names
  })
}

async function countWaiting(): Promise<number> {
  const { rows } = await admin.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep'`,
  )
  return rows[0]?.count ?? 0
}

test('while commits hang it is not ready, reads, refuses orders at once, and no sessions pile up', async () => {
  const platform = await startEmulator({})
  const settings = { DATABASE_URL: server.url, DATA_DIR: dataDir, PLATFORM_ORIGIN: platform.origin }
  const service = await startService(
    testConfig({ ...settings, DATABASE_PATIENCE: '1', JOB_VIDEOS: '2' }),
  )
  const account = await createAccountWithKey(admin.db, {
    email: 'one@example.org',
    micros: 10_000_000n,
  })
  await liftLimits(admin.pool, account.accountId)
  const who = new Customer({ address: service.address ?? '', ...account })
  holdAfter(platform, 5)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 30 })
  const delivered = async () => (await who.gets(`/jobs/${job['id']}`))['progress'].delivered
  await until('some rows are there', async () => (await delivered()) >= 5)
  const readiness = (): Promise<Response> => fetch(`${service.address}/readyz`)
  assert.equal((await readiness()).status, 200)

  await awaitStandby(true)
  platform.clear()
  await until('it tells that it is not ready, and why', async () => {
    const reply = await readiness()
    return reply.status === 503 && /commits do not return: the standby/.test(await reply.text())
  })
  const waiting = await countWaiting()
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = { urls: ['@smallworkshop'], maxVideos: 1 }
    const { status, headers } = await who.asks('POST', '/jobs', { body })
    assert.equal(status, 503)
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(
      (await who.asks('GET', `/jobs/${job['id']}`)).status,
      200,
      'what was written is read',
    )
    assert.equal((await readiness()).status, 503)
  }
  assert.ok((await countWaiting()) <= waiting + 2, 'refused orders wait for no standby')
  const text = await (await fetch(`${service.address}/metrics`)).text()
  assert.match(text, /\nscriptorium_ready 0\n/)
  assert.match(text, /\nscriptorium_commits_hang 1\n/)

  await awaitStandby(false)
  await until('it is ready again', async () => (await readiness()).status === 200)
  const ended = await who.waitsFor(job)
  assert.equal(ended['state'], 'finished', ended['error'])
  assert.equal(ended['progress'].processed - ended['progress'].counts.truncated, 30)
  const { rows } = await admin.pool.query('select lost_attempts as lost from job where id = $1', [
    job['id'],
  ])
  assert.deepEqual(rows, [{ lost: 0 }])
  await service.close()
  await platform.close()
})

test('a position is told once its commit is confirmed, and never where the wait was cancelled', async () => {
  const told: string[] = []
  const open = () => openDatabase({ url: server.url, connectionsMax: 2, name: 'readiness' })
  const deadlines = { ...TEST_DEADLINES, commitMs: deadlinesOf(1).commitMs }
  let nowMs = 0 // no answer is kept
  const clock = (): number => (nowMs += READINESS_KEPT_MS)
  const onConfirmed = ({ position }: { position: string }): unknown => told.push(position)
  const readiness = openReadiness({ open, deadlines, onConfirmed, clock })
  assert.deepEqual(await readiness.look(), [])
  assert.equal(told.length, 1)

  await awaitStandby(true)
  const hanging = readiness.look()
  await until('its commit waits', async () => (await countWaiting()) === 1)
  await admin.pool.query(
    `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
  )
  assert.match((await hanging).join(), /not confirmed/)
  assert.equal(told.length, 1)

  assert.match((await readiness.look()).join(), /commits do not return/)
  for (let round = 0; round < ROUNDS; round += 1)
    assert.match((await readiness.look()).join(), /commits do not return/)
  assert.equal(await countWaiting(), 1, 'the one commit is waited for, and not repeated')
  assert.equal(readiness.commitsHang(), true)
  await awaitStandby(false)
  await until('it has returned', () => !readiness.commitsHang())
  assert.deepEqual(await readiness.look(), [])
  const { rows } = await admin.pool.query('select $1::pg_lsn < $2::pg_lsn as rises', [
    told[0],
    told.at(-1),
  ])
  assert.deepEqual(rows, [{ rises: true }])
  await readiness.close()
})
