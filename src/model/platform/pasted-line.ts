/** A pasted line as people have it: with list markers, Markdown, commas, escapes, or several addresses. */
import { LIMITS } from '../../kit/config/config.ts'
import { hasVisible, withoutInvisible } from '../../kit/text/invisible.ts'
import { trimCharacters } from '../../kit/text/outside-text.ts'

/** What a list in a document puts before its items; a blank follows, else it is part of the item. */
const LIST_MARKER = /^(?:[-*+•◦‣▪·–—]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/
const AROUND = { start: '<"\'“‘(', end: '>"\'”’),;' }
/** An escaped `/`, `?` or `=`: only an address that was escaped as a whole holds one. */
const ESCAPED = /%(?:25)?(?:2F|3F|3D)/i
const ADDRESS_START = /^[<("']?(?:https?:\/\/|(?:[a-z]{1,9}\.)?youtu(?:be\.com|\.be)\/)/i
const SEPARATOR = /^[-,;|&+•–—]{1,3}$/

/**
 * Returns the addresses on one line, each as it was pasted: several only where nothing else stands between them. Such a
 * line was no source in earlier releases, so no URL set of an earlier job reads otherwise.
 */
export function addressesOf(line: string): string[] {
  if (line.length > LIMITS.sourceLineChars || !/\s/.test(line)) return [line]
  const words = withoutMarker(line)
    .split(/\s/)
    .filter((word) => hasVisible(word) && !SEPARATOR.test(withoutInvisible(word)))
  const areAddresses = words.every((word) => ADDRESS_START.test(withoutInvisible(word)))
  return words.length > 1 && areAddresses ? words : [line]
}

/** Returns the address inside the line; null where nothing is wrapped around it. */
export function unwrapped(line: string): string | null {
  const item = withoutMarker(withoutInvisible(line).trim())
  const target = markdownTarget(item) ?? item
  const bare = trimCharacters(target, AROUND).trim()
  const address = ESCAPED.test(bare) ? unescaped(bare) : bare
  return address === line ? null : address
}

function withoutMarker(line: string): string {
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

/** Returns the text without its escapes; a text that was escaped twice is read once more. */
function unescaped(text: string): string {
  try {
    const once = decodeURIComponent(text)
    return ESCAPED.test(once) && !once.includes('/') ? decodeURIComponent(once) : once
  } catch {
    return text
  }
}
