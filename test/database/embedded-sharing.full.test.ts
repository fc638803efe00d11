/** The embedded PostgreSQL in real processes: shared, adopted, started again, and its plain refusals. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { isAlive } from '../../src/kit/postgres/embedded/processes.ts'
import { startEmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import {
  IS_ROOT,
  NOBODY,
  serverPid,
  startProcess,
  temporaryFolder,
} from '../support/embedded-process.ts'
import { intrude } from '../support/intruder-process.ts'
import { until } from '../support/until.ts'

const SILENT = { info: () => undefined, warn: () => undefined }

test('two processes share a server, and the last one out stops it', async (t) => {
  const dataDir = path.join(temporaryFolder(t), 'a folder with spaces, “quotes” & ümlauts')
  const first = await startProcess(dataDir)
  await first.query('create table fact as select 42 as it')
  const second = await startProcess(dataDir)

  const pid = serverPid(dataDir)
  await first.stop()
  assert.equal(serverPid(dataDir), pid, 'the second one still uses it')
  assert.deepEqual(await second.query('select it from fact'), [{ it: 42 }])
  await second.stop()
  assert.equal(serverPid(dataDir), null)

  const again = await startProcess(dataDir)
  assert.deepEqual(await again.query('select it from fact'), [{ it: 42 }])
  await again.stop()
})

test('a process whose server is killed starts it again and finds every row', async (t) => {
  const dataDir = temporaryFolder(t)
  const [one, other] = [await startProcess(dataDir), await startProcess(dataDir)]
  await one.query('create table fact as select 42 as it')
  const pid = serverPid(dataDir)!
  process.kill(pid, 'SIGKILL')
  await until('the server is gone', () => !isAlive(pid))

  await Promise.all([one.ensureRunning(), other.ensureRunning()])
  assert.notEqual(serverPid(dataDir), pid)
  assert.deepEqual(await other.query('select it from fact'), [{ it: 42 }])
  await Promise.all([one.stop(), other.stop()])
  assert.equal(serverPid(dataDir), null)
})

test('a data folder that cannot be used is refused in one sentence', async (t) => {
  const folder = temporaryFolder(t)
  const write = (name: string, content: string) => {
    fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), content)
  }
  write('foreign/postgres/notes.txt', 'mine')
  write('old/postgres/PG_VERSION', '17\n')
  write('file', '')
  for (const name of ['foreign', 'old']) {
    if (IS_ROOT) fs.chownSync(path.join(folder, name, 'postgres'), NOBODY.uid, NOBODY.gid)
  }
  const cases = [
    [
      'foreign',
      /contains files that are not a database \(notes\.txt\): move them away or set DATA_DIR$/,
    ],
    [
      'old',
      /was created by PostgreSQL 17, but this program contains PostgreSQL 18: .*`admin backup FILE` of the release.* set DATA_DIR .*`admin restore FILE`/,
    ],
    ['file', /file is not a folder: remove what is there or set DATA_DIR$/],
  ] as const
  for (const [name, message] of cases) {
    const start = startEmbeddedPostgres({ dataDir: path.join(folder, name), log: SILENT })
    await assert.rejects(start, { name: 'DataFolderError', message })
  }
  assert.equal(fs.readFileSync(path.join(folder, 'foreign/postgres/notes.txt'), 'utf8'), 'mine')
})

const passwordFile = (dataDir: string): string => path.join(dataDir, 'postgres-password')
const rulesFile = (dataDir: string): string => path.join(dataDir, 'postgres', 'pg_hba.conf')
const REFUSED = { guess: '28P01' }

test('the database asks everybody for the password, which only the service may read', async (t) => {
  const dataDir = temporaryFolder(t)
  const one = await startProcess(dataDir)
  assert.equal(fs.statSync(passwordFile(dataDir)).mode & 0o777, 0o600)
  assert.doesNotMatch(fs.readFileSync(rulesFile(dataDir), 'utf8'), /trust/)
  const { trust, guess } = intrude(dataDir, IS_ROOT ? NOBODY : null)
  assert.notEqual(trust, 'in')
  assert.equal(guess, REFUSED.guess)
  if (IS_ROOT)
    assert.equal(
      intrude(dataDir, NOBODY).file,
      'EACCES',
      'the server itself, and what runs as its user, cannot read it',
    )
  const password = fs.readFileSync(passwordFile(dataDir), 'utf8').trim()
  assert.ok(one.url.includes(password))
  assert.ok(!fs.readFileSync(path.join(dataDir, 'postgres.log'), 'utf8').includes(password))
  await one.stop()
})
