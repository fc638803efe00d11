/** Calls of hand-written SQL about apps; see calls.ts. */
import type { Db, Tx } from '../../src/store/database.ts'
import * as accounts from '../../src/store/accounts.ts'
import * as connections from '../../src/store/app-connections.ts'
import * as logins from '../../src/store/oauth-clients.ts'
import * as clients from '../../src/store/oauth-clients.ts'
import * as grants from '../../src/store/oauth-grants.ts'

const [id, accountId, clientId, grantId, userCode] = ['id', 'account', 'client', 'grant', 'CODE']
const hash = Buffer.alloc(32)
const lifetimeSeconds = 60
const asked = { scopes: ['jobs:write' as const], audience: ['api' as const] }
const rowsMax = 10
const client = { id, kind: 'document' as const, name: 'n', redirectUris: ['u'] }

export const APP_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ({ tx }) => accounts.deleteAppToken(tx, { secretHash: hash, clientId }),
  ({ tx }) => accounts.sweepAppTokens(tx, rowsMax),
  ({ db }) => clients.findClient(db, id),
  ({ tx }) => clients.upsertConnectedClient(tx, client),
  ({ db }) => clients.updateClient(db, client),
  ({ db }) => clients.sweepClients(db, { seconds: 60, rowsMax }),
  ({ tx }) => connections.upsertConnection(tx, { id, accountId, clientId, monthlyCapMicros: 5n }),
  ({ tx }) => connections.countConnections(tx, accountId),
  ({ tx }) => connections.deleteUnusedConnections(tx, accountId),
  ({ tx }) => clients.releaseClients(tx, [id]),
  ({ db }) => connections.updateCap(db, { id, accountId, monthlyCapMicros: 5n }),
  ({ tx }) => connections.markRevoked(tx, { id, accountId }),
  ({ tx }) => connections.markAppSentInClear(tx, id),
  ({ db }) => connections.listApps(db, accountId),
  ({ db }) => connections.findConnection(db, { accountId, clientId }),
  ({ db }) => connections.findSpending(db, { connectionId: id, isLocked: false }),
  ({ tx }) => connections.findSpending(tx, { connectionId: id, isLocked: true }),
  ({ tx }) => connections.revokeAppsOfUser(tx, { userId: 'user', since: new Date() }),
  ({ tx }) => grants.deleteGrant(tx, 'grant'),
  ({ tx }) => grants.deleteGrantsOf(tx, ['connection']),
  ({ tx }) => grants.deleteGrantsSince(tx, { userId: 'user', since: new Date() }),
  ({ tx }) => connections.noteUses(tx, [{ connectionId: id, lastUsedAt: new Date(0) }]),
  ({ tx }) => grants.insertGrant(tx, { id, connectionId: id, ...asked, lifetimeSeconds }),
  ({ tx }) => grants.findLiveGrant(tx, id),
  ({ tx }) => grants.extendGrant(tx, id, lifetimeSeconds),
  ({ tx }) =>
    grants.insertCode(tx, {
      hash,
      grantId,
      clientId,
      redirectUri: 'u',
      challenge: 'c',
      lifetimeSeconds,
    }),
  ({ tx }) => grants.readCode(tx, hash),
  ({ tx }) => grants.lockGrantOf(tx, { table: 'oauth_code', hash }),
  ({ tx }) => grants.markCodeUsed(tx, hash),
  ({ tx }) => grants.insertRefreshToken(tx, { hash, grantId, lifetimeSeconds }),
  ({ tx }) => grants.readRefreshToken(tx, hash),
  ({ tx }) => grants.countFreshRefreshTokens(tx, { grantId, seconds: 30, lifetimeSeconds }),
  ({ tx }) => grants.markRefreshTokenUsed(tx, hash, lifetimeSeconds),
  ({ db }) =>
    logins.insertDeviceLogin(db, {
      deviceHash: hash,
      userCode,
      clientId,
      ...asked,
      lifetimeSeconds,
    }),
  ({ db }) => logins.findWaitingLogin(db, { userCode, isLocked: true }),
  ({ db }) => logins.findWaitingLogin(db, { userCode, isLocked: false }),
  ({ tx }) => logins.decideDeviceLogin(tx, { userCode, grantId }),
  ({ tx }) => logins.deleteDeviceLogin(tx, hash),
  ({ db }) => logins.pollDeviceLogin(db, { deviceHash: hash, intervalSeconds: 5 }),
]
