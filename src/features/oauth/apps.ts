/** Apps: registered, found by what they name, and what an account lets them do. */
import { sweepInBatches } from '../../kit/loop.ts'
import { transact } from '../../kit/postgres/database.ts'
import { hashSecret, isToken } from '../../model/accounts/tokens.ts'
import { OAUTH_LIMITS } from '../../model/oauth/authorization.ts'
import {
  type Client,
  CLIENT_ID_CHARS_MAX,
  isDocumentId,
  OWN_CLIENT,
  readClient,
} from '../../model/oauth/client.ts'
import { takesOurName } from '../../model/oauth/own-name.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import { deleteAppToken, sweepAppTokens } from '../../store/accounts.ts'
import { markRevoked, noteUses } from '../../store/app-connections.ts'
import type { Db } from '../../store/database.ts'
import { sweepTable } from '../../store/erasure.ts'
import { findClient, sweepClients, updateClient } from '../../store/oauth-clients.ts'
import { deleteGrant, deleteGrantsOf, lockGrantOf } from '../../store/oauth-grants.ts'
import type { SecretBox } from '../mail/secret-box.ts'
import type { DocumentReader } from './document-reader.ts'

export { findConnection, listApps, updateCap } from '../../store/app-connections.ts'
export { findWaitingLogin } from '../../store/oauth-clients.ts'

/** Beginning of the ids of registered apps; in releases before, a random number followed. */
const ID_START = 'client_'
/** Purpose that the box seals descriptions for, so that nothing else that it sealed passes for one. */
const BOUND_TO = 'description of an app'

/**
 * Registers an app that describes itself (RFC 7591): anybody may, as it gives no rights and leaves nothing here. The
 * id is the sealed description. Throws an OAuthError.
 */
export function createClient(box: SecretBox, metadata: unknown): Client {
  const reading = readClient(metadata)
  if (reading.kind === 'refused') throw new OAuthError(reading.code, reading.message)
  const { name, redirectUris } = reading
  const text = JSON.stringify([name, ...redirectUris])
  const bytes = Buffer.byteLength(text)
  if (bytes > OAUTH_LIMITS.descriptionBytes)
    throw new OAuthError(
      'invalid_client_metadata',
      `client_name and redirect_uris have ${bytes} bytes as JSON, and may have ${OAUTH_LIMITS.descriptionBytes}: name fewer or shorter addresses, or publish a client id metadata document.`,
    )
  return { id: ID_START + box.seal(text, BOUND_TO), kind: 'registered', name, redirectUris }
}

/** Opens the id of an app that registered here; returns null where the text is none. */
function openClient(box: SecretBox, id: string): Client | null {
  const text = id.startsWith(ID_START) ? box.open(id.slice(ID_START.length), BOUND_TO) : null
  if (text === null) return null
  const [name = '', ...redirectUris] = JSON.parse(text) as string[]
  return { id, kind: 'registered', name, redirectUris }
}

export type AppFinder = {
  db: Db
  box: SecretBox
  documents: DocumentReader
  isPrivateAllowed: boolean
  /** Takes what reading a document costs from the limit of the visitor who causes it. */
  mayRead(): Promise<void>
}

/**
 * Returns the app that a client_id names: registered here, or described by a document at that address. Throws an
 * OAuthError where there is none. Only apps that an account connected have a row, and those of releases before.
 */
export async function findApp(finder: AppFinder, id: string | null): Promise<Client> {
  if (id === OWN_CLIENT.id) return OWN_CLIENT
  if (id === null || !isReadable(id)) throw unknownClient()
  const registered = openClient(finder.box, id)
  const row = registered === null ? await findClient(finder.db, id) : null
  const known = registered ?? row
  if (known === null && !isDocumentId(id, finder.isPrivateAllowed)) throw unknownClient()
  if (known?.kind === 'registered') {
    // A release before this one registered any name.
    if (!takesOurName(known.name)) return known
    throw new OAuthError(
      'invalid_client',
      'This app is called like this service; register it by another name.',
    )
  }
  const isFresh = row !== null && row.ageSeconds < OAUTH_LIMITS.documentKeptSeconds
  return isFresh ? row : readDocument(finder, id)
}

function unknownClient(): OAuthError {
  const message = 'client_id names no app that is known here; register it first.'
  return new OAuthError('invalid_client', message)
}

/**
 * Reads an app's document, and notes what it says where an account connected the app. It has to name its own address,
 * so that a copy elsewhere does not pass under its name.
 */
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
  await updateClient(finder.db, client)
  return client
}

function fieldOf(document: unknown, name: string): unknown {
  return (document as Record<string, unknown>)[name]
}

/**
 * Returns whether the text can be an id of ours; others are not looked up, since the database does not take all bytes.
 */
function isReadable(id: string): boolean {
  return id.length <= CLIENT_ID_CHARS_MAX && /^[\x21-\x7e]+$/.test(id)
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

/** Deletes expired tokens, codes and logins, and clients that no account has connected. Returns how many rows. */
export function sweepApps(db: Db): Promise<number> {
  return sweepInBatches((rowsMax) => sweepOnce(db, rowsMax))
}

async function sweepOnce(db: Db, rowsMax: number): Promise<number> {
  const tokens = await transact(db, async (tx) => {
    const uses = await sweepAppTokens(tx, rowsMax)
    await noteUses(tx, uses)
    return uses.length
  })
  const refreshTokens = await sweepTable(db, 'oauth_refresh_token', { rowsMax })
  const grants = await sweepTable(db, 'oauth_grant', { rowsMax })
  const logins = await sweepTable(db, 'device_login', { rowsMax })
  const seconds = OAUTH_LIMITS.unconnectedClientSeconds
  return tokens + refreshTokens + grants + logins + (await sweepClients(db, { seconds, rowsMax }))
}
