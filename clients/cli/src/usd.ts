/** Money as the API writes it, decimal strings; sums are whole millionths. */

/** Returns "1.25" as millionths of a USD; null where the text is no amount. */
export function microsOf(usd: string): bigint | null {
  const [, dollars = '', decimals = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(usd) ?? []
  return dollars === '' ? null : BigInt(dollars) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
}

/** Returns an amount with three to six decimals, as the API writes it. */
export function usdOf(micros: bigint): string {
  const decimals = String(micros % 1_000_000n).padStart(6, '0')
  return `${micros / 1_000_000n}.${decimals.replace(/0{1,3}$/, '')}`
}

const CENTS = 2

/** Returns an amount for people: with a sign, without zeros after the cents. */
export function dollars(usd: string): string {
  const [whole = '', decimals = ''] = usd.split('.')
  let end = decimals.length
  while (end > CENTS && decimals.charAt(end - 1) === '0') end -= 1
  return `$${whole}.${decimals.slice(0, end)}`
}
