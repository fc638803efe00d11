/** Outside text on a terminal: no control sequences, and in other locales no characters that they lack. */

/** Controls (an escape sequence begins with one) and what turns the direction of text around. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** One line that a terminal shows as it stands. */
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
