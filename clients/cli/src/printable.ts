/**
 * Outside text on a terminal: no control sequences, and in other locales than UTF-8 no characters that they lack. Data
 * for programs is the same value everywhere: JSON has escapes for what a terminal would obey, and of texts only
 * controls go, which no line of them needs.
 */

/** Controls (an escape sequence begins with one) and characters that change the direction of text. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const CONTROLS = /\p{Cc}/gu
const KEPT = '\t\r\n'
const RETURNS = /\r\n|\r/g
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** What of these JSON may hold as it is, and line ends of Unicode. */
const ESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Returns lines of text as data: nothing in them commands a terminal. On one, nothing is turned around either, and no
 * carriage return within a line has its beginning written over.
 */
export function shownData(text: string, { isTerminal }: { isTerminal: boolean }): string {
  const safe = text.replace(CONTROLS, (control) => (KEPT.includes(control) ? control : ' '))
  if (!isTerminal) return safe
  return safe.replace(RETURNS, (end) => (end === '\r' ? ' ' : end)).replace(TURNS, '')
}

/** Returns the value's JSON, in which nothing commands a terminal. */
export function jsonOf(value: unknown): string {
  return safeJson(JSON.stringify(value))
}

/** Returns the JSON of the same value in which nothing commands a terminal. */
export function safeJson(json: string): string {
  return json.replace(ESCAPED, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns one line that a terminal shows as it is. */
export function printable(text: string, { isUnicode }: { isUnicode: boolean }): string {
  const safe = text.toWellFormed().replace(UNSAFE, ' ')
  return isUnicode ? safe : inAscii(safe)
}

const ASCII_FORMS: Record<string, string> = {
  '…': '...',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '×': 'x',
}

function inAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) => ASCII_FORMS[character] ?? '?')
}
