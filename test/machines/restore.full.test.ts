/** The rehearsal of a restore: a running service is backed up, and goes on elsewhere as if nothing had happened. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startService } from '../../src/serve.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { testDatabase } from '../support/database.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { bareEnvironment } from '../support/service-process.ts'
import { testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { checkBooks, ofJob, untilDelivered } from './fleet.ts'

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-restore-'))
after(() => fs.rmSync(folder, { recursive: true }))

const { database, platform, service, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api', DATABASE_POOL: '5' } },
)

/** Runs an operator's command on a database; returns its exit code and the JSON it printed. */
async function admin(databaseUrl: string, ...words: string[]) {
  const child = spawn(process.execPath, [MAIN, 'admin', ...words, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...bareEnvironment(), DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' },
  })
  let said = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, said, complaint }
}

test('a backup of a running service goes on in an empty database: money, files, repeats and jobs under way', async () => {
  const who = await customer()
  const worker = await another({ ROLES: 'worker', JOB_VIDEOS: '2', STOP_GRACE: '0' })
  const { job: done, rows } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 6 })
  holdAfter(platform, 4) // the job outlasts the seconds in which a busy machine starts the command
  const under = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 60 })
  await untilDelivered(database, under, 4)
  const file = path.join(folder, 'backup')
  const saved = await admin(database.url, 'backup', file)
  assert.deepEqual([saved.code, saved.complaint], [0, ''])
  assert.ok((JSON.parse(saved.said) as { rows: Record<string, number> }).rows['video_row']! > 6)
  platform.clear()
  const there = await who.waitsFor(under)
  await worker.close()

  const empty = await testDatabase({ after })
  const restored = await admin(empty.url, 'restore', file)
  assert.deepEqual([restored.code, restored.complaint], [0, ''])
  const again = await admin(empty.url, 'restore', file)
  assert.equal(again.code, 1, 'a second restore is refused')
  assert.match(again.complaint, /holds rows already/)
  assert.equal((await admin(empty.url, 'ledger', 'verify')).code, 0)

  const env = { DATABASE_URL: empty.url, PLATFORM_ORIGIN: platform.origin }
  const elsewhere = await startService(testConfig(env))
  const same = new Customer({
    address: elsewhere.address ?? '',
    accountId: who.accountId,
    apiKey: who.apiKey,
  })
  assert.ok((await ofJob<string>(empty, under['id'], 'state')) !== 'finished', 'it was under way')
  await until(
    'the job goes on',
    async () => (await ofJob(empty, under['id'], 'state')) === 'finished',
  )
  const here = await same.gets(`/jobs/${under['id']}`)
  assert.deepEqual(
    [here['progress'], here['billing']],
    [there['progress'], there['billing']],
    'it ends as it did at home',
  )
  assert.deepEqual(
    await same.readsRows(done).then((list) => list.map(({ text, status }) => [text, status])),
    rows.map(({ text, status }) => [text, status]),
  )
  assert.equal(await same.balance(), await who.balance())
  const { job: repeat } = await same.orders({ urls: ['@smallworkshop'], maxVideos: 6 })
  assert.ok(
    repeat['progress'].counts.unchanged > 0,
    'what was delivered before the backup is known',
  )
  await checkBooks(empty)
  await elsewhere.close()
  assert.ok(service.address !== null)
})
