/**
 * The parts of one pasted line: every address and id on it, whatever stands between them, and what is neither. Every
 * door reads lines by this file, so that the same text is the same order on the website, by the API and by agents.
 */
import { LIMITS } from '../../config/config.ts'
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { trimCharacters } from '../../kit/text/outside-text.ts'
import { wordsOf } from './earlier-lines.ts'
import { ID_LIKE_WORDS, linkTargets, QUOTES, withoutMarker } from './pasted-line.ts'
import { readSource } from './source.ts'

/** Addresses as they are read, in order, and what stands beside them and is none: never a word of it is passed over. */
type LineParts = { parts: string[]; unclear: string[] }

/**
 * An address or id, or words that are neither. `isUnread` is true of a text that is too long to be read whole, and
 * holds another address.
 */
type Part = { text: string; isName: boolean; isUnread?: boolean }

const ADDRESS_START =
  /^(?:https?(?::|%(?:25)*3A)(?:\/|%(?:25)*2F){2}|(?:\/\/)?(?:[a-z]{1,9}\.)?(?:youtu(?:be\.com|\.be)|y2u\.be|youtubekids\.com|youtube-nocookie\.com)(?:\/|%(?:25)*2F)|vnd\.youtube)/i
/** Where another address may begin inside a word: at a scheme, behind a separator, or at a host behind a video's id. */
const SEAM =
  /https?(?::|%(?:25)*3A)(?:\/|%(?:25)*2F){2}|[,;|、，；｜\p{Pi}\p{Pf}‚„༺-༽᚛᚜⁅⁆⁽⁾₍₎⌈-⌋〈〉❨-❵⟅⟆⟦-⟯⦃-⦘⧘-⧛⧼⧽⸂-⸅⸉⸊⸌⸍⸜⸝⸠-⸩⹂⹕-⹜〈-】〔-〛〝-〟﴾﴿︗︘︵-﹄﹇﹈﹙-﹞（）［］｛｝｟｠｢｣＂＇＜＞]+|%(?:25)*(?:2C|3B|7C)|\\[nrt]|(?:(?:www|m|music)\.)?youtu(?:be\.com|\.be)\//giu
