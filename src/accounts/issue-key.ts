/** Issues an API key: the only moment its secret is seen. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../config.ts'
import { insertApiKey } from '../store/accounts.ts'
import type { Db } from '../store/database.ts'
import { createSecret, KEY_START } from './api-key.ts'

export type IssuedKey = { keyId: string; apiKey: string; prefix: string }

/** Returns the key in clear; what is stored is its hash and prefix. */
export async function issueKey(
  db: Db,
  { accountId, name }: { accountId: string; name: string },
): Promise<IssuedKey> {
  const { secret, prefix, hash } = createSecret(KEY_START)
  const keyId = `key_${randomUUID().replaceAll('-', '')}`
  await insertApiKey(db, {
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
  })
  return { keyId, apiKey: secret, prefix }
}
