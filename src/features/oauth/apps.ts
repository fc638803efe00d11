/** Apps: registered, found by what they name, and what an account lets them do. */
import { randomUUID } from 'node:crypto'
import { sweepInBatches } from '../../kit/loop.ts'
import { transact } from '../../kit/postgres/database.ts'
import { hashSecret, isToken } from '../../model/accounts/tokens.ts'
import { OAUTH_LIMITS } from '../../model/oauth/authorization.ts'
import { type Client, isDocumentId, OWN_CLIENT, readClient } from '../../model/oauth/client.ts'
import { takesOurName } from '../../model/oauth/own-name.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import { deleteAppToken, sweepAppTokens } from '../../store/accounts.ts'
import { markRevoked, noteUses } from '../../store/app-connections.ts'
import type { Db } from '../../store/database.ts'
import { sweepExpired } from '../../store/erasure.ts'
import {
  findClient,
  hasUnconnectedClients,
  sweepClients,
  upsertClient,
} from '../../store/oauth-clients.ts'
import { deleteGrant, deleteGrantsOf, lockGrantOf } from '../../store/oauth-grants.ts'
import type { DocumentReader } from './document-reader.ts'

export { findConnection, listApps, updateCap } from '../../store/app-connections.ts'
export { findWaitingLogin } from '../../store/oauth-clients.ts'

/**
 * Registers an app that describes itself (RFC 7591): anybody may, as it gives no rights. Throws an OAuthError, also
 * where there are too many that no account connected: those are forgotten after a day.
 */
export async function createClient(db: Db, metadata: unknown): Promise<Client> {
  const reading = readClient(metadata)
  if (reading.kind === 'refused') throw new OAuthError(reading.code, reading.message)
  if (await hasUnconnectedClients(db, OAUTH_LIMITS.unconnectedClientsMax))
    throw new OAuthError(
      'temporarily_unavailable',
      'Too many apps were registered; try again in an hour.',
    )
  const { name, redirectUris } = reading
  const id = `client_${randomUUID().replaceAll('-', '')}`
  const client: Client = { id, kind: 'registered', name, redirectUris }
  await upsertClient(db, client)
  return client
}

export type AppFinder = {
  db: Db
  documents: DocumentReader
  isPrivateAllowed: boolean
  /** Takes what reading a document costs from the limit of the visitor who causes it. */
  mayRead(): Promise<void>
}

/**
 * Returns the app that a client_id names: registered here, or described by a document at that address. Throws an
 * OAuthError where there is none.
 */
export async function findApp(finder: AppFinder, id: string | null): Promise<Client> {
  if (id === OWN_CLIENT.id) {
    await upsertClient(finder.db, OWN_CLIENT)
    return OWN_CLIENT
  }
  const known = id === null || !isReadable(id) ? null : await findClient(finder.db, id)
  if (id === null || (known === null && !isDocumentId(id, finder.isPrivateAllowed)))
    throw new OAuthError(
      'invalid_client',
      'client_id names no app that is known here; register it first.',
    )
  // A release before this one registered any name.
  if (known?.kind === 'registered' && takesOurName(known.name))
    throw new OAuthError(
      'invalid_client',
      'This app is called like this service; register it by another name.',
    )
  const isFresh = (known?.ageSeconds ?? Infinity) < OAUTH_LIMITS.documentKeptSeconds
  return known !== null && (known.kind !== 'document' || isFresh) ? known : readDocument(finder, id)
}

/** Reads an app's document. It has to name its own address, so that a copy elsewhere does not pass under its name. */
async function readDocument(finder: AppFinder, id: string): Promise<Client> {
  await finder.mayRead()
  const document = await finder.documents.read(id)
  if (document === null)
    throw new OAuthError('invalid_client', 'The document at client_id cannot be read.')
  const reading = readClient(document)
  if (reading.kind === 'refused') throw new OAuthError('invalid_client', reading.message)
  const method = fieldOf(document, 'token_endpoint_auth_method')
  if (fieldOf(document, 'client_id') !== id || (method !== undefined && method !== 'none'))
    throw new OAuthError(
      'invalid_client',
      'The document must name its own address as client_id, and no token_endpoint_auth_method but none.',
    )
  const { name, redirectUris } = reading
  const client: Client = { id, kind: 'document', name, redirectUris }
  await upsertClient(finder.db, client)
  return client
}

function fieldOf(document: unknown, name: string): unknown {
  return (document as Record<string, unknown>)[name]
}

/**
 * Returns whether the text can be an id of ours; others are not looked up, since the database does not take all bytes.
 */
function isReadable(id: string): boolean {
  return id.length <= 512 && /^[\x21-\x7e]+$/.test(id)
}

/**
 * Revokes the app in one commit, after which no process takes a token of it. Returns false where the account has no
 * such app.
 */
export function revokeApp(db: Db, app: { id: string; accountId: string }): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await markRevoked(tx, app))) return false
    await deleteGrantsOf(tx, [app.id])
    return true
  })
}

/**
 * Revokes a token that an app gives back (RFC 7009): with a refresh token all that follows from the consent ends. Does
 * nothing for a token that is unknown or another app's.
 */
export async function revokeToken(
  db: Db,
  { token, clientId }: { token: string; clientId: string },
): Promise<void> {
  await transact(db, async (tx) => {
    if (!isToken(token)) return deleteAppToken(tx, { secretHash: hashSecret(token), clientId })
    const grant = await lockGrantOf(tx, { table: 'oauth_refresh_token', hash: hashSecret(token) })
    if (grant?.clientId === clientId) await deleteGrant(tx, grant.grantId)
  })
}

/** Deletes expired tokens, codes and logins, and clients that no account connected. Returns how many rows. */
export function sweepApps(db: Db): Promise<number> {
  return sweepInBatches((rowsMax) => sweepOnce(db, rowsMax))
}

async function sweepOnce(db: Db, rowsMax: number): Promise<number> {
  const tokens = await transact(db, async (tx) => {
    const uses = await sweepAppTokens(tx, rowsMax)
    await noteUses(tx, uses)
    return uses.length
  })
  const refreshTokens = await sweepExpired(db, 'oauth_refresh_token', rowsMax)
  const grants = await sweepExpired(db, 'oauth_grant', rowsMax)
  const logins = await sweepExpired(db, 'device_login', rowsMax)
  const seconds = OAUTH_LIMITS.unconnectedClientSeconds
  return tokens + refreshTokens + grants + logins + (await sweepClients(db, { seconds, rowsMax }))
}
