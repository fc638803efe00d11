/**
 * Scans captions, writes the forms of a transcript and compresses them: compiled to `src/model/transcripts/forms.wasm` by
 * `npm run wasm`, in AssemblyScript. At hand at a time are either the events of captions or one transcript, and of it one form.
 */
import { blocks } from './blocks'
import { makeBlockCodes, timedCode, wordsCode } from './block-code'
import { cues } from './events'
import { beginForm, content, endForm, endFormBlocks, makeOthers } from './form-writer'
import { writeCues, writeParagraphs, writeSegments, writeTextLiteral } from './layouts'
import {
  breaks,
  findLines,
  MARK_AMPERSAND,
  MARK_ANGLE,
  MARK_BACKSLASH,
  MARK_BRACE,
  MARK_QUOTE,
  marks,
  texts,
  times,
} from './lines'
import { freeFrom, room } from './memory'
import { findRepeats, repeats, repeatsEnd } from './repeats'

export { findCues, makeEvents } from './events'
export { isAscii } from './json-text'
export { makeLines } from './lines'
export { codeLengths, makeCodes } from './huffman-code'

/** Forms as the host numbers them. */
const TXT: i32 = 0
const JSON: i32 = 1
const TEXT: i32 = 2
const SRT: i32 = 3

const JSON_ESCAPED: i32 = MARK_QUOTE | MARK_BACKSLASH
const SRT_ESCAPED: i32 = MARK_ANGLE | MARK_BRACE | MARK_BACKSLASH
const VTT_ESCAPED: i32 = MARK_ANGLE | MARK_AMPERSAND

/** Where what belongs to a form begins. */
let formsFrom: usize = 0
let isSearched = false

/** To be told when texts, times and breaks are written. Gives the marks of all lines; -1: there are not so many lines. */
export function open(): i32 {
  const found = findLines()
  formsFrom = room(0)
  isSearched = false
  return found
}

/** Room for lines that the form to come writes otherwise; the host asks for each form, be there none. */
export function othersRoom(many: i32, bytes: i32): usize {
  return makeOthers(formsFrom, many, bytes)
}

/** What all forms share where they are compressed: before the first one is, and before its `othersRoom`. */
export function search(): void {
  if (isSearched) return
  freeFrom(formsFrom)
  findRepeats()
  makeBlockCodes()
  formsFrom = room(0)
  isSearched = true
}

/** Which characters of a line the host has to write otherwise in a form, as `open` gives them. */
export function escapedMarks(form: i32): i32 {
  if (form == TXT) return 0
  return form == JSON || form == TEXT ? JSON_ESCAPED : form == SRT ? SRT_ESCAPED : VTT_ESCAPED
}

/** Gives how many bytes the form has; they stand at `contentAt`. */
export function writeForm(form: i32, isPacked: bool): i32 {
  beginForm(isPacked ? (form == TXT || form == TEXT ? wordsCode : timedCode) : 0)
  if (form == TXT) writeParagraphs()
  else if (form == JSON) writeSegments()
  else if (form == TEXT) writeTextLiteral()
  else writeCues(form == SRT)
  return endForm()
}

/** Of the form that was written: how many bytes its blocks have; they stand at `blocksAt`. */
export function endBlocks(): i32 {
  return endFormBlocks()
}

export function cuesAt(): usize {
  return cues
}

export function textsAt(): usize {
  return texts
}

export function timesAt(): usize {
  return times
}

export function breaksAt(): usize {
  return breaks
}

export function marksAt(): usize {
  return marks
}

export function contentAt(): usize {
  return content
}

export function blocksAt(): usize {
  return blocks
}

export function repeatsAt(): usize {
  return repeats
}

export function repeatsEndAt(): usize {
  return repeatsEnd
}
