/** The balance of an account: read, and added to. */
import { available, type Balance, topUp } from '../../model/money/ledger.ts'
import { affordable } from '../../model/money/money.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  appendEntries,
  lockBalance,
  type LockedBalance,
  readBalanceRow,
} from '../../store/ledger.ts'

// Reads what an account can spend: money reserved for running jobs is already subtracted.

export type BalanceView = {
  availableMicros: bigint
  heldMicros: bigint
  affordableTranscripts: number
}

export async function readBalance(db: Db, accountId: string): Promise<BalanceView> {
  return viewOf((await readBalanceRow(db, accountId)) ?? { postedMicros: 0n, heldMicros: 0n })
}

export function viewOf(balance: Balance): BalanceView {
  const availableMicros = available(balance)
  return {
    availableMicros,
    heldMicros: balance.heldMicros,
    affordableTranscripts: affordable(availableMicros),
  }
}

// Adds money to an account: an operator's grant or a payment that arrived.

/**
 * Adds credit and returns the balance after it. `reference` names the payment: a repeated one throws the index's
 * violation and adds nothing.
 */
export async function addCredit(
  tx: Tx,
  credit: { accountId: string; micros: bigint; reference: string; reason: string | null },
): Promise<LockedBalance> {
  const balance = await lockBalance(tx, credit.accountId)
  const posting = { reference: credit.reference, jobId: null, reason: credit.reason }
  return appendEntries(tx, balance, [{ entry: topUp(credit.micros), posting }])
}
