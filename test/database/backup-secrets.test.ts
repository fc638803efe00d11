/**
 * A backup of a service with signed-in users: a reader of the backup, or an operator who restores it, gets no session.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startService } from '../../src/serve.ts'
import { backup, restore } from '../../src/features/backup/backup.ts'
import { startMailBox } from '../account/mail-box.ts'
import { Visitor } from '../account/visitor.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { testService } from '../support/service.ts'
import { testConfig } from '../support/settings.ts'

const EMAIL = 'reader@example.org'

test('after a restore old cookies and bearers are refused; passwords and API keys go on', async (t) => {
  const file = path.join(temporaryFolder(t), 'people.backup')
  const mailBox = await startMailBox(t)
  const { database, address, service } = await testService(t, { env: mailBox.env })
  const { port } = new URL(address)
  const reader = new Visitor({ address, origin: `http://localhost:${port}` })
  await reader.signsUp(EMAIL)
  assert.equal((await reader.opens((await mailBox.newestTo(EMAIL)).link ?? '')).status, 200)
  const { bearer } = (await reader.asks('POST', '/account/bearer')).body
  const { apiKey } = (await reader.asks('POST', '/account/keys', { name: 'mine' })).body
  await reader.asks('GET', '/account/auth/passkey/generate-authenticate-options')
  const cookies = new Map(reader.cookies)
  const { accountId } = await reader.gets('/account/session')

  const secrets = await secretsOf(database.pool)
  assert.ok(
    secrets.length >= 4,
    'a session, a bearer, a challenge and the signing secret are there',
  )
  await backup(database.pool, file)
  const content = gunzipSync(fs.readFileSync(file)).toString('latin1')
  assert.deepEqual(
    secrets.filter((secret) => content.includes(secret)),
    [],
  )
  assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  await service.close()

  const target = await testDatabase({ after: () => undefined })
  await restore(target.pool, file)
  const restored = await startService({
    ...testConfig({ DATABASE_URL: target.url, PUBLIC_URL: reader.origin, ROLES: 'api' }),
    passwordCost: service.context.config.passwordCost,
  })
  t.after(async () => {
    await restored.close()
    await target.drop()
  })
  const again = new Visitor({ address: restored.address ?? '', origin: reader.origin })
  for (const [name, value] of cookies) again.cookies.set(name, value)
  assert.equal((await again.gets('/account/session')).email, null, 'the old cookie')
  assert.equal((await again.asks('GET', '/account/keys')).status, 401)
  const calls = (key: string) =>
    fetch(`${restored.address}/api/v1/balance`, { headers: { Authorization: `Bearer ${key}` } })
  assert.deepEqual([(await calls(bearer)).status, (await calls(apiKey)).status], [401, 200])

  again.cookies.clear()
  assert.equal((await again.signsIn(EMAIL)).status, 200, 'the old password')
  assert.deepEqual((await again.gets('/account/session')).accountId, accountId)
  const made = await target.pool.query('select secret from sign_in_secret')
  assert.ok(!secrets.includes(made.rows[0].secret), 'the signing secret was made anew')
})

/** Returns the secrets that open an account to their holder, spelt as a backup would have them. */
async function secretsOf(pool: {
  query(text: string): Promise<{ rows: { secret: string }[] }>
}): Promise<string[]> {
  const { rows } = await pool.query(`
    select token as secret from sign_in_session union all select value from sign_in_verification
    union all select secret from sign_in_secret union all select encode(secret_hash, 'hex') from api_key where kind = 'session'`)
  return rows.map(({ secret }) => secret)
}
