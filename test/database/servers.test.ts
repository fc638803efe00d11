/** Which of the servers that DATABASE_URL names are used: after a failover never the old primary. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isDatabaseAway, openPooledDatabase } from '../../src/kit/postgres/database.ts'
import { openSignals } from '../../src/store/signals.ts'
import { whyAway } from '../../src/store/readiness.ts'
import { openGate } from '../machines/gate.ts'
import { connectTo } from '../support/connection.ts'
import { startPromotable } from '../support/promoted-copy.ts'
import { serversOf } from '../support/servers.ts'
import { until } from '../support/until.ts'

const ORDERS = 100
const CONNECTIONS = 12

type Server = { url: string }

/** Returns the URL of several servers of the same user, which are named by their sockets or gates. */
function urlOfAll(servers: Server[], more = ''): string {
  const params = servers.map(({ url }) => new URL(url).searchParams)
  const { username, password } = new URL(servers[0]!.url)
  const list = (name: string): string => params.map((one) => one.get(name)).join(',')
  return `postgres://${username}:${password}@/scriptorium?host=${list('host')}&port=${list('port')}&sslmode=disable${more}`
}

/** Opens a pool and its fenced servers; closed with the test. */
function openFenced(t: TestContext, url: string) {
  const servers = serversOf(url, true)
  const database = openPooledDatabase({ url, servers, connectionsMax: CONNECTIONS, name: 'fenced' })
  const raised: [number | null, number][] = []
  servers.onRaised((was, now) => raised.push([was?.timeline ?? null, now.timeline]))
  t.after(async () => {
    await database.close()
    await servers.close()
  })
  return { ...database, servers, raised }
}

async function ask<T>(server: Server, sql: string): Promise<T> {
  const client = await connectTo(server.url)
  const { rows } = await client.query<Record<string, T>>(sql)
  await client.end()
  return Object.values(rows[0] ?? {})[0] as T
}

/** Writes ORDERS rows at once, again and again those that failed. */
async function writeAll({ pool }: { pool: { query(sql: string): Promise<unknown> } }) {
  const refusals: unknown[] = []
  const isWritten = (): Promise<boolean> =>
    pool.query('insert into orders default values').then(
      () => true,
      (error: unknown) => refusals.push(error) < 0,
    )
  await Promise.all(Array.from({ length: ORDERS }, () => until('it is written', isWritten)))
  assert.ok(refusals.every(isDatabaseAway), String(refusals.find((one) => !isDatabaseAway(one))))
}

/** Lets the other server accept the password of the first. */
async function samePassword(first: Server, other: Server): Promise<void> {
  await ask(other, `alter role scriptorium password '${new URL(first.url).password}'`)
}

const COUNT = 'select count(*)::int from orders'

/** Two servers after a failover: the promoted copy and the old primary that is back. */
async function afterFailover(t: TestContext) {
  const { old, makeCopy } = await startPromotable(t)
  await ask(old, 'create table orders (id bigint generated always as identity)')
  const copy = await makeCopy()
  return { old, copy }
}

test('the first host is down, and the other is used', async (t) => {
  const { old } = await startPromotable(t)
  const down = { url: old.url.replace(/host=.*/, 'host=127.0.0.1&port=1') }
  const { pool, servers } = openFenced(t, urlOfAll([down, old]))
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select 1')))
  const [first, second] = await servers.look()
  assert.deepEqual([first?.at, first?.found], [{ host: '127.0.0.1', port: 1 }, null])
  assert.match(String(first?.error), /ECONNREFUSED/)
  assert.equal(second?.found?.timeline, 1)
})

test('an old primary gets no write, though the URL names it first and a start meets it first', async (t) => {
  const { old, copy } = await afterFailover(t)
  await copy.promote()
  const both = openFenced(t, urlOfAll([old, copy]))
  await writeAll(both)
  assert.deepEqual([await ask(old, COUNT), await ask(copy, COUNT)], [0, ORDERS])
  assert.deepEqual(both.raised, [[null, 2]])
  const refused = await both.servers.refused()
  assert.equal(refused.length, 1)
  assert.match(refused.join(), /is on timeline 1, and 2 is known/)

  const { pool, servers } = openFenced(t, old.url)
  servers.remember(both.servers.known()!)
  const refusal: unknown = await pool.query('select 1').catch((error: unknown) => error)
  assert.ok(isDatabaseAway(refusal))
  assert.match(
    whyAway(refusal),
    /^\/.* is on timeline 1, and 2 is known: an old primary; stop it or rejoin it$/,
  )
})

