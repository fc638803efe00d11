/** Reads what an account can spend: money reserved for running jobs is already subtracted. */
import type { Db } from '../../store/database.ts'
import { readBalanceRow } from '../../store/ledger.ts'
import { available, type Balance } from '../../model/money/ledger.ts'
import { affordable } from '../../model/money/money.ts'

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
