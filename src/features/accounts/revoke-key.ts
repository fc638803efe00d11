/** Revokes an API key at once; deletes keys that were never used, and old revoked ones. */
import { deleteOldRevokedKeys, deleteUnusedKey, revokeApiKey } from '../../store/accounts.ts'
import type { Tx } from '../../store/database.ts'

/** Revoked keys an account keeps in its list, the latest ones. */
const REVOKED_KEYS_MAX = 100

/**
 * False where there is no such key (of that account, if one is named). A key that was never used goes;
 * of the used ones the latest stay listed as revoked.
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
