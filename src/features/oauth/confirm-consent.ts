/** What follows when an owner allows an app to act for them: the connection, its cap, and a grant. */
import { randomBytes, randomUUID } from 'node:crypto'
import { createToken, hashOf, TOKEN_BYTES } from '../../model/accounts/token.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { upsertConnection } from '../../store/app-connections.ts'
import { decideDeviceLogin, findWaitingLogin } from '../../store/device-logins.ts'
import { markClientConnected } from '../../store/oauth-clients.ts'
import { insertCode, insertGrant } from '../../store/oauth-grants.ts'
import type { Authorization } from '../../model/oauth/authorization.ts'
import { OAUTH_LIMITS } from '../../model/oauth/lifetimes.ts'
import type { AppScope, Audience } from '../../model/oauth/scope.ts'

/** Whose consent it is; a cap of null changes none. */
export type Consent = { accountId: string; monthlyCapMicros: bigint | null }

/** Returns the code for the app's address. */
export function confirmConsent(
  db: Db,
  { clientId, asked, ...consent }: Consent & { clientId: string; asked: Authorization },
): Promise<string> {
  const code = createToken(randomBytes(TOKEN_BYTES))
  return transact(db, async (tx) => {
    const lifetimeSeconds = OAUTH_LIMITS.codeSeconds
    const grantId = await allow(tx, { ...consent, ...asked, clientId, lifetimeSeconds })
    const { redirectUri, challenge } = asked
    const hash = hashOf(code)
    await insertCode(tx, { hash, grantId, clientId, redirectUri, challenge, lifetimeSeconds })
    return code
  })
}

/** Decides what waits at `userCode`, once; null: it is denied. False where nothing waits there. */
export function confirmDevice(
  db: Db,
  { userCode, consent }: { userCode: string; consent: Consent | null },
): Promise<boolean> {
  return transact(db, async (tx) => {
    const waiting = await findWaitingLogin(tx, { userCode, isLocked: true })
    if (waiting === null) return false
    const lifetimeSeconds = OAUTH_LIMITS.deviceLoginSeconds
    const grantId =
      consent === null ? null : await allow(tx, { ...consent, ...waiting, lifetimeSeconds })
    await decideDeviceLogin(tx, { userCode, grantId })
    return true
  })
}

async function allow(
  tx: Tx,
  given: Consent & {
    clientId: string
    scopes: AppScope[]
    audience: Audience[]
    lifetimeSeconds: number
  },
): Promise<string> {
  const [id, grantId] = [`app_${newId()}`, `grant_${newId()}`]
  const connectionId = await upsertConnection(tx, { ...given, id })
  await markClientConnected(tx, given.clientId)
  await insertGrant(tx, { ...given, id: grantId, connectionId })
  return grantId
}

function newId(): string {
  return randomUUID().replaceAll('-', '')
}
