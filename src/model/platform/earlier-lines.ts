/**
 * How releases up to 1.0 split a line: what an account got for it then counts as delivered, however it is read now.
 * Nothing here may ever change, since hashes of URL sets are made of it.
 */
import { LIMITS } from '../../config/config.ts'
import { withoutMarker } from './pasted-line.ts'

const ADDRESS_START = /^[<("']?(?:https?:\/\/|(?:[a-z]{1,9}\.)?youtu(?:be\.com|\.be)\/)/i
const SEPARATOR = /^[-,;|&+•–—]{1,3}$/
const WEBSITE_START =
  /^(?:https?:\/\/|@|(?:[a-z]{1,9}\.)?youtu(?:be\.com|\.be)\/|(?:UC|PL|UU|OLAK5uy_)[\w-]{10}|[\w-]{11}$)/i

/** Returns the words of a line in which nothing but addresses stands between blanks; else the line, by itself. */
export function wordsOf(line: string): string[] {
  if (line.length > LIMITS.sourceLineChars || !/\s/.test(line)) return [line]
  const words = withoutMarker(line)
    .split(/\s/)
    .filter((word) => word !== '' && !SEPARATOR.test(word))
  return words.length > 1 && words.every((word) => ADDRESS_START.test(word)) ? words : [line]
}

/** Returns what the website made of a line before it sent it, and the API of that. */
function websiteWordsOf(line: string): string[] {
  const words = line.split(/[\s,;]+/).filter((word) => word !== '')
  const isSplit = words.length > 1 && words.every((word) => WEBSITE_START.test(word))
  return (isSplit ? words : [line]).flatMap(wordsOf)
}

/** The readings of earlier releases, of which each account used one or both. */
export const EARLIER_READINGS: readonly ((line: string) => string[])[] = [wordsOf, websiteWordsOf]
