/**
 * Scans the events of json3 captions, without an object for each: a talk of twelve minutes is 130 KB of pieces with their
 * offsets, and 10 KB of words. Whatever is not laid out as always is left to parsing.
 */
import {
  beginTexts,
  QUOTE,
  readText,
  readWhole,
  skipMember,
  skipValue,
  takeBack,
  to,
  UNSURE,
  whole,
} from './json-text'
import { firstRoom, freeFrom, room } from './memory'

const COMMA: u8 = 0x2c
const LINE_FEED: u8 = 0x0a
const OPEN_LIST: u8 = 0x5b
const CLOSE_LIST: u8 = 0x5d
const OPEN_OBJECT: u8 = 0x7b
const CLOSE_OBJECT: u8 = 0x7d

/** Names, eight letters at a look: longer ones are their first eight and their last eight. */
const START = eight('"tStartM')
const START_END = eight('tartMs":')
const START_BYTES: usize = 11
const DURATION = eight('"dDurati')
const DURATION_END = eight('tionMs":')
const DURATION_BYTES: usize = 14
const PIECES = eight('"segs":')
const PIECES_BYTES: usize = 7
const PIECES_MASK: u64 = (<u64>-1) >> 8
const FIRST_TEXT = eight('{"utf8":')
const TEXT_AGAIN = eight(',"utf8":')
const TEXT_BYTES: usize = 8
/** Two that most pieces have, with as many letters. */
const OFFSET = eight(',"tOffse')
const OFFSET_END = eight('fsetMs":')
const CONFIDENCE = eight(',"acAsrC')
const CONFIDENCE_END = eight('srConf":')
const KNOWN_BYTES: usize = 13

/** Of one event; a line of captions has a hundred. */
const WORDS_BYTES_MAX: usize = 16_384
/** Zeros behind the events, more than are read at a time. */
const SPARE_BYTES: usize = 16
/** Of each cue three f64: start and duration in milliseconds, and where its text ends, from where the first one begins. */
const CUE_SIZE: usize = 24
const NONE: i64 = -1

/** Where the events begin; afterwards, the texts. */
let events: usize = 0
let eventsEnd: usize = 0
export let cues: usize = 0

let startMs: i64 = NONE
let durationMs: i64 = NONE
let hasPieces = false

/** Room for so many bytes, which the host writes: all of a document that stands behind `"events":`. */
export function makeEvents(bytes: i32): usize {
  freeFrom(firstRoom())
  events = room(<usize>bytes + SPARE_BYTES)
  eventsEnd = events + bytes
  memory.fill(eventsEnd, 0, SPARE_BYTES)
  return events
}

/**
 * Gives how many cues the events have, where they are the end of the document, flat, without blanks and with whole numbers;
 * else -1. The texts then stand where the events did, one after the other. A duration of -1: none.
 */
export function findCues(): i32 {
  beginTexts(events)
  cues = room(0)
  let many: i32 = 0
  let at = events
  if (load<u8>(at) != OPEN_LIST) return -1
  if (load<u8>(at, 1) == CLOSE_LIST) at += 1
  else {
    do {
      const from = to
      at = readEvent(at + 1)
      if (at == UNSURE) return -1
      if (to == from || (to == from + 1 && load<u8>(from) == LINE_FEED)) takeBack(from)
      else {
        writeCue()
        many += 1
      }
    } while (load<u8>(at) == COMMA)
    if (load<u8>(at) != CLOSE_LIST) return -1
  }
  return load<u8>(at, 1) == CLOSE_OBJECT && at + 2 == eventsEnd ? many : -1
}

function writeCue(): void {
  const cue = room(CUE_SIZE)
  store<f64>(cue, <f64>max(0, startMs))
  store<f64>(cue, <f64>durationMs, 8)
  store<f64>(cue, <f64>(to - events), 16)
}

function readEvent(at: usize): usize {
  startMs = NONE
  durationMs = NONE
  hasPieces = false
  if (load<u8>(at) != OPEN_OBJECT) return UNSURE
  if (load<u8>(at, 1) == CLOSE_OBJECT) return at + 2
  let next = at
  do {
    next = readMember(next + 1)
    if (next == UNSURE) return UNSURE
  } while (load<u8>(next) == COMMA)
  return load<u8>(next) == CLOSE_OBJECT ? next + 1 : UNSURE
}

/** A second one of a name is left to parsing. */
function readMember(at: usize): usize {
  const name = load<u64>(at)
  if (name == START && load<u64>(at + START_BYTES - 8) == START_END) {
    if (startMs != NONE) return UNSURE
    const end = readWhole(at + START_BYTES)
    startMs = whole
    return end
  }
  if (name == DURATION && load<u64>(at + DURATION_BYTES - 8) == DURATION_END) {
    if (durationMs != NONE) return UNSURE
    const end = readWhole(at + DURATION_BYTES)
    durationMs = whole
    return end
  }
  if ((name & PIECES_MASK) != PIECES) return skipMember(at)
  if (hasPieces) return UNSURE
  hasPieces = true
  return readPieces(at + PIECES_BYTES)
}

/** Most of the document. */
function readPieces(at: usize): usize {
  if (load<u8>(at) != OPEN_LIST) return UNSURE
  if (load<u8>(at, 1) == CLOSE_LIST) return at + 2
  const from = to
  let next = at
  do {
    next = readPiece(next + 1)
    if (next == UNSURE || to - from > WORDS_BYTES_MAX) return UNSURE
  } while (load<u8>(next) == COMMA)
  return load<u8>(next) == CLOSE_LIST ? next + 1 : UNSURE
}

/** Its text comes first, and once. */
function readPiece(at: usize): usize {
  const text = at + TEXT_BYTES
  if (load<u64>(at) != FIRST_TEXT || load<u8>(text) != QUOTE) return UNSURE
  if (isTornOff(load<u8>(text, 1))) return UNSURE
  let next = readText(text + 1)
  while (next != UNSURE && load<u8>(next) == COMMA) next = skipAfterText(next)
  return next != UNSURE && load<u8>(next) == CLOSE_OBJECT ? next + 1 : UNSURE
}

/** Whether a byte goes on with a character: one that begins in the piece before would come together here, and nowhere else. */
function isTornOff(byte: u8): bool {
  return (byte & 0xc0) == 0x80
}

/** A member with the comma before it. */
function skipAfterText(at: usize): usize {
  const name = load<u64>(at)
  if (name == TEXT_AGAIN) return UNSURE
  const end = load<u64>(at + KNOWN_BYTES - 8)
  if (name == OFFSET && end == OFFSET_END) return skipValue(at + KNOWN_BYTES)
  if (name == CONFIDENCE && end == CONFIDENCE_END) return skipValue(at + KNOWN_BYTES)
  return skipMember(at + 1)
}

/** Up to eight letters of ASCII, as they stand in memory. */
function eight(letters: string): u64 {
  let all: u64 = 0
  for (let place: i32 = 0; place < letters.length; place += 1)
    all |= (<u64>letters.charCodeAt(place)) << (place << 3)
  return all
}
