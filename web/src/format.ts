/** Numbers and times in words, in the reader's language; acts of the account in the reader's time zone. */
import { publishDay } from '../../src/model/platform/publish-day.ts'
import { dollars } from '../../src/model/money/money.ts'
import type { Job } from '../../clients/typescript/src/schema.ts'

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const DAY_ITSELF = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const DAY_OF_YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const DAY_OF_YEAR_ITSELF = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const COUNT = new Intl.NumberFormat()
const MICROS = 1_000_000n

export function when(instant: string): string {
  return WHEN.format(new Date(instant))
}

/** Returns "today, 8:38 AM", "yesterday, 8:38 AM", "Mar 4, 8:38 AM" of this year, and of others the date. */
export function recently(instant: string): string {
  return recentWords(new Date(instant), new Date())
}

/** Returns `at` as people say it on the day of `now`. */
export function recentWords(at: Date, now: Date): string {
  const dayBefore = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (isSameDay(at, now)) return `today, ${TIME.format(at)}`
  if (isSameDay(at, dayBefore)) return `yesterday, ${TIME.format(at)}`
  if (at.getFullYear() !== now.getFullYear()) return DAY.format(at)
  return `${DAY_OF_YEAR.format(at)}, ${TIME.format(at)}`
}

/** Returns the time of day, in as many figures at every hour. */
export function hourOf(instant: string): string {
  return HOUR.format(new Date(instant))
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

/** Returns the day of an act of the account, such as an order. A video's day is `publishedOn`. */
export function day(instant: string): string {
  return DAY.format(new Date(instant))
}

/** Returns "2026-11-30", a day that belongs to no time zone, in words. */
export function namedDay(day: string): string {
  return DAY_ITSELF.format(new Date(`${day}T00:00:00Z`))
}

/** Returns the same within a year: "Nov 30". */
export function dayOfYear(day: string): string {
  return DAY_OF_YEAR_ITSELF.format(new Date(`${day}T00:00:00Z`))
}

/** Returns the day of a video, by the platform's clock; null where its date is not known. */
export function publishedOn({ publishedAt }: { publishedAt: string | null }): string | null {
  const day = publishDay(publishedAt)
  return day === null ? null : namedDay(day)
}

const MONTH = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Returns "2026-11" as "November 2026". */
export function monthName(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`))
}

/** Returns the days of "2026-11": "2026-11-01" to "2026-11-30". */
export function daysOfMonth(month: string): string[] {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: last }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`)
}

export function count(value: number): string {
  return COUNT.format(value)
}

/** Returns "1,204.5 MB", of a million bytes each, or "37 KB" where it is less than a tenth of one. */
export function megabytes(bytes: number): string {
  if (bytes > 0 && bytes < 1e5) return `${count(Math.ceil(bytes / 1e3))} KB`
  return `${count(Math.round(bytes / 1e5) / 10)} MB`
}

/** Returns the facts that there are, with dots between them. */
export function dotted(facts: readonly (string | null)[]): string {
  return facts.filter((fact) => fact !== null && fact !== '').join(' · ')
}

/** Returns "1 transcript", "1,204 transcripts". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Ways into an account, and what it tells, by how an answer calls them. */
const ACCESS = { keys: 'API key', passkeys: 'passkey', apps: 'connected app', webhooks: 'webhook' }

/** Returns "2 API keys, 1 passkey and 1 connected app"; numbers of 0 are left out. */
export function accessWords(numbers: { [Name in keyof typeof ACCESS]?: number }): string {
  const parts = (Object.keys(ACCESS) as (keyof typeof ACCESS)[])
    .filter((name) => (numbers[name] ?? 0) > 0)
    .map((name) => counted(numbers[name] ?? 0, ACCESS[name]))
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** Returns an amount alone, exactly: "4.000" as "$4.00", "0.008" as "$0.008", "-1204.500" as "−$1,204.50". */
export function usd(text: string): string {
  return usdOfMicros(microsOf(text))
}

/** Returns an amount of a column, whose points stand below each other: "4.000" as "$4.000". */
export function usdInColumn(text: string): string {
  return usd(text).replace(/\.\d\d$/, '$&0')
}

/** Returns the exact micros of a money string, without floats. */
export function microsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.replace(/^-/, '').split('.')
  const micros = BigInt(whole) * MICROS + BigInt(decimals.padEnd(6, '0').slice(0, 6))
  return text.startsWith('-') ? -micros : micros
}

export function usdOfMicros(micros: bigint): string {
  return dollars(micros).replace('-', '−')
}

const LANGUAGES = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' })

/** Returns "pt-BR" as "Brazilian Portuguese"; a text that is no code stays as it is. */
export function languageName(code: string): string {
  try {
    return LANGUAGES.of(code) ?? code
  } catch {
    return code
  }
}

/** Returns what a job is called, as the service says it; an answer of an event leaves it out. */
export function jobTitle({ title }: Job): string {
  return title ?? 'A job'
}
