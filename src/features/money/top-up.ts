/** Adds money to an account: an operator's grant or a payment that arrived. */
import type { Tx } from '../../store/database.ts'
import { appendEntries, lockBalance, type LockedBalance } from '../../store/ledger.ts'
import { topUp } from '../../model/money/ledger.ts'

/**
 * `reference` names the payment: the same one again throws the index's violation and adds nothing.
 * Returns the balance after it.
 */
export async function addCredit(
  tx: Tx,
  credit: { accountId: string; micros: bigint; reference: string; reason: string | null },
): Promise<LockedBalance> {
  const balance = await lockBalance(tx, credit.accountId)
  const posting = { reference: credit.reference, jobId: null, reason: credit.reason }
  return appendEntries(tx, balance, [{ entry: topUp(credit.micros), posting }])
}
