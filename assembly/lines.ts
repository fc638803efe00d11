/**
 * The transcript at hand: its texts as bytes, a line each, and its times. Line `at` is the bytes from `lineFrom(at)` to
 * before `lineFrom(at + 1) - 1`, where its line feed stands, or would.
 */
import { firstRoom, freeFrom, room } from './memory'

/** Of each line what it has of these characters; most have none, and are the same in every form. */
export const MARK_QUOTE: u8 = 1
export const MARK_BACKSLASH: u8 = 2
export const MARK_ANGLE: u8 = 4
export const MARK_AMPERSAND: u8 = 8
export const MARK_BRACE: u8 = 16

const LINE_FEED: u8 = 10
const TIME_BYTES: usize = 8
const PLACE_BYTES: usize = 4
/** More than one byte is read at a time near the end. */
const SPARE_BYTES: usize = 8

const MARKS = memory.data(256)
store<u8>(MARKS + 0x22, MARK_QUOTE)
store<u8>(MARKS + 0x5c, MARK_BACKSLASH)
store<u8>(MARKS + 0x3c, MARK_ANGLE)
store<u8>(MARKS + 0x3e, MARK_ANGLE)
store<u8>(MARKS + 0x26, MARK_AMPERSAND)
store<u8>(MARKS + 0x7b, MARK_BRACE)

export let lines: i32 = 0
export let texts: usize = 0
export let textBytes: i32 = 0
/** Start and end of each line, milliseconds as whole f64. */
export let times: usize = 0
/** Of each line a byte: 1 where a paragraph begins with it. */
export let breaks: usize = 0
/** Of each line a byte of marks. */
export let marks: usize = 0
let from: usize = 0

/** Room for a transcript of so many lines, whose texts, times and breaks the host writes. */
export function makeLines(many: i32, bytes: i32): void {
  freeFrom(firstRoom())
  lines = many
  textBytes = bytes
  texts = room(<usize>bytes + SPARE_BYTES)
  times = room(2 * TIME_BYTES * <usize>many)
  breaks = room(<usize>many)
  marks = room(<usize>many)
  from = room(PLACE_BYTES * (<usize>many + 1))
}

/** Finds where each line begins and what it has of marks; gives those of all lines. -1: there are not so many lines. */
export function findLines(): i32 {
  let line: i32 = 0
  let found: u8 = 0
  let all: u8 = 0
  store<i32>(from, 0)
  if (lines == 0) return textBytes == 0 ? 0 : -1
  for (let at: i32 = 0; at < textBytes; at += 1) {
    const byte = load<u8>(texts + at)
    found |= load<u8>(MARKS + byte)
    if (byte != LINE_FEED) continue
    if (line + 1 >= lines) return -1
    store<u8>(marks + line, found)
    line += 1
    store<i32>(from + PLACE_BYTES * <usize>line, at + 1)
    all |= found
    found = 0
  }
  if (line + 1 != lines) return -1
  store<u8>(marks + line, found)
  store<i32>(from + PLACE_BYTES * <usize>lines, textBytes + 1)
  return all | found
}

export function lineFrom(line: i32): i32 {
  return load<i32>(from + PLACE_BYTES * <usize>line)
}

/** Milliseconds. */
export function startOf(line: i32): u64 {
  return <u64>load<f64>(times + 2 * TIME_BYTES * <usize>line)
}

/** Milliseconds. */
export function endOf(line: i32): u64 {
  return <u64>load<f64>(times + 2 * TIME_BYTES * <usize>line, TIME_BYTES)
}