/** Separators, and QUOTES of pasted-line.ts. */
const BESIDE = /[,;|、，；｜\p{Pi}\p{Pf}‚„༺-༽᚛᚜⁅⁆⁽⁾₍₎⌈-⌋〈〉❨-❵⟅⟆⟦-⟯⦃-⦘⧘-⧛⧼⧽⸂-⸅⸉⸊⸌⸍⸜⸝⸠-⸩⹂⹕-⹜〈-】〔-〛〝-〟﴾﴿︗︘︵-﹄﹇﹈﹙-﹞（）［］｛｝｟｠｢｣＂＇＜＞]/u
/** Characters between and around parts; no hyphen, since ids begin and end with it. */
const AROUND = {
  start: `,;|&+•·–—、，；｜<"'([{*\`${QUOTES}`,
  end: `,;|&+•·–—、，；｜>"')]}*\`.!?${QUOTES}`,
}
/** Blanks and separators that were escaped, for an address or, once too often, for JSON. */
const ESCAPED_START = /^(?:%(?:25)*(?:20|0A|0D|09|2C|3B|7C)|\\[nrt])+/i
const ESCAPED_END = /(?:%(?:25)?(?:20|0A|0D|09|2C|3B|7C)|\\[nrt])$/i
const ESCAPE_CHARS_MAX = 5
/** Matches a line that may hold several parts; most lines do not, and are read no further. */
const MAY_HOLD_SEVERAL = /[\s%[\\]|.https?:|.youtu/i
/** Matches the beginning of most addresses, and what one ends in where nothing stands around it. */
const USUAL_START = /^(?:https?:\/\/)?(?:(?:www|m|music)\.)?youtu(?:be\.com|\.be)\//i
const PLAIN_END = /^[\w/?=&.@#-]*[\w/=@#-]$/
const OTHER_START = /http|youtu/i
const NOTHING = /^[-/\\\s=>→⇒~]*$/
/** Markdown's label of an address that it tells below. */
const REFERENCE = /^\[[\w-]{1,20}\]:$/
/** Name of an address that follows at once, as in `url=` or `"link":"`. */
const LABEL = /^[^\w/?%.]*(?:[a-z][\w-]{0,30}[^\w/?%.]{1,4})?$/i
/** Parameters whose values never hold words: behind them, a separator begins another address. */
const PLAIN_PARAMETERS = new Set(
  'v vi list p t start end time_continue si index feature pp channel_id playlist_id'.split(' '),
)
const NAME_CHARS_MAX = 120
const ID_CHARS_MIN = 11
/** Marks in a row that are no seam, behind which nothing is read: each costs the reading of an address. */
const PASSED_OVER_MAX = 24
/** Matches an address behind a separator. */
const NEXT_ADDRESS = /[,;|、，；｜]["'<([]?https?:\/\//i
/** Words of a line that are read; whatever follows them is none. */
const WORDS_MAX = 200
/** How often parts are parted again: two rounds were the most that 200,000 drawn lines took. */
const SETTLING_ROUNDS_MAX = 4

/**
 * Returns the parts of a line. A line with one address, or with none, is one part, as it was pasted; it may still be no
 * source. Comments behind a single Markdown link are passed over, as its title is.
 */
export function partsOf(line: string): LineParts {
  const whole = wholeLine(line)
  if (line.length > LIMITS.sourceLineChars || !(BESIDE.test(line) || MAY_HOLD_SEVERAL.test(line))) return whole
  if (isOneAddress(line)) return whole
  const words = wordsOf(line)
  const isEarlier = words.length > 1
  const found = settled(
    isEarlier ? words.flatMap(partsOfWord) : partsOfLine(withoutInvisible(line)),
  )
  const names = found.filter(({ isName }) => isName)
  if (names.length === 0 && !found.some(({ isUnread }) => isUnread)) return whole
  if (names.length === 1) {
    const isRead = readSource(line).kind === 'source'
    const hasWords = found.length > 1 && linkTargets(line).length === 0
    if (isRead && !hasWords) return whole
    if (found.length === 1 && readSource(names[0]?.text ?? '').kind === 'rejected') return whole
  }
  return {
    parts: found.map(({ text }) => text),
    unclear: found.filter(({ isName }) => !isName).map(({ text }) => text),
  }
}

/** Returns whether nothing but addresses and ids stands in a line, whether they are read or not. */
export function isOfNames(line: string): boolean {
  const { parts, unclear } = partsOf(line)
  return unclear.length === 0 && parts.every((part) => isNamed(part) || isRead(part))
}

/** Returns whether the last word of a text ends in an address or id, whatever stands before it. */
export function endsInName(text: string): boolean {
  return cut(text.split(/\s/).at(-1) ?? '').at(-1)?.isName === true
}

/** Most lines are one address and nothing else: looking for parts costs three times as much as reading it. */
function isOneAddress(line: string): boolean {
  const [start] = USUAL_START.exec(line) ?? []
  if (start === undefined) return false
  const end = line.slice(start.length)
  return PLAIN_END.test(end) && !OTHER_START.test(end)
}

const MAY_BE_ADDRESS = /[/%]|vnd\./
/** Letters that every `ADDRESS_START` has: to look for them costs less than to cut a word. */
const HAS_START = /http|youtu|y2u/i

/** Characters between words of a document; of addresses that name a source, none holds one of them. */
const BETWEEN = /[\s<>"'`\\^＂＇＜＞\p{Pi}\p{Pf}\p{Ps}\p{Pe}]+/u

/** Returns the addresses in a text of a document, whatever stands beside them: all that begin like one. */
export function addressesIn(text: string): string[] {
  if (!mayHoldAddress(text)) return []
  return withoutInvisible(text)
    .split(BETWEEN)
    .filter(mayHoldAddress)
    .flatMap(cut)
    .map((part) => part.text)
    .filter((part) => ADDRESS_START.test(part))
}

export function mayHoldAddress(text: string): boolean {
  return MAY_BE_ADDRESS.test(text) && HAS_START.test(text)
}

export function wholeLine(line: string): LineParts {
  return { parts: [line], unclear: [] }
}

/**
 * Returns the parts of which none is several: what stands behind a mark may begin no address in its line, and one by
 * itself. So the parts sent again are the same order.
 */
function settled(found: readonly Part[]): readonly Part[] {
  let parts = found
  for (let round = 0; round < SETTLING_ROUNDS_MAX; round += 1) {
    const next = parts.flatMap((part) => {
      const inner = part.isName ? partsOfLine(part.text) : []
      return inner.length > 1 ? inner : [part]
    })
    if (next.length === parts.length) break
    parts = next
  }
  return parts
}

/** Returns the parts of a word of an earlier release; one that holds one address stays as it was pasted. */
function partsOfWord(word: string): Part[] {
  const parts = cut(withoutInvisible(word))
  const isSettled = parts.length > 1 || parts.some(({ isUnread }) => isUnread)
  return isSettled ? parts : [{ text: word, isName: true }]
}

function partsOfLine(line: string): Part[] {
  const parts: Part[] = []
  let words = 0
  const add = (text: string): void => {
    for (const word of text.split(/\s+/).filter((each) => each !== '' && !REFERENCE.test(each))) {
      words += 1
      const isRest = words > WORDS_MAX || parts.length > LIMITS.urlsMax
      for (const part of isRest ? [{ text: word, isName: false }] : cut(word)) push(parts, part)
    }
  }
  const rest = withoutMarker(line.trim())
  let from = 0
  for (const { at, end, target } of linkTargets(rest)) {
    if (!isNamed(bare(target))) continue
    add(rest.slice(from, at))
    add(target)
    from = end
  }
  add(rest.slice(from))
  return parts
}

/** Adds a part; neighbouring words are one. */
function push(parts: Part[], part: Part): void {
  const before = parts.at(-1)
  if (before === undefined || before.isName || part.isName) parts.push(part)
  else before.text += ` ${part.text}`
}

/** Returns the parts of a text without blanks, without what stands around them; none where nothing else is left. */
function cut(word: string): Part[] {
  const parts: Part[] = []
  let from = 0
  let passedOver = 0
  for (const { 0: mark, index } of word.matchAll(SEAM)) {
    if (parts.length > LIMITS.urlsMax) break // too many for a job, whatever follows
    const before = word.slice(from, index)
    const isLabelled = before !== '' && /^http/i.test(mark) && LABEL.test(before)
    if (!isLabelled && !isSeam({ before, mark, after: word.slice(index) })) {
      passedOver += 1
      if (passedOver > PASSED_OVER_MAX) break
      continue
    }
    passedOver = 0
    const left = bare(before)
    if (left !== '') parts.push(partOf(left))
    from = index
  }
  const last = bare(word.slice(from))
  if (last === '') return parts
  const isUnread = passedOver > PASSED_OVER_MAX && NEXT_ADDRESS.test(last)
  return [...parts, isUnread ? { text: last, isName: false, isUnread } : partOf(last)]
}

function partOf(text: string): Part {
  return { text, isName: isNamed(text) }
}

type Place = Record<'before' | 'mark' | 'after', string>

/** Returns whether a part ends before a mark, and another one begins at it. */
function isSeam({ before, mark, after }: Place): boolean {
  if (!/^http/i.test(mark) && !/youtu/i.test(mark))
    return isSeparated(before, after.slice(mark.length))
  const left = bare(before)
  if (!/^http/i.test(mark)) return VIDEO_END.test(left) && isRead(left)
  const isValue = /(?:=|%(?:25)*3D)$/i.test(before) || isEscapedIn(left, mark)
  if (left === '' || isValue || (isOwnText(left) && !isGlued(before))) return false
  return isRead(left)
}

/** Returns whether what stands before and after a separator are two parts. */
function isSeparated(before: string, after: string): boolean {
  const right = trimCharacters(after.slice(0, 2 * NAME_CHARS_MAX), { ...AROUND, end: '' })
  const next = bare(right.split(BESIDE, 1)[0] ?? '')
  if (next === '') return false
  const left = bare(before)
  if (left === '') return false
  if (ADDRESS_START.test(right) && !isEscapedIn(left, right)) return true
  if (isBareName(next)) return isNamed(left) && !isOwnText(left) && isRead(left)
  // What follows an id would be cut off with what continues it.
  const isCut = CUT_END.test(left) && !isOwnText(left) && isRead(left, 'video')
  return !/^[a-z_]+=/i.test(right) && (isBareName(left) || isCut)
}

/** Returns whether an address is escaped and the one before it is not, of which it may be a value. */
function isEscapedIn(left: string, right: string): boolean {
  return /^[\w.-]*%/.test(right) && left.includes('://')
}

/** Returns whether an address follows at once: in a text that speaks of one, something stands between. */
function isGlued(before: string): boolean {
  return /[\w)>"'”’]$/.test(before) && !/%[\dA-F]{2}$/i.test(before)
}

/** Matches what ends in a video's id; the second, in one with characters that are cut off. */
const VIDEO_END = /[/=][\w-]{11}$/
const CUT_END = /(?:\/|[?&#!]vi?=)[\w-]{11,}$/

/** Returns whether a text without a scheme or host names a source, and does not read as words. */
function isBareName(text: string): boolean {
  if (text.length > NAME_CHARS_MAX || (text.length < ID_CHARS_MIN && !text.includes('@')))
    return false
  return !/[/\s]/.test(text) && !ID_LIKE_WORDS.test(text) && isRead(text)
}

/** The name of a field or tag, such as `publishedAt`: 11 letters that no list holds beside addresses. */
const FIELD = /^[a-z]{2,}(?:[A-Z][a-z]+){1,2}$/

/** Returns the id or handle that a text of a document is, with nothing beside it; null where it is none. */
export function bareName(text: string): string | null {
  if (text.length < ID_CHARS_MIN && !text.includes('@')) return null
  const name = bare(text)
  return isBareName(name) && !FIELD.test(name) ? name : null
}

/** Returns whether a text begins as an address does, or is an id or handle. */
export function isNamed(text: string): boolean {
  return ADDRESS_START.test(text) || isBareName(text)
}

/** Returns whether a text ends in the value of a parameter that may hold anything. */
function isOwnText(text: string): boolean {
  const query = /[?#]/.test(text) ? text.split(/[?&#]/).at(-1) : undefined
  return query !== undefined && !PLAIN_PARAMETERS.has(query.split('=', 1)[0] ?? '')
}

function isRead(text: string, kind?: 'video'): boolean {
  const reading = readSource(text)
  return reading.kind === 'source' && (kind === undefined || reading.source.kind === kind)
}

function bare(text: string): string {
  let end = text.length
  for (;;) {
    const escape = ESCAPED_END.exec(text.slice(Math.max(0, end - ESCAPE_CHARS_MAX), end))
    if (escape === null) break
    end -= escape[0].length
  }
  const inner = trimCharacters(text.slice(0, end).replace(ESCAPED_START, ''), AROUND).trim()
  return NOTHING.test(inner) ? '' : inner
}
