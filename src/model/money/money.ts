/**
 * Money: whole micros (millionths of a USD) as BigInt, and the decimal strings the wire shows.
 *
 * No float ever holds money: a number here counts transcripts, a bigint counts micros. The price stands here alone; the
 * website reads it here, too.
 */
/** The price of one delivered transcript in micros: 0.008 USD. */
export const PRICE_MICROS = 8_000n

const MICROS_PER_USD = 1_000_000n
const CENTS = 2
const DECIMALS_MIN = 3
const DECIMALS_MAX = 6
/** At most nine digits of dollars: far above any payment, far below what a database bigint holds. */
const USD_TEXT = /^(0|[1-9]\d{0,8})(?:\.(\d{1,6}))?$/

/** Returns what `transcripts` delivered transcripts cost, in micros. */
export function cost(transcripts: number): bigint {
  if (!Number.isSafeInteger(transcripts) || transcripts < 0)
    throw new RangeError('transcripts are counted whole')
  return BigInt(transcripts) * PRICE_MICROS
}

/** Returns how many transcripts `micros` pay for, rounded down; 0 for a sum below zero. */
export function affordable(micros: bigint): number {
  return micros > 0n ? Number(micros / PRICE_MICROS) : 0
}

/** Returns the sum in USD with three to six decimals: "0.008", "4.000", "-1.2345"; exact, never rounded. */
export function formatUsd(micros: bigint): string {
  const size = micros < 0n ? -micros : micros
  const decimals = (size % MICROS_PER_USD).toString().padStart(DECIMALS_MAX, '0')
  const kept = decimals.slice(0, DECIMALS_MIN) + decimals.slice(DECIMALS_MIN).replace(/0{1,3}$/, '')
  return `${micros < 0n ? '-' : ''}${size / MICROS_PER_USD}.${kept}`
}

/**
 * Returns the sum as people read it: "$4.00", "$0.008", "$1,204.50". Two decimals, and further ones only where they are
 * not zero, so that no amount is rounded. Sentences have this form, fields of the API that of `formatUsd`.
 */
export function dollars(micros: bigint): string {
  const size = micros < 0n ? -micros : micros
  const decimals = (size % MICROS_PER_USD).toString().padStart(DECIMALS_MAX, '0')
  const kept = decimals.slice(0, CENTS) + decimals.slice(CENTS).replace(/0{1,4}$/, '')
  return `${micros < 0n ? '-' : ''}$${(size / MICROS_PER_USD).toLocaleString('en-US')}.${kept}`
}

/** Returns an amount that is written as a field, "4.000", as a sentence has it: "$4.00". */
export function inDollars(usd: string): string {
  const micros = parseUsd(usd)
  return micros === null ? usd : dollars(micros)
}

/** Reads what an operator typed (`0.008`) into micros; null for all but a plain decimal below a billion dollars. */
export function parseUsd(text: string): bigint | null {
  const match = USD_TEXT.exec(text)
  if (match === null) return null
  const [, dollars = '0', decimals = ''] = match
  return BigInt(dollars) * MICROS_PER_USD + BigInt(decimals.padEnd(DECIMALS_MAX, '0'))
}
