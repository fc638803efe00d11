/** Creates an account with its balance: empty, or with a first key and credit. */
import { randomUUID } from 'node:crypto'
import { addCredit } from '../money/top-up.ts'
import { insertAccount } from '../../store/accounts.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { insertBalance } from '../../store/ledger.ts'
import { issueKey } from './issue-key.ts'

/** Returns the new account's id. An e-mail address that has an account throws the index's violation. */
export async function createAccount(tx: Tx, { email }: { email: string }): Promise<string> {
  const id = `acc_${randomUUID().replaceAll('-', '')}`
  await insertAccount(tx, { id, email })
  await insertBalance(tx, id)
  return id
}

/** An account, its first key (shown only now) and its first credit, all or nothing. */
export function createAccountWithKey(
  db: Db,
  { email, micros }: { email: string; micros: bigint },
): Promise<{ accountId: string; apiKey: string }> {
  return transact(db, async (tx) => {
    const accountId = await createAccount(tx, { email })
    const { apiKey } = await issueKey(tx, { accountId, name: 'first key' })
    const credit = {
      accountId,
      micros,
      reference: `grant:${randomUUID()}`,
      reason: 'credit at creation',
    }
    if (micros > 0n) await addCredit(tx, credit)
    return { accountId, apiKey }
  })
}
