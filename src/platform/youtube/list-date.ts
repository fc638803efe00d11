/** List dates: the ages that lists show ("3 weeks ago"), read as the instants that they may mean. */

/** The instants between which a date surely lies, a day's margin included. */
type DateInterval = { fromAt: Date; untilAt: Date }

const DAY_MS = 86_400_000
/** The margin for time zones, clocks and caches of the platform, by which every interval is widened at both ends. */
const MARGIN_MS = DAY_MS

/** Units with the milliseconds of their shortest and longest form; texts as of 2026-08. */
const UNITS: [RegExp, number, number][] = [
  [/^s(?:ec(?:ond)?s?)?$/, 1000, 1000],
  [/^mi?n?(?:ute)?s?$/, 60_000, 60_000],
  [/^h(?:(?:ou)?rs?)?$/, 3_600_000, 3_600_000],
  [/^d(?:ays?)?$/, DAY_MS, DAY_MS],
  [/^w(?:(?:ee)?ks?)?$/, 7 * DAY_MS, 7 * DAY_MS],
  [/^mo(?:nth)?s?$/, 28 * DAY_MS, 31 * DAY_MS],
  [/^y(?:(?:ea)?rs?)?$/, 365 * DAY_MS, 366 * DAY_MS],
]
const AGO = /^(\d{1,4})\s*([a-z]+)\.?\s+ago$/
const PREFIX =
  /^(?:streamed(?: live)?|premiered|live|started streaming|updated|published|premieres|scheduled for)\s*(?:on\s+)?/

/**
 * Returns null where the text shows no age. "N units ago" is cut off, not rounded: the age is from N up to N + 1 units.
 * Dates are read as the platform writes them in English, month first.
 */
export function readListDate(text: string, now: Date): DateInterval | null {
  const plain = text.toLowerCase().replaceAll('\u00a0', ' ').trim().replace(PREFIX, '')
  if (/^(?:just now|moments ago|today)$/.test(plain)) return aged(now, 0, DAY_MS)
  if (plain === 'yesterday') return aged(now, 0, 2 * DAY_MS)
  const ago = AGO.exec(plain)
  if (ago !== null) {
    const count = Number(ago[1])
    const unit = UNITS.find(([name]) => name.test(ago[2] ?? ''))
    if (unit === undefined) return null
    return aged(now, count * unit[1], (count + 1) * unit[2])
  }
  return readDay(plain)
}

/** Whether a list's text is an age or a date, and not a count of views. */
export function isListDate(text: string): boolean {
  return readListDate(text, new Date(0)) !== null
}

function aged(now: Date, leastMs: number, mostMs: number): DateInterval {
  const untilMs = Math.min(now.getTime(), now.getTime() - leastMs + MARGIN_MS)
  return { fromAt: new Date(now.getTime() - mostMs - MARGIN_MS), untilAt: new Date(untilMs) }
}

/** Returns the interval of a day, written like `1/2/26, 3:00 pm` or `jan 2, 2026`, in any time zone. */
function readDay(plain: string): DateInterval | null {
  const short = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})(?:,|\s|$)/.exec(plain)
  const long = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})(?:,|\s|$)/.exec(plain)
  const month = long === null ? Number(short?.[1]) : MONTHS.indexOf((long[1] ?? '').slice(0, 3)) + 1
  const day = Number(long?.[2] ?? short?.[2])
  const year = Number(long?.[3] ?? short?.[3])
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31 && year >= 0)) return null
  const startMs = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day)
  return { fromAt: new Date(startMs - MARGIN_MS), untilAt: new Date(startMs + DAY_MS + MARGIN_MS) }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
