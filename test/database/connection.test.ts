/** A wrong DATABASE_URL is refused at once, by one sentence that names the database and no password. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { openDatabaseContext } from '../../src/open-context.ts'
import { nameOfDatabase } from '../../src/kit/postgres/connection.ts'
import { startEmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { testDatabase } from '../support/database.ts'
import { openGate } from '../machines/gate.ts'
import { needs } from '../support/needs.ts'
import { testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'

const SECRET = 's3cret~word'
/** Bound of the wait; the wrong behaviour would wait for ever. */
const WAITING_MS_MAX = 30_000
/** Port of the poolers' sockets, each in a folder of its own. */
const POOLER_PORT = 6432

/** Returns the refusal of a start that opens its database as `serve` does, which would wait for a silent server. */
async function refusalOf(url: string): Promise<string> {
  const waits = AbortSignal.timeout(WAITING_MS_MAX)
  const opening = (async () => openDatabaseContext(testConfig({ DATABASE_URL: url }), { waits }))()
  const error: unknown = await opening.then(
    (context) => context.close(),
    (refusal: unknown) => refusal,
  )
  assert.ok(error instanceof Error && error.name !== 'AbortError', `it waits for ${url}`)
  assert.doesNotMatch(error.message, new RegExp(SECRET))
  return error.message
}

test('a URL of another scheme, or none at all, is refused', async () => {
  for (const url of [
    `mysql://me:${SECRET}@db.example/scriptorium`,
    `http://me:${SECRET}@db.example`,
    'db.example:5432',
    `postgres://me:${SECRET}#more@db example/x`,
  ])
    assert.match(await refusalOf(url), /^DATABASE_URL must be a URL such as postgres:\/\//, url)
  for (const url of ['postgres://me@/scriptorium?host=/tmp', 'postgresql://db.example/scriptorium'])
    assert.equal(testConfig({ DATABASE_URL: url }).DATABASE_URL, url)
})

test('a database is named by its place, its name and its user', () => {
  assert.equal(
    nameOfDatabase(`postgres://me:${SECRET}@db.example/books?sslmode=require`),
    'database "books" at db.example:5432 as "me"',
  )
  assert.equal(nameOfDatabase('postgres://me@/books?host=/tmp'), 'database "books" at /tmp as "me"')
})

/** Returns a database whose server asks for a password: the tests' own server may trust every user. */
async function guardedUrl(t: TestContext): Promise<string> {
  const { url } = await testDatabase(t)
  if (new URL(url).password !== '') return url
  const log = { info: () => undefined, warn: () => undefined }
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-guarded-'))
  const server = await startEmbeddedPostgres({ dataDir, log, fsync: false })
  t.after(async () => {
    await server.stop()
    fs.rmSync(dataDir, { recursive: true })
  })
  return server.url
}

test('what the server refuses is said in one sentence', async (t) => {
  const guarded = await guardedUrl(t)
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(guarded)
    change(url)
    return url.href
  }
  const nameless = changed((url) => (url.password = ''))
  assert.match(
    await refusalOf(nameless),
    /^DATABASE_URL \(database ".*asks for a password and the URL has none/,
  )
  const wrong = changed((url) => (url.password = SECRET))
  assert.match(await refusalOf(wrong), /^DATABASE_URL .*refuses the password/)
  const nowhere = changed((url) => (url.pathname = '/nowhere'))
  assert.match(await refusalOf(nowhere), /^DATABASE_URL \(database "nowhere".*no such database/)
})

/** Starts pgbouncer in front of the test's database, with these settings. */
async function startPooler(t: TestContext, databaseUrl: string, settings: string): Promise<string> {
  // The gate is used because the pooler's user may not open the folder with the server's socket.
  const gate = await openGate(databaseUrl)
  const { searchParams, username, password, pathname } = new URL(gate.url)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-pooler-'))
  const name = pathname.slice(1)
  fs.chmodSync(folder, 0o777)
  fs.writeFileSync(path.join(folder, 'users'), `"${username}" "${SECRET}"\n`)
  fs.writeFileSync(
    path.join(folder, 'pgbouncer.ini'),
    `[databases]
${name} = host=${searchParams.get('host')} port=${searchParams.get('port')} user=${username}${password === '' ? '' : ` password=${password}`}
[pgbouncer]
listen_addr =
listen_port = ${POOLER_PORT}
unix_socket_dir = ${folder}
auth_type = plain
auth_file = ${path.join(folder, 'users')}
${settings}
`,
  )
  const asNobody = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const pooler = spawn('pgbouncer', [path.join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...asNobody,
  })
  t.after(() => {
    pooler.kill('SIGKILL')
    void gate.close()
    fs.rmSync(folder, { recursive: true })
  })
  let said = ''
  pooler.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  await until('the pooler listens', () => said.includes('process up'))
  return `postgres://${username}:${SECRET}@localhost/${name}?host=${folder}&port=${POOLER_PORT}`
}

const IGNORE =
  'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout'

test('a pooler in transaction mode is refused at the start', needs('pgbouncer'), async (t) => {
  const database = await testDatabase(t)
  const url = await startPooler(t, database.url, `pool_mode = transaction\n${IGNORE}`)
  assert.match(await refusalOf(url), /^DATABASE_URL .*pooler in transaction mode/)
})

test(
  'a pooler of sessions serves where it takes our settings, and is refused where not',
  needs('pgbouncer'),
  async (t) => {
    const database = await testDatabase(t)
    assert.match(
      await refusalOf(await startPooler(t, database.url, '')),
      /takes no session settings/,
    )
    const url = await startPooler(t, database.url, `pool_mode = session\n${IGNORE}`)
    const context = await openDatabaseContext(testConfig({ DATABASE_URL: url }))
    await context.close()
  },
)
