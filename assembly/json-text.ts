/**
 * Steps over JSON without blanks: each takes the address where something begins and gives the one behind it, or UNSURE where
 * anything else stands there. Behind the JSON are zeros, which end everything.
 */

export const UNSURE: usize = 0
export const QUOTE: u8 = 0x22
const BACKSLASH: u8 = 0x5c
const BLANK: u8 = 0x20
const COLON: u8 = 0x3a
const ZERO: u8 = 0x30
const LETTER_U: u8 = 0x75
const ASCII_END: u8 = 0x80
/** A number of more digits may be rounded. */
const DIGITS_MAX: usize = 15
/** `\uXXXX`. */
const UNIT_BYTES: usize = 6
const NO_UNIT: i32 = -1

/** What each letter behind a backslash stands for; 0: nothing. */
const ESCAPES = memory.data(256)
store<u8>(ESCAPES + QUOTE, QUOTE)
store<u8>(ESCAPES + BACKSLASH, BACKSLASH)
store<u8>(ESCAPES + 0x2f, 0x2f)
store<u8>(ESCAPES + 0x62, 8)
store<u8>(ESCAPES + 0x66, 12)
store<u8>(ESCAPES + 0x6e, 10)
store<u8>(ESCAPES + 0x72, 13)
store<u8>(ESCAPES + 0x74, 9)

/** Where the next byte of text goes. */
export let to: usize = 0
/** All bytes of text, one upon the other. */
let seen: u8 = 0
/** The number that was read last. */
export let whole: i64 = 0

/** Texts may go where their own JSON stands: none is longer than that. */
export function beginTexts(address: usize): void {
  to = address
  seen = 0
}

/** The texts end there again. */
export function takeBack(address: usize): void {
  to = address
}

/** Whether all texts are. */
export function isAscii(): bool {
  return seen < ASCII_END
}

/** A string from behind its opening quote, whose text goes behind those before. */
export function readText(at: usize): usize {
  let next = readPlain(at)
  while (load<u8>(next) == BACKSLASH) {
    next = readEscape(next)
    if (next == UNSURE) return UNSURE
    next = readPlain(next)
  }
  return load<u8>(next) == QUOTE ? next + 1 : UNSURE
}

function readPlain(at: usize): usize {
  let next = at
  let end = to
  let all = seen
  let code = load<u8>(next)
  while (isPlain(code)) {
    store<u8>(end, code)
    all |= code
    end += 1
    next += 1
    code = load<u8>(next)
  }
  to = end
  seen = all
  return next
}

function readEscape(at: usize): usize {
  const letter = load<u8>(at, 1)
  if (letter == LETTER_U) return readUnits(at)
  const code = load<u8>(ESCAPES + letter)
  if (code == 0) return UNSURE
  writeByte(code)
  return at + 2
}

/** A character, of two units where it is a surrogate pair. The other half may stand in the next string: that is left to parsing. */
function readUnits(at: usize): usize {
  const unit = unitAt(at)
  if (unit == NO_UNIT) return UNSURE
  if (unit < 0xd800 || unit > 0xdfff) {
    writeCharacter(unit)
    return at + UNIT_BYTES
  }
  const low = unitAt(at + UNIT_BYTES)
  if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) return UNSURE
  writeCharacter(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
  return at + 2 * UNIT_BYTES
}

function unitAt(at: usize): i32 {
  if (load<u8>(at) != BACKSLASH || load<u8>(at, 1) != LETTER_U) return NO_UNIT
  let unit: i32 = 0
  for (let place: usize = 2; place < UNIT_BYTES; place += 1) {
    const code = load<u8>(at + place)
    const letter = code | 0x20
    if (isDigit(code)) unit = (unit << 4) | (code - ZERO)
    else if (letter >= 0x61 && letter <= 0x66) unit = (unit << 4) | (letter - 0x61 + 10)
    else return NO_UNIT
  }
  return unit
}

/** In UTF-8. */
function writeCharacter(code: i32): void {
  if (code < 0x80) return writeByte(code)
  if (code < 0x800) writeByte(0xc0 | (code >> 6))
  else {
    if (code < 0x10000) writeByte(0xe0 | (code >> 12))
    else {
      writeByte(0xf0 | (code >> 18))
      writeByte(0x80 | ((code >> 12) & 0x3f))
    }
    writeByte(0x80 | ((code >> 6) & 0x3f))
  }
  writeByte(0x80 | (code & 0x3f))
}

function writeByte(code: i32): void {
  store<u8>(to, code)
  seen |= <u8>code
  to += 1
}

/** A name without escapes, and its value. */
export function skipMember(at: usize): usize {
  const colon = skipString(at)
  if (colon == UNSURE || load<u8>(colon) != COLON) return UNSURE
  return skipValue(colon + 1)
}

/** A whole number, or a string without escapes. */
export function skipValue(at: usize): usize {
  if (load<u8>(at) == QUOTE) return skipString(at)
  const end = skipDigits(at)
  return isNumber(at, end) ? end : UNSURE
}

function skipString(at: usize): usize {
  if (load<u8>(at) != QUOTE) return UNSURE
  let next = at + 1
  while (isPlain(load<u8>(next))) next += 1
  return load<u8>(next) == QUOTE ? next + 1 : UNSURE
}

/** A whole number, or one as a string; an empty string is 0, too. */
export function readWhole(at: usize): usize {
  const isQuoted = load<u8>(at) == QUOTE
  const from = isQuoted ? at + 1 : at
  const end = skipDigits(from)
  if (end - from > DIGITS_MAX) return UNSURE
  whole = 0
  for (let next = from; next < end; next += 1) whole = whole * 10 + (load<u8>(next) - ZERO)
  if (isQuoted) return load<u8>(end) == QUOTE ? end + 1 : UNSURE
  return isNumber(from, end) ? end : UNSURE
}

function skipDigits(at: usize): usize {
  let next = at
  while (isDigit(load<u8>(next))) next += 1
  return next
}

/** Digits as JSON writes them. */
function isNumber(from: usize, end: usize): bool {
  return end == from + 1 || (end > from && load<u8>(from) != ZERO)
}

function isDigit(code: u8): bool {
  return code >= ZERO && code < ZERO + 10
}

/** What stands in a string for itself. */
function isPlain(code: u8): bool {
  return code >= BLANK && code != QUOTE && code != BACKSLASH
}
