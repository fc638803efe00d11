/** Starts the login of a program without a browser: a secret for it, and a code for its user to type at /device. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createToken, hashOf, TOKEN_BYTES } from '../../model/accounts/token.ts'
import type { Db } from '../../store/database.ts'
import { insertDeviceLogin } from '../../store/device-logins.ts'
import { OAUTH_LIMITS } from '../../model/oauth/lifetimes.ts'
import type { AppScope, Audience } from '../../model/oauth/scope.ts'
import { createUserCode, USER_CODE_BYTES } from '../../model/oauth/secrets.ts'

const TRIES = 5

export async function startDeviceLogin(
  db: Db,
  asked: { clientId: string; scopes: AppScope[]; audience: Audience[] },
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = createToken(randomBytes(TOKEN_BYTES))
  const deviceHash = hashOf(deviceCode)
  const lifetimeSeconds = OAUTH_LIMITS.deviceLoginSeconds
  for (let tries = 0; tries < TRIES; tries += 1) {
    const userCode = createUserCode(randomBytes(USER_CODE_BYTES))
    if (await insertDeviceLogin(db, { ...asked, deviceHash, userCode, lifetimeSeconds }))
      return { deviceCode, userCode }
  }
  assert.fail('codes of 34 random bits were all taken')
}
