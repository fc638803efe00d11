/** Outside text on a terminal: no control sequences, and in other locales than UTF-8 no characters that they lack. */

/** Controls (an escape sequence begins with one) and characters that change the direction of text. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

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
