/** The end of a pool, as the server sees it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { openPooledDatabase } from '../../src/kit/postgres/database.ts'
import { connectionOf } from '../../src/kit/postgres/socket.ts'
import { openDatabase } from '../../src/store/database.ts'
import { openGate } from '../machines/gate.ts'
import { testDatabase } from '../support/database.ts'
import { serversOf } from '../support/servers.ts'
import { until, within } from '../support/until.ts'

const CONNECTIONS = 4
/** Number of rounds: the server is often quicker than the query that watches it. */
const TIMES = 20

test('a database that is closed has no session left, so that nobody has to end one by force', async (t) => {
  const { url, connect } = await testDatabase(t)
  const watcher = await connect()
  for (let time = 1; time <= TIMES; time += 1) {
    const { pool, close } = openDatabase({ url, connectionsMax: CONNECTIONS, name: 'closing' })
    await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select 1')))
    await close()
    const { rows } = await watcher.query(
      `select pid from pg_stat_activity where application_name = 'closing'`,
    )
    assert.deepEqual(rows, [], `after ${time} times`)
  }
})

test('a database whose server says nothing any more is closed all the same, whenever that began', async (t) => {
  const { url } = await testDatabase(t)
  const gate = await openGate(url)
  t.after(() => gate.close())
  const { pool, close } = openPooledDatabase({
    url: gate.url,
    connectionsMax: 2,
    name: 'closing',
  })
  const isAnswered = () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    )
  // The work before the close may take longer than the farewell, and opens connections of its own.
  const first = async (): Promise<void> => {
    gate.silence()
    await pool.query('select 1').catch(() => undefined)
    gate.open()
    // A connection that is being opened when the farewell runs out is broken, too.
    await until('it answers again', isAnswered)
    gate.silence()
  }
  await pool.query('select 1')
  await close(first)
  assert.equal(pool.totalCount, 0)
})

test('a connection that breaks once it was let in, and before the pool has it, holds up no close', async (t) => {
  const { url } = await testDatabase(t)
  const servers = serversOf(url)
  const { pool, close } = openPooledDatabase({
    url,
    connectionsMax: 1,
    name: 'closing',
    servers: {
      ...servers,
      async reach(client, connect) {
        await servers.reach(client, connect)
        const { stream } = connectionOf(client)
        const closed = once(stream, 'close')
        stream.destroy()
        await closed
      },
    },
  })
  await assert.rejects(pool.query('select 1'))
  await within('it is closed', close())
})
