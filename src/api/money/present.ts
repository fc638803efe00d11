/** The balance as the API shows it. */
import { viewOf } from '../../features/money/balance.ts'
import type { Balance } from '../../model/money/ledger.ts'
import { formatUsd, PRICE_MICROS } from '../../model/money/money.ts'

export function presentBalance(balance: Balance) {
  const { availableMicros, affordableTranscripts } = viewOf(balance)
  return {
    balance: formatUsd(availableMicros),
    balanceMicros: Number(availableMicros),
    currency: 'USD' as const,
    pricePerTranscript: formatUsd(PRICE_MICROS),
    affordableTranscripts,
  }
}
