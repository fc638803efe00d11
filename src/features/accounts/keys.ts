/** API keys and the bearers of the website: issued, revoked, and what a request is authenticated by. */
import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { Problem } from '../../kit/problem.ts'
import {
  createSecret,
  hashSecret,
  KEY_START,
  looksLikeKey,
  SECRET_BYTES,
  SESSION_START,
} from '../../model/accounts/tokens.ts'
import {
  countLiveKeys,
  deleteDeadBearers,
  deleteOldRevokedKeys,
  deleteUnusedKey,
  insertApiKey,
  type KeyLimits,
  lockAccount,
  revokeApiKey,
} from '../../store/accounts.ts'
import { type Authenticated, authenticateKey, type ReadAlong } from '../../store/authentication.ts'
import type { Db, Tx } from '../../store/database.ts'

export { type Authenticated, meterSite, type ReadAlong } from '../../store/authentication.ts'

const KEYS_MAX = 100

type IssuedKey = { keyId: string; apiKey: string; prefix: string }

/**
 * Returns the key in clear; its hash and prefix are stored. Without `limits` it may do everything. Throws a `Problem`
 * where the account has as many live keys as it may: they are counted under its lock, so that two requests cannot count
 * the same.
 */
export async function issueKey(
  tx: Tx,
  { accountId, name, limits }: { accountId: string; name: string; limits?: KeyLimits },
): Promise<IssuedKey> {
  const { secret, prefix, hash } = createSecret(KEY_START, randomBytes(SECRET_BYTES))
  const keyId = `key_${randomUUID().replaceAll('-', '')}`

  if (!(await lockAccount(tx, accountId))) throw new Problem('unauthorized')
  if ((await countLiveKeys(tx, accountId)) >= KEYS_MAX) {
    throw new Problem('invalid_request', {
      message: `An account can have at most ${KEYS_MAX} keys; revoke one that is no longer used.`,
    })
  }
  await insertApiKey(tx, {
    id: keyId,
    accountId,
    name,
    prefix,
    secretHash: hash,
    kind: 'key',
    bucket: keyId,
    bucketSize: LIMITS.keyBucketSize,
    refillPerSecond: LIMITS.keyRefillPerSecond,
    lifetimeSeconds: null,
    ...(limits === undefined ? {} : { limits }),
  })
  return { keyId, apiKey: secret, prefix }
}

/** Number of revoked keys that an account keeps in its list, the latest ones. */
const REVOKED_KEYS_MAX = 100

/**
 * Revokes the key; returns false where there is no such key (of that account, if one is named). A key that was never
 * used is deleted; the latest of the used ones stay listed as revoked.
 */
export async function revokeKey(
  tx: Tx,
  { keyId, accountId }: { keyId: string; accountId: string | null },
): Promise<boolean> {
  if (await deleteUnusedKey(tx, { keyId, accountId })) return true
  const owner = await revokeApiKey(tx, { keyId, accountId })
  if (owner === null) return false
  await deleteOldRevokedKeys(tx, { accountId: owner, keptMax: REVOKED_KEYS_MAX })
  return true
}

const SESSION_BEARER_SECONDS = 900

/**
 * Issues the short-lived key with which a signed-in browser calls the public API, and returns it in clear. It is never
 * listed, and all bearers of an account share one bucket.
 */
export async function issueSessionBearer(
  db: Db,
  accountId: string,
): Promise<{ bearer: string; lifetimeSeconds: number }> {
  const { secret, prefix, hash } = createSecret(SESSION_START, randomBytes(SECRET_BYTES))
  await transact(db, async (tx) => {
    await deleteDeadBearers(tx, accountId)
    await insertApiKey(tx, {
      id: `session_${randomUUID().replaceAll('-', '')}`,
      accountId,
      name: 'website',
      prefix,
      secretHash: hash,
      kind: 'session',
      bucket: `sessions:${accountId}`,
      bucketSize: LIMITS.sessionBucketSize,
      refillPerSecond: LIMITS.sessionRefillPerSecond,
      lifetimeSeconds: SESSION_BEARER_SECONDS,
    })
  })
  return { bearer: secret, lifetimeSeconds: SESSION_BEARER_SECONDS }
}

// Authenticates a request, by a bearer key or as a page of the website, and takes the token that it costs.

/** The scheme's case does not matter (RFC 9110); a key in a query string is never looked at. */
const BEARER = /^bearer +([\w-]+) *$/i

/** Returns whether the header holds a key at all, known or not. */
export function isKey(authorization: string | undefined): boolean {
  return BEARER.test(authorization ?? '')
}

/** Returns the key and what was read along, or null where the header is missing or names no live key. */
export async function authenticate(
  pool: pg.Pool,
  authorization: string | undefined,
  read?: ReadAlong,
): Promise<Authenticated | null> {
  const secret = BEARER.exec(authorization ?? '')?.[1]
  if (secret === undefined || !looksLikeKey(secret)) return null
  return authenticateKey(pool, hashSecret(secret), read)
}
