/** Registers an app that describes itself (RFC 7591): anybody may, as it gives no rights. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../store/database.ts'
import { hasUnconnectedClients, upsertClient } from '../../store/oauth-clients.ts'
import { type Client, readClient } from '../../model/oauth/client.ts'
import { OAUTH_LIMITS } from '../../model/oauth/lifetimes.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'

/** Throws an OAuthError, also where there are too many that nobody connected: they are forgotten after a day. */
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
