/** Our migration has the tables that the sign-in library expects, by the library's own account. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { passkey } from '@better-auth/passkey'
import { getMigrations } from 'better-auth/db/migration'
import {
  METHOD_TABLE,
  PASSKEY_TABLE,
  SESSION_TABLE,
  USER_TABLE,
  VERIFICATION_TABLE,
} from '../../src/model/accounts/sign-in.ts'
import { testDatabase } from '../support/database.ts'

const { pool } = await testDatabase({ after })

test('the sign-in library finds every table and column it needs', async () => {
  const { toBeCreated, toBeAdded } = await getMigrations({
    database: pool,
    user: USER_TABLE,
    session: SESSION_TABLE,
    account: METHOD_TABLE,
    verification: VERIFICATION_TABLE,
    plugins: [passkey({ schema: { passkey: PASSKEY_TABLE } })],
  })
  const missing = [...toBeCreated, ...toBeAdded].map(
    ({ table, fields }) => `${table}: ${Object.keys(fields).join(', ')}`,
  )
  assert.deepEqual(missing, [])
})
