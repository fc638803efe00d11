/** Authenticates a request by its bearer key and takes its token from the key's bucket. */
import type pg from 'pg'
import { type KeyVisit, visitApiKey } from '../store/visits.ts'
import { hashSecret, looksLikeKey } from './api-key.ts'

/** The scheme's case does not matter (RFC 9110); a key in a query string is never looked at. */
const BEARER = /^bearer +([\w-]+) *$/i

/**
 * The visit, or null where the header is missing or names no live key. `visit` may read what the
 * request will ask for on the same way.
 */
export async function authenticate<V extends KeyVisit = KeyVisit>(
  pool: pg.Pool,
  authorization: string | undefined,
  visit: (pool: pg.Pool, secretHash: Buffer) => Promise<V | null> = visitApiKey as typeof visit,
): Promise<V | null> {
  const secret = BEARER.exec(authorization ?? '')?.[1]
  if (secret === undefined || !looksLikeKey(secret)) return null
  return visit(pool, hashSecret(secret))
}
