/** Preparation of pasted text before the server reads it. Pure: no requests, no page. */
import { hasVisible, withoutInvisible } from '../../src/kit/text/invisible.ts'

/** Matches the beginning of an address or an id; any other word is part of a sentence. */
const ADDRESS =
  /^(?:https?:\/\/|@|(?:[a-z]{1,9}\.)?youtu(?:be\.com|\.be)\/|(?:UC|PL|UU|OLAK5uy_)[\w-]{10}|[\w-]{11}$)/i
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Splits a line at spaces, commas and semicolons where all its words are addresses. */
export function partedLines(text: string): string {
  return text.split(LINE_BREAK).flatMap(partedLine).join('\n')
}

function partedLine(line: string): string[] {
  const words = line.split(/[\s,;]+/).filter(hasVisible)
  const areAddresses = words.every((word) => ADDRESS.test(withoutInvisible(word)))
  return words.length > 1 && areAddresses ? words : [line]
}

/** Returns the text without these lines, and without blank ones. */
export function withoutLines(text: string, unusable: ReadonlySet<string>): string {
  return partedLines(text)
    .split('\n')
    .filter((line) => hasVisible(line) && !unusable.has(line.trim()))
    .join('\n')
}
