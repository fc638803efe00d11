/** What a spreadsheet may take for the beginning of a formula, made of Unicode's own lists. */

const LAST = 0x10_ffff
const everyCharacter = Array.from({ length: LAST + 1 }, (_, code) => String.fromCodePoint(code))

/** `=`, `+`, `-`, `@` and U+2212, and what is one of them in its plain form: fullwidth, small, raised, doubled, `≠`. */
const SIGNS = everyCharacter.filter((one) => /^[=+\-@\u2212]/.test(one.normalize('NFKD')))
/** White space, controls, characters of format, and what else has no ink. */
const UNSEEN = everyCharacter.filter((one) =>
  /[\s\p{Cc}\p{Cf}\u115f\u2800\u3164\uffa0]|\p{VS}|\u034f/u.test(one),
)

export const FORMULAS: readonly string[] = [
  ...SIGNS.flatMap((sign) =>
    ['', ' ', '\u00a0', '\u200b\u202e'].map((front) => `${front}${sign}1+1`),
  ),
  ...UNSEEN.flatMap((one) => [`${one}=1+1`, `${one} ${one}＝1+1`]),
  ...['\t', '\r', '\n'].map((end) => `${end}x`),
]

const unseen = new Set(UNSEEN)

/** Whether a cell, as a reader of CSV has it, begins as a formula may. */
export function isFormula(cell: string): boolean {
  if (/^[\t\r\n]/.test(cell)) return true
  const first = [...cell].find((one) => !unseen.has(one))
  return first !== undefined && SIGNS.includes(first)
}
