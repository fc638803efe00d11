/** Signals: sent after the commit, never without it, and several in one statement where there are many. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '../../src/kit/postgres/database.ts'
import { type Db, openDatabase, type Tx } from '../../src/store/database.ts'
import { signal, SIGNALS_AT_ONCE, SIGNALS_EVERY_MS } from '../../src/store/signals.ts'
import { testDatabase } from '../support/database.ts'
import { serversOf } from '../support/servers.ts'
import { recordStatements } from '../support/statements.ts'
import { ticking, until } from '../support/until.ts'

const database = await testDatabase({ after })
const { db } = database
const listener = await database.connect()
await listener.query('listen scriptorium_job')
const heard: string[] = []
listener.on('notification', ({ payload }) => heard.push(payload?.replace(/^\w+ /, '') ?? ''))

/** Record of the statements with a NOTIFY. */
const log = recordStatements()
after(() => log.stop())
let before = 0
const notices = (): number => log.countOf('pg_notify') - before

const write = (tx: Tx): Promise<unknown> => sql`select pg_current_xact_id()`.execute(tx)

test('a signal is sent when its transaction has committed, and not when it was undone', async () => {
  await transact(db, async (tx) => {
    signal(tx, 'scriptorium_job', 'early')
    await write(tx)
    assert.equal(notices(), 0)
  })
  await until('it is heard', () => heard.includes('early'))
  await assert.rejects(
    transact(db, async (tx) => {
      signal(tx, 'scriptorium_job', 'undone')
      await write(tx)
      throw new Error('it is undone')
    }),
    /it is undone/,
  )
  await transact(db, async (tx) => signal(tx, 'scriptorium_job', 'late'))
  await until('it is heard', () => heard.includes('late'))
  assert.deepEqual(heard, ['early', 'late'])
})

test('of 400 transactions each signal is heard once, in a few statements', async () => {
  heard.length = 0
  before = log.countOf('pg_notify')
  const pace = ticking(SIGNALS_EVERY_MS)
  const all = Array.from({ length: 400 }, (_, at) => `job-${at}`)
  await Promise.all(
    all.map((jobId) =>
      transact(db, async (tx) => {
        signal(tx, 'scriptorium_job', jobId)
        signal(tx, 'scriptorium_job', jobId)
      }),
    ),
  )
  await until('all are heard', () => heard.length >= all.length)
  pace.stop()
  const most = SIGNALS_AT_ONCE + pace.count() + 1
  assert.deepEqual(heard.toSorted(), all.toSorted())
  assert.ok(notices() <= most, `${notices()} statements, of ${most} at most`)
})

test('what waits to be sent is sent before the database is closed', async () => {
  heard.length = 0
  const other = openDatabase({ url: database.url, connectionsMax: 2, name: 'one-off command' })
  for (let at = 0; at < 10; at += 1)
    await transact(other.db, async (tx) => signal(tx, 'scriptorium_job', `last-${at}`))
  await other.close()
  await until('all are heard', () => heard.length >= 10)
  assert.equal(new Set(heard).size, 10)
})

test('one that still waits for a connection is sent before the database is closed, also where later ones are', async () => {
  heard.length = 0
  const {
    db: own,
    pool,
    close,
  } = openDatabase({ url: database.url, connectionsMax: 2, name: 'late' })
  const late = Promise.withResolvers<void>()
  const connect = pool.connect.bind(pool) as (callback: unknown) => void
  let asked = 0
  pool.connect = (async (callback: unknown) => {
    asked += 1
    if (asked === 1) await late.promise
    connect(callback)
  }) as unknown as typeof pool.connect
  own.send({ channel: 'scriptorium_job', payload: 'waits' })
  await until('the first one waits', () => asked === 1)
  own.send({ channel: 'scriptorium_job', payload: 'goes' })
  await until('the second one is heard', () => heard.includes('goes'))
  const closing = close()
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  late.resolve()
  await closing
  await until('the first one is heard', () => heard.includes('waits'))
})

test('a signal of the own process is heard before the server has it, and once; one of another process by its NOTIFY', async () => {
  const other = openDatabase({ url: database.url, connectionsMax: 1, name: 'other process' })
  const own = openDatabase({ url: database.url, connectionsMax: 2, name: 'own process' })
  const sends = (by: Db, payload: string): Promise<void> =>
    transact(by, async (tx) => signal(tx, 'scriptorium_job', payload))
  const told: (string | null)[] = []
  own.signals.on('scriptorium_job', (jobId) => void told.push(jobId))
  own.signals.listen(serversOf(database.url))
  try {
    await until('it listens', () => told.includes(null))
    heard.length = 0
    for (let at = 0; at < 3; at += 1) await sends(own.db, `own-${at}`)
    await Promise.resolve()
    assert.deepEqual(told, [null, 'own-0', 'own-1', 'own-2'])
    await until('other processes hear all', () => heard.length === 3)

    await sends(other.db, 'foreign')
    await until('the other one is heard', () => told.includes('foreign'))
    await other.pool.query(`notify scriptorium_job, 'by-hand'`)
    await until('one without a mark is heard', () => told.length > 5)
    assert.deepEqual(told, [null, 'own-0', 'own-1', 'own-2', 'foreign', 'by-hand'])
    await own.signals.close()
    await sends(own.db, 'later')
    await Promise.resolve()
    assert.equal(told.length, 6)
  } finally {
    await own.close()
    await other.close()
  }
})

test('without a connection to listen by, signals of the own process are heard all the same', async () => {
  const own = openDatabase({ url: database.url, connectionsMax: 1, name: 'own process' })
  own.signals.listen(serversOf('postgresql://nobody@127.0.0.1:1/nothing'))
  try {
    const { promise, resolve } = Promise.withResolvers<string | null>()
    own.signals.on('scriptorium_waiting', resolve)
    await transact(own.db, async (tx) => signal(tx, 'scriptorium_waiting', 'here'))
    assert.equal(await promise, 'here')
  } finally {
    await own.close()
  }
})
