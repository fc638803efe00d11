/** The embedded PostgreSQL after killed processes, in odd folders and without its password. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { startEmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import {
  IS_ROOT,
  NOBODY,
  serverPid,
  startProcess,
  temporaryFolder,
} from '../support/embedded-process.ts'
import { intrude } from '../support/intruder-process.ts'

const SILENT = { info: () => undefined, warn: () => undefined }
const AS_SERVER = IS_ROOT ? NOBODY : {}

test('a server that outlived its killed process is joined by the next one', async (t) => {
  const dataDir = temporaryFolder(t)
  const killed = await startProcess(dataDir)
  await killed.query('create table fact as select 42 as it')
  const pid = serverPid(dataDir)
  await killed.kill()

  const next = await startProcess(dataDir)
  assert.equal(serverPid(dataDir), pid)
  assert.deepEqual(await next.query('select it from fact'), [{ it: 42 }])
  await next.stop()
  assert.equal(serverPid(dataDir), null, 'the killed process is not counted as a user')
})

/** Program that writes files until their folder is gone, or there are enough. */
const STUBBORN = `const fs = require('node:fs')
process.send('writing')
try {
  for (let count = 0; count < 5_000; count += 1) fs.writeFileSync(process.argv[1] + '/' + count, '')
} catch {}
process.disconnect()`

test('a start waits for an initdb that outlived its killed process and still writes', async (t) => {
  const dataDir = temporaryFolder(t)
  const unfinished = path.join(dataDir, 'postgres.new-0123456789ab')
  fs.mkdirSync(unfinished)
  const writer = spawn(process.execPath, ['-e', STUBBORN, unfinished], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = once(writer, 'exit')
  await once(writer, 'message')
  const next = await startProcess(dataDir)
  assert(!fs.existsSync(unfinished))
  await next.stop()
  await gone
})

test('a data folder with a path too long for a socket works', async (t) => {
  const dataDir = path.join(temporaryFolder(t), 'x'.repeat(120))
  const server = await startEmbeddedPostgres({ dataDir, log: SILENT })
  const folder = new URL(server.url).searchParams.get('host')!
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const mode = fs.statSync(folder).mode & 0o777
  const other = await startProcess(dataDir)
  assert.deepEqual(await other.query('select 42 as it'), [{ it: 42 }])
  await Promise.all([server.stop(), other.stop()])
  assert.equal(mode, 0o700)
  assert.equal(serverPid(dataDir), null)
})

test('the lock of a dead server does not stop a start, whoever has its process id now', async (t) => {
  const dataDir = temporaryFolder(t)
  const before = await startProcess(dataDir)
  await before.query('create table fact as select 42 as it')
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid')
  const [, ...rest] = fs.readFileSync(pidFile, 'utf8').split('\n')
  await before.stop()

  for (const script of ['echo $$; exec sleep 600', 'true & echo $!; exec sleep 600']) {
    const other = spawn('/bin/sh', ['-c', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
      ...AS_SERVER,
    })
    t.after(() => other.kill())
    const [pid] = await once(other.stdout, 'data')
    fs.writeFileSync(pidFile, [String(pid).trim(), ...rest].join('\n'))
    const after = await startProcess(dataDir)
    assert.deepEqual(await after.query('select it from fact'), [{ it: 42 }])
    await after.stop()
    other.kill()
  }
})

const passwordFile = (dataDir: string): string => path.join(dataDir, 'postgres-password')
const rulesFile = (dataDir: string): string => path.join(dataDir, 'postgres', 'pg_hba.conf')
/** Rules of a cluster of an older version, or of a start that was killed half way. */
const TRUST = 'local all all trust\n'
const REFUSED = { guess: '28P01' }

test('a data folder of an older version gets its password at the next start, and keeps every row', async (t) => {
  const dataDir = temporaryFolder(t)
  const old = await startProcess(dataDir)
  await old.query('create table fact as select 42 as it')
  await old.query('alter role scriptorium password null')
  await old.stop()
  const restarts: [string, () => void][] = [
    ['an old folder', () => fs.rmSync(passwordFile(dataDir))],
    ['killed before the password was set', () => fs.writeFileSync(rulesFile(dataDir), TRUST)],
    ['a password file that was removed', () => fs.rmSync(passwordFile(dataDir))],
  ]
  fs.writeFileSync(rulesFile(dataDir), TRUST)
  for (const [what, damage] of restarts) {
    damage()
    const one = await startProcess(dataDir)
    assert.deepEqual(await one.query('select it from fact'), [{ it: 42 }], what)
    assert.equal(intrude(dataDir, IS_ROOT ? NOBODY : null).guess, REFUSED.guess, what)
    assert.deepEqual(
      fs.readdirSync(dataDir).filter((name) => /^postgres-(rules|password)\./.test(name)),
      [],
      what,
    )
    await one.stop()
  }
})

test("a password that is not the running database's is told in one sentence", async (t) => {
  const dataDir = temporaryFolder(t)
  const one = await startProcess(dataDir)
  fs.writeFileSync(passwordFile(dataDir), `${'0'.repeat(48)}\n`)
  await assert.rejects(
    startProcess(dataDir),
    /DataFolderError: the running database in .* stop every process of the service and start again$/,
  )
  fs.writeFileSync(passwordFile(dataDir), 'mine\n')
  await assert.rejects(
    startProcess(dataDir),
    /DataFolderError: .*postgres-password contains no password: .* remove the file and start again$/,
  )
  fs.rmSync(passwordFile(dataDir))
  await one.stop()
  const next = await startProcess(dataDir)
  assert.deepEqual(await next.query('select 42 as it'), [{ it: 42 }])
  await next.stop()
})
