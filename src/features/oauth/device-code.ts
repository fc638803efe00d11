/** Answers a program that asks whether its code was typed; once it was, with tokens. */
import { hashOf, isToken } from '../../model/accounts/token.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { deleteDeviceLogin, pollDeviceLogin } from '../../store/device-logins.ts'
import { findLiveGrant } from '../../store/oauth-grants.ts'
import { issueAppTokens, type TokenAnswer } from './issue-app-tokens.ts'
import { OAUTH_LIMITS } from '../../model/oauth/lifetimes.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'

const VOID = 'The device code is unknown, used or expired; start again.'

/** Throws an OAuthError, also while nobody decided. */
export async function takeDeviceCode(
  db: Db,
  { deviceCode, clientId }: { deviceCode: string; clientId: string },
): Promise<TokenAnswer> {
  const deviceHash = hashOf(deviceCode)
  const intervalSeconds = OAUTH_LIMITS.pollSeconds - 1 // the networks between us are not that exact
  const login = isToken(deviceCode)
    ? await pollDeviceLogin(db, { deviceHash, intervalSeconds })
    : null
  if (login === null || login.clientId !== clientId) throw new OAuthError('invalid_grant', VOID)
  if (login.isDenied) throw new OAuthError('access_denied', 'The login was denied.')
  if (login.isExpired) throw new OAuthError('expired_token', 'The code has expired; start again.')
  const { grantId } = login
  if (grantId === null && login.isTooSoon)
    throw new OAuthError('slow_down', `Ask every ${OAUTH_LIMITS.pollSeconds} seconds at most.`)
  if (grantId === null) throw new OAuthError('authorization_pending', 'Nobody typed the code yet.')
  const tokens = await transact(db, async (tx) => {
    const grant = await findLiveGrant(tx, grantId)
    const isFirst = grant !== null && (await deleteDeviceLogin(tx, deviceHash))
    return isFirst ? issueAppTokens(tx, grant) : null
  })
  if (tokens === null) throw new OAuthError('invalid_grant', VOID)
  return tokens
}
