/** Near misses: what somebody probably meant by a line that is no source, and what an id that is no id lacks. */
import { counted } from '../../kit/text/counted.ts'
import { readSource, type SourceReading } from './source.ts'

type Rejected = Extract<SourceReading, { kind: 'rejected' }>

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_.-]{1,28}[\p{L}\p{N}\p{M}_-]$/u
const DOMAIN_END = /\.[a-z]{2,6}$/i
/** A scheme, or what was left of one by a slip. */
const SCHEME = /^[a-z]{0,5}[:;]?[/\\]+/i
const ID_CHARS = 11
const CHANNEL_ID_CHARS = 24
const CHANNEL_LIKE = /^UC[\w-]{20,24}$/
/** Matches the text in an address where the id of a video belongs. */
const ID_IN_ADDRESS = /(?:youtu\.be\/|[?&]v=|\/(?:shorts|live|embed|v)\/)([\w-]+)/i
/** Beginnings of addresses whose host was left out. */
const PATH =
  /^(?:@|(?:watch|watch_popup|movie|playlist)\?|(?:watch|shorts|live|embed|v|e|w|channel|c|user)\/)/i
const QUERY = /^[?&]?(?=(?:v|list)=)/i
/** An id of a video, with what follows it in an address. */
const ID_AND_REST = /^([\w-]{11})[?&#](.*)$/
const LINE_CHARS_MAX = 200

/** Returns the line that was probably meant, which is a source; null where there is nothing to suggest. */
export function suggestionFor(line: string): string | null {
  if (line.length > LINE_CHARS_MAX) return null
  return (
    [meantBy(line), handleOf(line), mendedAddress(line), withHost(line), tabOf(line)].find(
      (meant) => meant !== null && isSource(meant),
    ) ?? null
  )
}

/** Returns the same refusal, and what the id lacks where it has too few or too many characters. */
export function withWhatIsMissing(reading: Rejected, line: string): Rejected {
  const sentence = lengthWords(reading, line)
  return sentence === null ? reading : { ...reading, sentence }
}

/** Returns the address of what stands in an address where something else belongs. */
function meantBy(line: string): string | null {
  const reading = readSource(line)
  return reading.kind === 'rejected' ? (reading.meant ?? null) : null
}

/** Returns the address of which a text is the path, a parameter, or an id with what follows it. */
function withHost(line: string): string | null {
  if (/\s/.test(line)) return null
  const path = line.replace(/^\//, '')
  if (PATH.test(path)) return `https://www.youtube.com/${path}`
  if (QUERY.test(line)) return `https://www.youtube.com/watch?${line.replace(QUERY, '')}`
  const [, id, rest] = ID_AND_REST.exec(line) ?? []
  return id === undefined ? null : `https://youtu.be/${id}?${rest}`
}

/** Returns the address of the tab of a channel for `name/tab`. */
function tabOf(line: string): string | null {
  const [name = '', tab = ''] = line.split('/')
  return tab !== '' && NAME.test(name) ? `https://www.youtube.com/@${name}/${tab}` : null
}

/** Returns `@name` for a name, and for a handle with blanks in it. */
function handleOf(line: string): string | null {
  if (line.startsWith('@')) return /\s/.test(line) ? line.replace(/\s+/g, '') : null
  if (!NAME.test(line) || !/\p{L}/u.test(line) || DOMAIN_END.test(line)) return null
  return looksLikeId(line) || CHANNEL_LIKE.test(line) ? null : `@${line}`
}

/** Returns the address with its scheme and host spelt as the platform's. */
function mendedAddress(line: string): string | null {
  if (/\s/.test(line)) return null
  const bare = line.replace(SCHEME, '').replaceAll('\\', '/')
  const at = bare.search(/[/?#]/)
  const host = (at < 0 ? bare : bare.slice(0, at)).toLowerCase().replaceAll(',', '.')
  const name = host.replace(/^(?:w{2,4}|m)\./, '')
  const rest = at < 0 ? '' : bare.slice(at)
  const first = name.split('.', 1)[0] ?? ''
  if (name === 'youtube.be' || (isNear(name, 'youtu.be') && name.includes('.')))
    return `https://youtu.be${rest}`
  return isNear(first, 'youtube') || isNear(name, 'youtube.com')
    ? `https://www.youtube.com${rest}`
    : null
}

/** Returns whether a word is another but for one letter: missing, added, changed, or changed with its neighbour. */
export function isNear(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false
  let from = 0
  while (from < word.length && word[from] === other[from]) from += 1
  let end = 0
  while (
    end < Math.min(word.length, other.length) - from &&
    word.at(-1 - end) === other.at(-1 - end)
  )
    end += 1
  const [left, right] = [word.slice(from, word.length - end), other.slice(from, other.length - end)]
  return (
    (left.length <= 1 && right.length <= 1) ||
    (left.length === 2 && left[0] === right[1] && left[1] === right[0])
  )
}

function lengthWords({ reason, meant }: Rejected, line: string): string | null {
  const id = reason === 'bad_video_id' ? ID_IN_ADDRESS.exec(line)?.[1] : undefined
  if (id !== undefined && meant === undefined && id.length !== ID_CHARS)
    return `its video id has ${counted(id.length, 'character')}, and an id has ${ID_CHARS}`
  if (reason !== 'not_a_link') return null
  const address = withHost(line)
  const reading = address === null ? null : readSource(address)
  if (reading?.kind === 'rejected') return reading.sentence
  if (CHANNEL_LIKE.test(line))
    return `it looks like a channel id, but has ${counted(line.length, 'character')}, and such an id has ${CHANNEL_ID_CHARS}`
  return looksLikeId(line)
    ? `it looks like a video id, but has ${counted(line.length, 'character')}, and an id has ${ID_CHARS}`
    : null
}

/** Returns whether a text of nearly the length of a video's id is mixed as ids are, and as words are not. */
function looksLikeId(text: string): boolean {
  return (
    /^[\w-]{9,13}$/.test(text) &&
    /[A-Z]/.test(text.slice(1)) &&
    /[a-z]/.test(text) &&
    /[\d_-]/.test(text)
  )
}

function isSource(line: string): boolean {
  return readSource(line).kind === 'source'
}
