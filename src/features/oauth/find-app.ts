/** Finds the app that a client_id names: registered here, or described by a document at the address that it is. */
import type { Db } from '../../store/database.ts'
import { findClient, upsertClient } from '../../store/oauth-clients.ts'
import { type Client, isDocumentId, OWN_CLIENT, readClient } from '../../model/oauth/client.ts'
import { OAUTH_LIMITS } from '../../model/oauth/lifetimes.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import type { DocumentReader } from './document-reader.ts'

export type AppFinder = {
  db: Db
  documents: DocumentReader
  isPrivateAllowed: boolean
  /** Takes what reading a document costs whoever makes us do so. */
  mayRead(): Promise<void>
}

/** Throws an OAuthError where there is none. */
export async function findApp(finder: AppFinder, id: string | null): Promise<Client> {
  if (id === OWN_CLIENT.id) {
    await upsertClient(finder.db, OWN_CLIENT)
    return OWN_CLIENT
  }
  const known = id === null || !isReadable(id) ? null : await findClient(finder.db, id)
  if (id === null || (known === null && !isDocumentId(id, finder)))
    throw new OAuthError(
      'invalid_client',
      'client_id names no app that is known here; register it first.',
    )
  const isFresh = (known?.ageSeconds ?? Infinity) < OAUTH_LIMITS.documentKeptSeconds
  return known !== null && (known.kind !== 'document' || isFresh) ? known : readDocument(finder, id)
}

/** The document names its own address, so that nobody can publish a copy elsewhere under its name. */
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
  const client: Client = {
    id,
    kind: 'document',
    name: reading.name,
    redirectUris: reading.redirectUris,
  }
  await upsertClient(finder.db, client)
  return client
}

function fieldOf(document: unknown, name: string): unknown {
  return (document as Record<string, unknown>)[name]
}

/** What no id of ours can be is not asked for: bytes that the database does not take among it. */
function isReadable(id: string): boolean {
  return id.length <= 512 && /^[\x21-\x7e]+$/.test(id)
}
