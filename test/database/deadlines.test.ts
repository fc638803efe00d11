/** How long the database may take is a setting: DATABASE_PATIENCE multiplies every deadline. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readConfig } from '../../src/kit/config/config.ts'
import { DEADLINES } from '../../src/kit/postgres/database.ts'
import { openDatabaseContext } from '../../src/open-context.ts'
import { testDatabase } from '../support/database.ts'

const database = await testDatabase({ after })

test('a session has the usual deadlines, and so many times longer ones where the setting says so', async () => {
  for (const [given, times] of [
    ['', 1],
    ['4', 4],
  ] as const) {
    const { pool, close } = await openDatabaseContext(
      readConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent', DATABASE_PATIENCE: given }),
    )
    const { rows } = await pool.query<{ name: string; ms: number }>(
      `select name, setting::int as ms from pg_settings where name in
        ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`,
    )
    const { connectionTimeoutMillis } = pool.options
    await close()
    const { idleInTransactionMs, lockMs, statementMs, connectMs } = DEADLINES
    assert.deepEqual(
      [...rows.map(({ ms }) => ms), connectionTimeoutMillis],
      [idleInTransactionMs, lockMs, statementMs, connectMs].map((ms) => times * ms),
    )
  }
  assert.throws(() => readConfig({ DATABASE_PATIENCE: '0' }), { message: /^DATABASE_PATIENCE / })
})
