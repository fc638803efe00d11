/** How long the database and others may take is a setting: DATABASE_PATIENCE multiplies every deadline. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LIMITS } from '../../src/config/config.ts'
import { agentWaitMs, WaitSeconds } from '../../src/mcp/job-answers.ts'
import { openDatabaseContext } from '../../src/open-context.ts'
import { testDatabase } from '../support/database.ts'
import { testConfig } from '../support/settings.ts'

const database = await testDatabase({ after })

test('a session has the usual deadlines, and so many times longer ones where the setting says so', async () => {
  for (const [given, times] of [
    ['', 1],
    ['4', 4],
  ] as const) {
    const { pool, close } = await openDatabaseContext(
      testConfig({ DATABASE_URL: database.url, DATABASE_PATIENCE: given }),
    )
    const { rows } = await pool.query<{ name: string; ms: number }>(
      `select name, setting::int as ms from pg_settings where name in
        ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`,
    )
    const { connectionTimeoutMillis } = pool.options
    await close()
    const { idleInTransactionMs, lockMs, statementMs, connectMs } = LIMITS.deadlines
    assert.deepEqual(
      [...rows.map(({ ms }) => ms), connectionTimeoutMillis],
      [idleInTransactionMs, lockMs, statementMs, connectMs].map((ms) => times * ms),
    )
  }
  assert.throws(() => testConfig({ DATABASE_PATIENCE: '0' }), { message: /^DATABASE_PATIENCE / })
})

test('the setting multiplies every deadline of the product, and no client waits longer for a tool than is told', () => {
  const of = (given: string) => testConfig({ DATABASE_PATIENCE: given }).deadlines
  assert.deepEqual(of(''), LIMITS.deadlines)
  for (const [name, ms] of Object.entries(LIMITS.deadlines))
    assert.equal(new Map(Object.entries(of('4'))).get(name), 4 * ms, name)
  assert.partialDeepStrictEqual(WaitSeconds, { maximum: 45 })
  const { agentPreviewMs, agentFirstLookMs } = LIMITS.deadlines
  assert.deepEqual([agentPreviewMs, agentFirstLookMs].map(agentWaitMs), [20_000, 10_000])
  assert.equal(agentWaitMs(of('60').agentFirstLookMs), 45_000)
})
