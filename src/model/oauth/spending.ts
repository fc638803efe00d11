/** What an app or a limited key may still spend: its cap, less what its jobs of the month reserve or were charged. */

/** In micros; never below zero, though an owner may lower a cap below what was spent. */
export function leftToSpend({
  capMicros,
  spentMicros,
}: {
  capMicros: bigint
  spentMicros: bigint
}): bigint {
  return capMicros > spentMicros ? capMicros - spentMicros : 0n
}
