/** Issues an API key: the only moment its secret is seen. */
import { randomBytes, randomUUID } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { Problem } from '../../kit/problem.ts'
import { countLiveKeys, insertApiKey, type KeyLimits, lockAccount } from '../../store/accounts.ts'
import type { Tx } from '../../store/database.ts'
import { createSecret, KEY_START, SECRET_BYTES } from '../../model/accounts/api-key.ts'

const KEYS_MAX = 100

export type IssuedKey = { keyId: string; apiKey: string; prefix: string }

/**
 * Returns the key in clear; what is stored is its hash and prefix. Without `limits` it may do everything. Throws a `Problem` where the account
 * has as many live keys as it may: they are counted under its lock, so that no two makers count the same.
 */
export async function issueKey(
  tx: Tx,
  { accountId, name, limits }: { accountId: string; name: string; limits?: KeyLimits },
): Promise<IssuedKey> {
  const { secret, prefix, hash } = createSecret(KEY_START, randomBytes(SECRET_BYTES))
  const keyId = `key_${randomUUID().replaceAll('-', '')}`

  await lockAccount(tx, accountId)
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
