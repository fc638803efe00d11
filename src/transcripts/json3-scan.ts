/**
 * Scans the events of json3 as bytes, without an object for each: a talk of twelve minutes is 130 KB of pieces with
 * their offsets, and 10 KB of words. What is not laid out as always is left to parsing.
 */
import type { PublishedCue } from './published-cue.ts'

const [LINE_FEED, BLANK, QUOTE, COMMA, ZERO, NINE, COLON] = [10, 32, 34, 44, 48, 57, 58] as const
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  91, 92, 93, 123, 125,
] as const
const START = Buffer.from('"tStartMs":')
const DURATION = Buffer.from('"dDurationMs":')
const PIECES = Buffer.from('"segs":')
const TEXT = Buffer.from('"utf8":"')
/** A number of more digits may be rounded. */
const DIGITS_MAX = 15
/** Of one event; a line of captions has a hundred. */
const WORDS_BYTES_MAX = 16_384
/** Of one scan at a time: it waits for nothing. */
const WORDS_AT_HAND = Buffer.alloc(WORDS_BYTES_MAX)
/** What no place and no whole number is: not sure of what stands there. */
const NONE = -1

/**
 * The cues of all events from `at` on, which is behind `"events":`, where they are the end of the document, flat,
 * without blanks, and with whole numbers; else null.
 */
export function scanEvents(body: Buffer, at: number): PublishedCue[] | null {
  return new EventScan(body, at).cues()
}

class EventScan {
  private readonly bytes: Buffer
  private at: number
  /** The text of the event that is being read. */
  private readonly words = WORDS_AT_HAND
  private length = 0
  private hasPieces = false
  private startMs = NONE
  private durationMs = NONE

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
  }

  cues(): PublishedCue[] | null {
    const cues: PublishedCue[] = []
    if (!this.takes(OPEN_LIST)) return null
    if (!this.takes(CLOSE_LIST)) {
      do {
        if (!this.readEvent()) return null
        const { words, length, startMs, durationMs } = this
        if (length === 0 || (length === 1 && words[0] === LINE_FEED)) continue
        cues.push({
          startMs: startMs === NONE ? 0 : startMs,
          durationMs: durationMs === NONE ? null : durationMs,
          text: words.toString('utf8', 0, length),
        })
      } while (this.takes(COMMA))
      if (!this.takes(CLOSE_LIST)) return null
    }
    return this.takes(CLOSE_OBJECT) && this.at === this.bytes.length ? cues : null
  }

  private readEvent(): boolean {
    this.length = 0
    this.hasPieces = false
    this.startMs = NONE
    this.durationMs = NONE
    if (!this.takes(OPEN_OBJECT)) return false
    if (this.takes(CLOSE_OBJECT)) return true
    do if (!this.readMember()) return false
    while (this.takes(COMMA))
    return this.takes(CLOSE_OBJECT)
  }

  /** A second one of a name is left to parsing. */
  private readMember(): boolean {
    if (this.takesName(START)) {
      if (this.startMs !== NONE) return false
      this.startMs = this.readWhole()
      return this.startMs !== NONE
    }
    if (this.takesName(DURATION)) {
      if (this.durationMs !== NONE) return false
      this.durationMs = this.readWhole()
      return this.durationMs !== NONE
    }
    if (!this.takesName(PIECES)) {
      this.at = skipMember(this.bytes, this.at)
      return this.at !== NONE
    }
    if (this.hasPieces) return false
    this.hasPieces = true
    return this.readPieces()
  }

  /** Most of the body: whatever can be stands in local variables. */
  private readPieces(): boolean {
    if (!this.takes(OPEN_LIST)) return false
    if (this.takes(CLOSE_LIST)) return true
    const { bytes, words } = this
    const end = bytes.length
    for (;;) {
      let { at, length } = this
      if (bytes[at] !== OPEN_OBJECT || !startsWith(bytes, TEXT, at + 1)) return false
      at += 1 + TEXT.length
      const from = at
      for (; at < end; at += 1) {
        const code = bytes[at] as number
        if (code === QUOTE || code === BACKSLASH || code < BLANK) break
        words[length] = code
        length += 1
      }
      if (bytes[at] === QUOTE) this.length = length
      else at = this.readEscaped(from)
      if (at === NONE || length > WORDS_BYTES_MAX) return false
      at += 1
      while (bytes[at] === COMMA) {
        if (startsWith(bytes, TEXT, at + 1)) return false
        at = skipMember(bytes, at + 1)
        if (at === NONE) return false
      }
      this.at = at + 1
      if (bytes[at] !== CLOSE_OBJECT) return false
      if (!this.takes(COMMA)) return this.takes(CLOSE_LIST)
    }
  }

  /** Appends the piece from `from` on, which has escapes; the place of its closing quote. */
  private readEscaped(from: number): number {
    const { bytes } = this
    let to = from
    while (bytes[to] !== QUOTE) {
      const code = bytes[to] ?? 0
      if (code < BLANK) return NONE
      to += code === BACKSLASH ? 2 : 1
    }
    const piece = unescaped(bytes.toString('utf8', from, to))
    // The other half of a surrogate pair may stand in the next piece.
    const isWhole = piece !== null && piece.isWellFormed()
    if (!isWhole || this.length + Buffer.byteLength(piece) > WORDS_BYTES_MAX) return NONE
    this.length += this.words.write(piece, this.length)
    return to
  }

  /** A whole number, or one as a string. */
  private readWhole(): number {
    const isQuoted = this.takes(QUOTE)
    const { bytes, at: from } = this
    const to = skipDigits(bytes, from)
    this.at = to
    if (to - from > DIGITS_MAX || (isQuoted && !this.takes(QUOTE))) return NONE
    return isQuoted || isNumber(bytes, from, to) ? valueOf(bytes, from, to) : NONE
  }

  private takesName(name: Uint8Array): boolean {
    if (!startsWith(this.bytes, name, this.at)) return false
    this.at += name.length
    return true
  }

  private takes(code: number): boolean {
    if (this.bytes[this.at] !== code) return false
    this.at += 1
    return true
  }
}

function startsWith(bytes: Uint8Array, word: Uint8Array, from: number): boolean {
  for (let at = 0; at < word.length; at += 1) if (bytes[from + at] !== word[at]) return false
  return true
}

/** Behind a name and its value, a whole number or a string, both without escapes. */
function skipMember(bytes: Uint8Array, from: number): number {
  const colon = skipString(bytes, from)
  if (colon === NONE || bytes[colon] !== COLON) return NONE
  const value = colon + 1
  if (bytes[value] === QUOTE) return skipString(bytes, value)
  const to = skipDigits(bytes, value)
  return isNumber(bytes, value, to) ? to : NONE
}

function skipString(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== QUOTE) return NONE
  for (let at = from + 1; at < bytes.length; at += 1) {
    const code = bytes[at] as number
    if (code === QUOTE) return at + 1
    if (code < BLANK || code === BACKSLASH) return NONE
  }
  return NONE
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from
  for (; at < bytes.length; at += 1) {
    const code = bytes[at] as number
    if (code < ZERO || code > NINE) break
  }
  return at
}

function valueOf(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) value = value * 10 + (bytes[at] as number) - ZERO
  return value
}

/** Digits as JSON writes them. */
function isNumber(bytes: Uint8Array, from: number, to: number): boolean {
  return to === from + 1 || (to > from && bytes[from] !== ZERO)
}

/** Null where it is no JSON. */
function unescaped(raw: string): string | null {
  if (raw === '\\n') return '\n'
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch {
    return null
  }
}
