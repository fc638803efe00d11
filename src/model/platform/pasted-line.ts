/** A pasted line as people have it: with list markers, Markdown, commas or escapes around an address. */
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { trimCharacters } from '../../kit/text/outside-text.ts'

/**
 * Quotation marks and brackets of all scripts but ASCII's, by their class in Unicode. Each may stand on either side, as
 * in »this« and „this“.
 */
export const QUOTES = Array.from({ length: 0xff80 }, (_, at) => String.fromCharCode(at + 0x80))
  .filter((character) => /[\p{Pi}\p{Pf}\p{Ps}\p{Pe}＂＇＜＞]/u.test(character))
  .join('')

/** Mark of a list in a document before its items; a blank follows, else it is part of the item. */
const LIST_MARKER = /^(?:[-*+•◦‣▪·–—]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/
const AROUND = { start: `<"'(${QUOTES}`, end: `>"'),;${QUOTES}` }
/** Marks behind the last word of a sentence, in the scripts of those who paste. */
const SENTENCE_END = { start: '', end: `${AROUND.end}.!?…。！？，；：、،؛؟۔।॥` }
/** An id of 11 letters that reads as words, or as one number. */
export const ID_LIKE_WORDS = /^(?:\d+|(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-_]+(?:[A-Z]?[a-z]+|[A-Z]+))*)$/
/** An escaped `/`, `?` or `=`: only an address that was escaped as a whole holds one. */
const ESCAPED = /%(?:25)?(?:2F|3F|3D)/i
/** Title and bracket between the address of a Markdown link and its end. */
const HINT = /\s+(?:"[^"]*"|'[^']*')\)|\)/y

/** Returns the address inside the line; null where nothing is wrapped around it. */
export function unwrapped(line: string): string | null {
  const item = withoutMarker(withoutInvisible(line).trim())
  const target = markdownTarget(item) ?? item
  const bare = withoutSentenceEnd(trimCharacters(target, AROUND).trim())
  const address = ESCAPED.test(bare) ? unescaped(bare) : bare
  return address === line ? null : address
}

/** A word at the end of a sentence is no id, even if it has as many letters. */
function withoutSentenceEnd(text: string): string {
  const inner = trimCharacters(text, SENTENCE_END)
  return ID_LIKE_WORDS.test(inner) ? text : inner
}

/** Returns the line without what a list in a document puts before its items. */
export function withoutMarker(line: string): string {
  return line.replace(LIST_MARKER, '')
}

/** Returns the address of `[title](address)` and `[title](address "hint")`; null where the text is no such link. */
function markdownTarget(text: string): string | null {
  const from = text.startsWith('[') || text.startsWith('![') ? text.lastIndexOf('](') : -1
  if (from < 0 || from + 2 === text.length) return null
  const rest = text.slice(from + 2)
  const end = rest.search(/[)\s]/)
  return end === 0 ? null : rest.slice(0, end < 0 ? rest.length : end)
}

/** Returns each `[title](address)` of a text, with where it begins and ends, in order. */
export function linkTargets(text: string): { at: number; end: number; target: string }[] {
  const found: { at: number; end: number; target: string }[] = []
  for (const { index } of text.matchAll(/\]\(/g)) {
    const before = found.at(-1)?.end ?? 0
    const at = text.indexOf('[', before)
    const from = index + 2
    if (at < 0 || at > index || index < before) continue
    const length = text.slice(from).search(/[)\s]|$/)
    if (length === 0) continue
    HINT.lastIndex = from + length
    const end = HINT.test(text) ? HINT.lastIndex : from + length
    const isPicture = at > before && text.charAt(at - 1) === '!'
    found.push({ at: isPicture ? at - 1 : at, end, target: text.slice(from, from + length) })
  }
  return found
}

/** Returns the text without its escapes; a text that was escaped twice is read once more. */
function unescaped(text: string): string {
  try {
    const once = decodeURIComponent(text)
    return ESCAPED.test(once) && !once.includes('/') ? decodeURIComponent(once) : once
  } catch {
    return text
  }
}
