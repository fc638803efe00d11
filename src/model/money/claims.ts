/**
 * Claims: refunds and disputes of a payment. A claim takes back its amount, all claims of a payment
 * together at most what the payment credited, and never more than the account has available:
 * what is missing is the operator's loss, shown by `admin payment claims`.
 */
import { adjust, type Balance, type Entry } from './ledger.ts'

export type Claim = { id: string; claimedMicros: bigint; takenMicros: bigint }

/** Returns the adjustment that brings a claim to where it must be; null where nothing can or need move. */
export function settleClaim(
  {
    balance,
    creditedMicros,
    claims,
  }: {
    balance: Balance
    creditedMicros: bigint
    claims: readonly Claim[]
  },
  claim: Claim,
): Entry | null {
  const others = claims
    .filter(({ id }) => id !== claim.id)
    .reduce((sum, { takenMicros }) => sum + takenMicros, 0n)
  const left = creditedMicros - others
  const due = claim.claimedMicros < left ? claim.claimedMicros : left
  const micros = claim.takenMicros - due
  return micros === 0n ? null : adjust(balance, micros)
}

/** Returns what a claim could not take back, in micros. */
export function shortfall({ claimedMicros, takenMicros }: Claim): bigint {
  return claimedMicros > takenMicros ? claimedMicros - takenMicros : 0n
}
