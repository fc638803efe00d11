/**
 * The blocks of a deflate stream that hold a form: one with codes of its own (RFC 1951, 3.2.7), and an empty stored one,
 * after which the next begins on a byte.
 */
import { beginBits, bitsEnd, CODE_BITS_AT, fillByte, writeBits, writeSymbols } from './bits'
import { DISTANCE_CODES, DISTANCE_LENGTHS, LITERAL_CODES, LITERAL_LENGTHS } from './block-code'
import { writeHead } from './deflate-head'
import {
  distanceSymbol,
  END_OF_BLOCK,
  firstLength,
  lengthSymbol,
  moreDistanceBits,
  moreLengthBits,
} from './deflate-symbols'

/** The empty block: not the last, stored, and after the bits that fill the byte its length and that inverted. */
const EMPTY_BLOCK_BITS: u32 = 3
const EMPTY_BLOCK: u64 = 0xffff0000
const CODE_MASK: u32 = 0xffff

export let blocks: usize = 0
let literals: usize = 0
let distances: usize = 0

export function beginBlocks(address: usize, code: usize): void {
  blocks = address
  literals = code + LITERAL_CODES
  distances = code + DISTANCE_CODES
  beginBits(address)
  writeHead(code + LITERAL_LENGTHS, code + DISTANCE_LENGTHS)
}

export function writeBytes(from: usize, end: usize): void {
  if (from < end) writeSymbols(from, end, literals)
}

/** The same of bytes that are not the transcript's own: traps where one has no code. */
export function writeOtherBytes(from: usize, end: usize): void {
  for (let at = from; at < end; at += 1)
    if (load<u32>(literals + ((<usize>load<u8>(at)) << 2)) == 0) unreachable()
  writeBytes(from, end)
}

/** 3 to 258 bytes again, from up to 32,768 back. */
export function writeRepeat(length: i32, distance: i32): void {
  const symbol = lengthSymbol(length)
  const code = load<u32>(literals + (symbol << 2))
  let bits = <u64>(code & CODE_MASK)
  let many = code >> CODE_BITS_AT
  bits |= (<u64>(length - firstLength(symbol))) << many
  many += moreLengthBits(length)
  const far = <u32>(distance - 1)
  const distant = distanceSymbol(far)
  const distantCode = load<u32>(distances + (distant << 2))
  bits |= (<u64>(distantCode & CODE_MASK)) << many
  many += distantCode >> CODE_BITS_AT
  const more = moreDistanceBits(distant)
  bits |= (<u64>(far & ((1 << more) - 1))) << many
  writeBits(bits, many + more)
}

/** Gives the address behind the blocks. */
export function endBlocks(): usize {
  const end = load<u32>(literals + (END_OF_BLOCK << 2))
  writeBits(end & CODE_MASK, end >> CODE_BITS_AT)
  writeBits(0, EMPTY_BLOCK_BITS)
  fillByte()
  writeBits(EMPTY_BLOCK, 32)
  return bitsEnd()
}
