/** Consent of people to apps, and logins of devices that wait for it. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { transact } from '../../kit/postgres/database.ts'
import { createToken, hashSecret, SECRET_BYTES } from '../../model/accounts/tokens.ts'
import {
  type AppScope,
  type Audience,
  type Authorization,
  OAUTH_LIMITS,
} from '../../model/oauth/authorization.ts'
import type { Client } from '../../model/oauth/client.ts'
import { createUserCode, USER_CODE_BYTES } from '../../model/oauth/secrets.ts'
import { Problem } from '../../kit/problem.ts'
import { lockAccount } from '../../store/accounts.ts'
import {
  countConnections,
  deleteUnusedConnections,
  upsertConnection,
} from '../../store/app-connections.ts'
import type { Db, Tx } from '../../store/database.ts'
import { deleteAllButLatest } from '../../store/erasure.ts'
import {
  decideDeviceLogin,
  findWaitingLogin,
  insertDeviceLogin,
  releaseClients,
  upsertConnectedClient,
} from '../../store/oauth-clients.ts'
import { insertCode, insertGrant } from '../../store/oauth-grants.ts'

/** The account that consents, and the app that it lets in; a cap of null changes none. */
type Consent = { accountId: string; client: Client; monthlyCapMicros: bigint | null }

/**
 * Lets an app act for the account: a connection with its cap, and a grant. Returns the code for the app's address.
 * Throws a `Problem` where the account has too many apps.
 */
export function confirmConsent(
  db: Db,
  { asked, ...consent }: Consent & { asked: Authorization },
): Promise<string> {
  const code = createToken(randomBytes(SECRET_BYTES))
  return transact(db, async (tx) => {
    const lifetimeSeconds = OAUTH_LIMITS.codeSeconds
    const grantId = await allow(tx, { ...consent, ...asked, lifetimeSeconds })
    const { redirectUri, challenge } = asked
    const clientId = consent.client.id
    const hash = hashSecret(code)
    await insertCode(tx, { hash, grantId, clientId, redirectUri, challenge, lifetimeSeconds })
    return code
  })
}

/**
 * Decides the login that waits at `userCode`, once; a consent of null denies it. Returns false where none waits there,
 * or another app's. Throws a `Problem` where the account has too many apps.
 */
export function confirmDevice(
  db: Db,
  { userCode, consent }: { userCode: string; consent: Consent | null },
): Promise<boolean> {
  return transact(db, async (tx) => {
    const waiting = await findWaitingLogin(tx, { userCode, isLocked: true })
    if (waiting === null || (consent !== null && waiting.clientId !== consent.client.id))
      return false
    const lifetimeSeconds = OAUTH_LIMITS.deviceLoginSeconds
    const grantId =
      consent === null ? null : await allow(tx, { ...consent, ...waiting, lifetimeSeconds })
    await decideDeviceLogin(tx, { userCode, grantId })
    return true
  })
}

/**
 * Connects the app and returns the id of the grant. Connections are counted under the account's lock; a `Problem` is
 * thrown where there are too many. What earlier ones left behind that never started a job goes, so that an account that
 * connects and disconnects again and again has no more rows for it.
 */
async function allow(
  tx: Tx,
  {
    client,
    ...given
  }: Consent & {
    scopes: AppScope[]
    audience: Audience[]
    lifetimeSeconds: number
  },
): Promise<string> {
  const [id, grantId] = [`app_${newId()}`, `grant_${newId()}`]
  if (!(await lockAccount(tx, given.accountId))) throw new Problem('unauthorized')
  // The client comes first: a transaction that holds another one waits for none.
  await upsertConnectedClient(tx, client)
  const left = await deleteUnusedConnections(tx, given.accountId)
  await releaseClients(
    tx,
    left.filter((one) => one !== client.id),
  )
  const connectionId = await upsertConnection(tx, { ...given, clientId: client.id, id })
  if ((await countConnections(tx, given.accountId)) > OAUTH_LIMITS.connectionsMax)
    throw new Problem('invalid_request', {
      message: `An account can have at most ${OAUTH_LIMITS.connectionsMax} connected apps; disconnect one that is no longer used.`,
    })
  await insertGrant(tx, { ...given, id: grantId, connectionId })
  const keptMax = OAUTH_LIMITS.grantsMax
  await deleteAllButLatest(tx, 'oauth_grant', { ownerId: connectionId, keptMax })
  return grantId
}

function newId(): string {
  return randomUUID().replaceAll('-', '')
}

const TRIES = 5

/** Starts the login of a program without a browser: a secret for it, and a code for its user to type at /device. */
export async function startDeviceLogin(
  db: Db,
  asked: { clientId: string; scopes: AppScope[]; audience: Audience[] },
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = createToken(randomBytes(SECRET_BYTES))
  const deviceHash = hashSecret(deviceCode)
  const lifetimeSeconds = OAUTH_LIMITS.deviceLoginSeconds
  for (let tries = 0; tries < TRIES; tries += 1) {
    const userCode = createUserCode(randomBytes(USER_CODE_BYTES))
    if (await insertDeviceLogin(db, { ...asked, deviceHash, userCode, lifetimeSeconds }))
      return { deviceCode, userCode }
  }
  assert.fail('codes of 34 random bits were all taken')
}
