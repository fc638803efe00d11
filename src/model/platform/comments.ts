/**
 * Comments in files of links, as the batch files of yt-dlp have them (`read_batch_urls`, November 2026): lines that
 * begin with `#`, `;` or `]`, and ` #` behind an address or id; `// ` and `-- `, as programs have them; and those of
 * HTML and C, over any number of lines. The mark of a list or quotation may stand before. What is commented out is
 * never ordered.
 */
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { JSON_START, LINE_BREAK, type NumberedLine } from './pasted-document.ts'
import { endsInName, isNamed, isOfNames, mayHoldAddress } from './line-parts.ts'
import { linkTargets, withoutMarker } from './pasted-line.ts'

/** A line without its comments, empty where all of it is one; and these, empty where it has none. */
type Uncommented = { text: string; comment: string }

const BEGINS = /^[#＃;；\]]/
/** Marks of quotations before a comment, and the signs of programs, which no address has before a blank. */
const MARKED = /^(?:>\s*){0,9}/
const OF_PROGRAMS = /^(?:\/\/[/!]?|--)\s|^--https?:/i
const MARK = /(?:^|\s)[#＃;；]/g
/** A hashtag, or a number such as `#1:`, with the blanks behind it. */
const HASHTAG = /[#＃](?:[\p{L}\p{M}\p{N}_]+|\d+[.:)])\s+/uy
/** In a page of Markdown, a heading may be a link; where it has one mark only, it may be commented out. */
const HEADING = /^#{2,6}\s/
/** A tag of HTML, whose texts hold signs of any kind. */
const TAG = /<\/?[a-z][\w-]*[\s>]/i
const WORD = /[^\s,;|、，；｜]+/g
const OPENINGS = /<!--|\/\*/g
/** The words of JSON hold these signs, but never at the beginning of a line. */
const OPENINGS_OF_JSON = /^[^\S\n\r]*\{?(?:<!--|\/\*)/gm
/** A line of a comment in several. */
const OF_LINES = /[^\n\v\f\r\u0085\u2028\u2029]+/g
/** An item of a list that is commented out: HTML has no comments of lines, but no such items, either. */
const ITEM = /^[-*+]\s+[#＃;；](?:\s|<)/
const LINE = /[^\n\r]+/g

/**
 * Takes off the comments that hold in HTML, too: those that have an end, which may be lines below, and items of lists.
 * The lines stay, as blanks; of one that holds the mark of a list beside, the mark goes, too.
 */
export function withoutBlocks(text: string): { text: string; comments: NumberedLine[] } {
  const spans = spansOf(text)
  const kept: string[] = []
  const comments: NumberedLine[] = []
  let [from, number] = [0, 1]
  for (const [start, end] of spans) {
    const [before, comment] = [text.slice(from, start), text.slice(start, end)]
    number += before.split(LINE_BREAK).length - 1
    const lines = comment.split(LINE_BREAK).map((line) => line.trim())
    for (const [at, line] of lines.entries())
      if (line !== '') comments.push({ number: number + at, text: line })
    number += lines.length - 1
    kept.push(before, comment.replace(OF_LINES, ' '))
    from = end
  }
  return { text: [...kept, text.slice(from)].join(''), comments }
}

/** Returns where such comments begin and end, in order and apart. */
function spansOf(text: string): [start: number, end: number][] {
  const items = [...text.matchAll(LINE)]
    .filter(([line]) => ITEM.test(line.trimStart()))
    .map(({ 0: line, index }) => [index, index + line.length])
  let past = 0
  return [...blocksOf(text), ...items]
    .map(([start = 0, end = 0]): [number, number] => [start, end])
    .toSorted(([one], [other]) => one - other)
    .filter(([start, end]) => start >= past && (past = end) > 0)
}

/** A mark without an end is none, and neither is one in an address. */
function blocksOf(text: string): [start: number, end: number][] {
  const openings = JSON_START.test(text) ? OPENINGS_OF_JSON : OPENINGS
  const blocks: [number, number][] = []
  const endless = new Set<string>()
  let past = 0
  for (const { 0: opening, index: at } of text.matchAll(openings)) {
    const mark = opening.endsWith('/*') ? '/*' : '<!--'
    const index = at + opening.length - mark.length
    const isOfProgram = mark === '/*'
    const close = isOfProgram ? '*/' : '-->'
    const isApart = !isOfProgram || index === 0 || /[\s{]/.test(text.charAt(index - 1))
    if (index < past || endless.has(close) || !isApart) continue
    const end = text.indexOf(close, index + mark.length)
    if (end < 0) {
      endless.add(close)
      continue
    }
    past = end + close.length
    // In JSX, braces stand around it.
    const isBraced = text.charAt(index - 1) === '{' && text.charAt(past) === '}'
    const [from, to] = isBraced ? [index - 1, past + 1] : [index, past]
    blocks.push([from - markBefore(text, from, to), to])
  }
  return blocks
}

/** Returns the length of the mark of a list or quotation before a comment, where the line holds nothing else. */
function markBefore(text: string, from: number, to: number): number {
  END_OF_LINE.lastIndex = to
  if (!END_OF_LINE.test(text)) return 0
  const before = text.slice(Math.max(0, from - MARK_CHARS), from)
  const at = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
  const line = before.slice(at)
  const isWhole = at > 0 || from <= MARK_CHARS
  return isWhole && withoutMarker(line.trimStart().replace(MARKED, '')) === '' ? line.length : 0
}

const END_OF_LINE = /[^\S\n\r]*(?:[\n\r]|$)/y
const MARK_CHARS = 16

/**
 * Takes the comments off a trimmed line. ` ;` begins one only where no address or id follows: before these, it
 * separates. A hashtag directly in front of an address is a comment by itself.
 */
export function withoutComment(line: string): Uncommented {
  const whole = { text: line, comment: '' }
  const sent = withoutInvisible(line).trim()
  const item = withoutMarker(sent.replace(MARKED, ''))
  if (OF_PROGRAMS.test(item)) return { text: '', comment: sent }
  if (!BEGINS.test(sent) && sent.search(MARK) < 0) return whole
  if (sent.startsWith(']')) return { text: '', comment: sent }
  // What is commented out in a list is one item of it: a heading has no mark before it.
  if (item !== sent && BEGINS.test(item) && !TAG.test(item)) {
    const inner = withoutComment(item)
    if (inner.text === '') return { text: '', comment: sent }
  }
  if (HEADING.test(sent) && linkTargets(sent).length > 0) return whole

  const lastName = lastNameIn(sent)
  const kept: string[] = []
  const comments: string[] = []
  let [from, checked] = [0, 0]
  const isTagged = TAG.test(sent)
  let isOfNamesOnly = true
  for (const { 0: mark, index } of sent.matchAll(MARK)) {
    if (index < checked) continue
    const before = sent.slice(checked, index).trim()
    const at = index + mark.length - 1
    checked = at + 1
    const isSemicolon = /[;；]/.test(mark)
    isOfNamesOnly &&= before === '' || isOfNames(before)
    if (!isOfNamesOnly && (isSemicolon || isTagged || !endsInName(before))) continue
    if (isSemicolon && at > 0 && (lastName > at || at === sent.length - 1)) continue
    const end = isSemicolon ? at : endOfHashtags(sent, at)
    const isComment = end === at || !isAddress(sent.slice(end))
    kept.push(sent.slice(from, index).trim())
    comments.push(sent.slice(at, isComment ? sent.length : end).trim())
    from = isComment ? sent.length : end
    if (isComment) break
    checked = from
  }
  if (comments.length === 0) return whole
  const text = [...kept, sent.slice(from)].filter((part) => part !== '').join(' ')
  return { text, comment: comments.join(' ') }
}

/** Returns where the hashtags end that begin at a place. */
function endOfHashtags(line: string, at: number): number {
  let end = at
  for (HASHTAG.lastIndex = at; HASHTAG.test(line);) end = HASHTAG.lastIndex
  return end
}

/** Returns where the last address or id of a line begins; -1 where it has none. */
function lastNameIn(line: string): number {
  const names = [...line.matchAll(WORD)].filter(
    ({ 0: word }) => isNamed(word) || mayHoldAddress(word),
  )
  return names.at(-1)?.index ?? -1
}

/** Returns whether a text begins with an address; an id behind a hashtag may be a word. */
function isAddress(text: string): boolean {
  const [word = ''] = text.split(/\s/, 1)
  return /[/%]/.test(word) && isNamed(word)
}
