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

/** Returns what so many transcripts cost at this price in micros, as the API writes it. */
export function costOf(transcripts: number, price: bigint): string {
  return usdOf(BigInt(transcripts) * price)
}

/** Returns how many transcripts an amount pays for at this price, both in micros. */
export function affordable(micros: bigint, price: bigint): number {
  return Number(micros / price)
}

const CENTS = 2

/**
 * Returns an amount for people, as the website writes it: "$4.00", "$0.008", "$1,204.50". It has two decimals, and
 * further ones only where they are not zero.
 */
export function dollars(usd: string): string {
  const [whole = '', decimals = ''] = usd.split('.')
  let end = decimals.length
  while (end > CENTS && decimals.charAt(end - 1) === '0') end -= 1
  return `$${BigInt(whole).toLocaleString('en-US')}.${decimals.slice(0, end).padEnd(CENTS, '0')}`
}