test('an old primary that was frozen and thaws gets no write of a process that had it', async (t) => {
  const { old, copy } = await afterFailover(t)
  const process = openFenced(t, urlOfAll([old, copy], '&target_session_attrs=read-write'))
  const signals = openSignals(process.pool)
  const heard: (string | null)[] = []
  signals.on('scriptorium_job', (payload) => void heard.push(payload))
  signals.listen(process.servers)
  t.after(() => signals.close())
  await Promise.all(Array.from({ length: CONNECTIONS }, () => process.pool.query('select 1')))
  await until('it listens', () => heard.length === 1)
  assert.equal(process.servers.known()?.timeline, 1)

  old.freeze()
  await copy.promote()
  await until('the promotion is seen', () => process.servers.known()?.timeline === 2)
  old.thaw()
  await writeAll(process)
  assert.deepEqual([await ask(old, COUNT), await ask(copy, COUNT)], [0, ORDERS])
  assert.deepEqual(process.raised, [
    [null, 1],
    [1, 2],
  ])
  await until('the listener is at the new primary', () => heard.length === 2)
  await ask(copy, `select pg_notify('scriptorium_job', 'x there')`)
  await until('it hears', () => heard.includes('there'))
})

test('a standby that was used for want of another is left for the primary that is back', async (t) => {
  const { old, copy } = await afterFailover(t)
  const gate = await openGate(old.url)
  t.after(() => gate.close())
  gate.cut()
  const { pool } = openFenced(t, urlOfAll([gate, copy]))
  const isStandby = async (): Promise<unknown> =>
    (await pool.query('select pg_is_in_recovery() as is_standby')).rows[0]?.['is_standby']
  assert.equal(await isStandby(), true)
  gate.open()
  await until('it is left', async () => (await isStandby().catch(() => null)) === false)
  await pool.query('insert into orders default values')
})

test('a host whose server is replaced by the old one is refused until the right one is back', async (t) => {
  const { old, copy } = await afterFailover(t)
  await copy.promote()
  const toCopy = await openGate(copy.url)
  const { pool, servers } = openFenced(t, toCopy.url)
  t.after(() => toCopy.close())
  await pool.query('select 1')
  toCopy.leadTo(old.url)
  await until('it is refused', async () => {
    const refusal: unknown = await pool.query(COUNT).catch((error: unknown) => error)
    return whyAway(refusal).includes('an old primary')
  })
  toCopy.leadTo(copy.url)
  await pool.query(COUNT)
  assert.equal(servers.known()?.timeline, 2)
})

test('another system is refused, even on a higher timeline', async (t) => {
  const { old } = await startPromotable(t)
  const { copy } = await afterFailover(t)
  await copy.promote()
  await samePassword(old, copy)
  const gate = await openGate(old.url)
  const { pool, servers, raised } = openFenced(t, gate.url)
  t.after(() => gate.close())
  await pool.query('select 1')
  gate.leadTo(copy.url)
  const refusal: unknown = await pool.query('select 1').catch((error: unknown) => error)
  const again: unknown = await pool.query('select 1').catch((error: unknown) => error)
  assert.match(
    `${whyAway(refusal)} ${whyAway(again)}`,
    /another database system .*admin failover accept --reason/,
  )
  const systemId = (await serversOf(gate.url).look())[0]?.found?.systemId ?? ''
  servers.remember({ systemId, timeline: 9 })
  await assert.rejects(pool.query('select 1'))
  gate.leadTo(old.url)
  await pool.query('select 1')
  assert.deepEqual(raised, [[null, 1]])
})

test('hosts of two systems are refused while none is known', async (t) => {
  const [one, other] = [await startPromotable(t), await startPromotable(t)]
  await samePassword(one.old, other.old)
  const { pool } = openFenced(t, urlOfAll([one.old, other.old]))
  await assert.rejects(pool.query('select 1'), /name only servers of one system/)
})
