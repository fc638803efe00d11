/** What is done with pasted text before the server reads it. Pure: no requests, no page. */

/** What an address or an id begins with; any other word is part of a sentence. */
const ADDRESS =
  /^(?:https?:\/\/|@|(?:[a-z]{1,9}\.)?youtu(?:be\.com|\.be)\/|(?:UC|PL|UU|OLAK5uy_)[\w-]{10}|[\w-]{11}$)/i
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Spaces, commas and semicolons part a line where nothing but addresses stands between them. */
export function partedLines(text: string): string {
  return text.split(LINE_BREAK).flatMap(partedLine).join('\n')
}

function partedLine(line: string): string[] {
  const words = line.split(/[\s,;]+/).filter((word) => word !== '')
  return words.length > 1 && words.every((word) => ADDRESS.test(word)) ? words : [line]
}

/** The text without these lines, and without blank ones. */
export function withoutLines(text: string, unusable: ReadonlySet<string>): string {
  return partedLines(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && !unusable.has(line.trim()))
    .join('\n')
}
