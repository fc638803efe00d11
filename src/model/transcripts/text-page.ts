/** Pages of a text by characters (UTF-16 code units): joined, they are the text again. */

export type TextPage = {
  text: string
  /** The place of the page's first character. */
  from: number
  /** The place behind the page's last character. */
  to: number
  total: number
}

/** How far before its end a page looks for a blank to end at, as a part of its length. */
const LOOKED_BACK = 0.1

/** Returns the page at `from`, at most `charsMax` long; null where `from` is behind the end of the text. */
export function textPage(
  text: string,
  { from, charsMax }: { from: number; charsMax: number },
): TextPage | null {
  const total = text.length
  if (from > total) return null
  const to = endOf(text, from, charsMax)
  return { text: text.slice(from, to), from, to, total }
}

/**
 * Returns the end of a page: behind a line break or a blank if one is near, and never between the halves of a surrogate
 * pair.
 */
function endOf(text: string, from: number, charsMax: number): number {
  const end = from + charsMax
  if (end >= text.length) return text.length
  const earliest = end - Math.floor(charsMax * LOOKED_BACK)
  for (const blank of ['\n', ' ']) {
    const last = text.lastIndexOf(blank, end - 1)
    if (last >= earliest) return last + 1
  }
  const splitsPair = isHighSurrogate(text.charCodeAt(end - 1)) && end - 1 > from
  return splitsPair ? end - 1 : end
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
