/** What opens an account is bounded: sessions, passkeys, and what consents to apps leave. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { confirmConsent } from '../../src/features/oauth/consent.ts'
import { issueAppTokens, takeRefreshToken } from '../../src/features/oauth/tokens.ts'
import { LIMITS } from '../../src/config/config.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { OAUTH_LIMITS } from '../../src/model/oauth/authorization.ts'
import { findLiveGrant } from '../../src/store/oauth-grants.ts'
import { testService } from '../support/service.ts'
import { startMailBox } from './mail-box.ts'
import { membersOf, visitorsOf } from './visitor.ts'

const mailBox = await startMailBox({ after })
const running = await testService({ after }, { env: mailBox.env })
const { db, pool } = running.database
const member = membersOf(running, mailBox)
const anna = await member('anna@example.org')
const { accountId } = await anna.gets('/account/session')

const OF_ANNA = "(select id from sign_in_user where email = 'anna@example.org')"

async function count(table: string): Promise<number> {
  return Number((await pool.query(`select count(*) from ${table}`)).rows[0].count)
}

test('a user keeps the sessions that were used last; a sign-in ends older ones', async () => {
  await pool.query(`
    insert into sign_in_session (id, token, expires_at, user_id, updated_at)
    select 'old' || n, lpad(n::text, 43, 'x'), now() + interval '1 day', ${OF_ANNA}, now() - n * interval '1 hour'
    from generate_series(1, ${LIMITS.sessionsMax}) n`)
  const { visitor } = visitorsOf(running)
  assert.equal((await visitor().signsIn('anna@example.org')).status, 200)
  assert.equal(await count('sign_in_session'), LIMITS.sessionsMax)
  assert.equal((await anna.gets('/account/session')).email, 'anna@example.org')
})

test('a passkey more than a user may have is refused, and the answer says what to do', async () => {
  const credential = { id: 'a', rawId: 'a', type: 'public-key', clientExtensionResults: {} }
  const body = { response: { ...credential, response: {} } }
  const adds = async (): Promise<string> =>
    (await anna.asks('POST', '/account/auth/passkey/verify-registration', body)).text
  assert.doesNotMatch(await adds(), /at most/)
  await pool.query(`
    insert into sign_in_passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
    select n, '', ${OF_ANNA}, n, 0, '', false from generate_series(1, ${LIMITS.passkeysMax}) n`)
  assert.match(await adds(), /at most 50 passkeys; remove one/)
})

test('an app that is allowed again and again, and renews again and again, has no more rows for it', async () => {
  const { grantsMax, refreshTokensMax, accessTokensMax } = OAUTH_LIMITS
  const uri = 'https://app.example/callback'
  const client = { id: 'https://app.example/', kind: 'document', name: 'App', redirectUris: [uri] }
  const asked = {
    redirectUri: uri,
    state: null,
    challenge: 'c'.repeat(43),
    scopes: ['account:read' as const],
    audience: ['api' as const],
  }
  const given = { accountId, client: { ...client, kind: 'document' as const }, asked }
  const consents = (): Promise<string> => confirmConsent(db, { ...given, monthlyCapMicros: 0n })
  for (let times = 0; times < grantsMax + 2; times += 1) await consents()
  assert.equal(await count('oauth_grant'), grantsMax)

  const { rows } = await pool.query('select id from oauth_grant order by created_at desc limit 1')
  const grantId: string = rows[0].id
  const issued = await transact(db, async (tx) =>
    issueAppTokens(tx, (await findLiveGrant(tx, grantId))!),
  )
  await pool.query(
    `insert into oauth_refresh_token (token_hash, grant_id, expires_at, used_at)
    select decode(md5(n::text), 'hex'), $1, now() + interval '29 days', now() - interval '1 hour'
    from generate_series(1, ${refreshTokensMax}) n`,
    [grantId],
  )
  let refreshToken = issued.refresh_token
  const brought = { clientId: client.id, scope: null, audience: null }
  for (let times = 0; times < accessTokensMax + 2; times += 1) {
    const next = await takeRefreshToken(db, { ...brought, refreshToken })
    refreshToken = next.refresh_token
  }
  assert.equal(await count('oauth_refresh_token'), refreshTokensMax)
  assert.equal(await count("api_key where kind = 'app'"), accessTokensMax)
})
