/** Idle connections of a server that is lost: all are dropped with the first that breaks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPooledDatabase } from '../../src/kit/postgres/database.ts'
import { DATABASE_DEADLINES } from '../../src/kit/limits.ts'
import { openGate } from '../machines/gate.ts'
import { testDatabase } from '../support/database.ts'

const CONNECTIONS = 12
/** Far below the usual one: an idle connection that is not dropped fails its next statement after as long. */
const SILENCE_MS = 300

test('after a statement in vain the next one meets a new connection, not another dead one', async (t) => {
  const { url } = await testDatabase(t)
  const gate = await openGate(url)
  const { pool, close } = openPooledDatabase({
    url: gate.url,
    connectionsMax: CONNECTIONS,
    name: 'idle',
    deadlines: { ...DATABASE_DEADLINES, silenceMs: SILENCE_MS },
    leavesSilence: true,
  })
  t.after(async () => {
    await close()
    await gate.close()
  })
  const all = Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.01)'))
  await Promise.all(all)
  assert.equal(pool.idleCount, CONNECTIONS)
  gate.silence()
  gate.open() // for new connections
  await assert.rejects(pool.query('select 1'), { code: 'ETIMEDOUT' })
  assert.equal(pool.idleCount, 0)
  await pool.query('select 1')

  const busy = await pool.connect()
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  await busy.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await busy.query('select 1') // the loss of another leaves a busy one alone
  busy.release()
  await pool.query('select 1')
})
