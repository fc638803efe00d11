/** Issues the short-lived key with which a signed-in browser calls the public API. */
import { randomBytes, randomUUID } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { deleteDeadBearers, insertApiKey } from '../../store/accounts.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { createSecret, SECRET_BYTES, SESSION_START } from '../../model/accounts/api-key.ts'

const SESSION_BEARER_SECONDS = 900

/** Returns the bearer in clear; it is never listed, and all of an account share one bucket. */
export async function issueSessionBearer(
  db: Db,
  { accountId }: { accountId: string },
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
