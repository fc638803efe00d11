/** How pieces of a text are joined: with a blank, except where the script has none between its words. */

/**
 * A character of Chinese or Japanese writing, which parts no words; Korean parts them. Script_Extensions (Unicode
 * standard annex 24) adds the marks that these scripts share, such as `、`, `。` and `ー`; marks in full width belong to
 * no script.
 */
const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\uFF01\uFF08\uFF09\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F]/u
/** The first code point of such a character; earlier ones with these extensions (`·`) belong to all scripts. */
const UNSPACED_FROM = 0x2e80
const LAST_CHARACTER = /.$/su

/** Text between two pieces of a text that follow one another. */
export type Between = (before: string, after: string) => string

/** Returns nothing between two characters of Chinese or Japanese, else one blank. */
export const blankBetween: Between = (before, after) => {
  if (!isUnspaced(after)) return ' '
  // A pair of surrogates is the longest character.
  return isUnspaced(LAST_CHARACTER.exec(before.slice(-2))?.[0] ?? '') ? '' : ' '
}

function isUnspaced(text: string): boolean {
  return (text.codePointAt(0) ?? 0) >= UNSPACED_FROM && UNSPACED.test(text)
}

/** Returns one blank, whatever is joined. */
export const alwaysBlank: Between = () => ' '

/** Returns the texts, joined in order. */
export function joinedText(texts: readonly string[], between: Between = blankBetween): string {
  let joined = ''
  let before: string | null = null
  for (const text of texts) {
    joined += before === null ? text : `${between(before, text)}${text}`
    before = text
  }
  return joined
}
