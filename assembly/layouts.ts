/** How each form is laid out around a transcript's lines (see formats.ts for what the forms are). */
import { writeLine, writeMark, writeNumber } from './form-writer'
import { breaks, endOf, lines, startOf } from './lines'

/** Readable paragraphs: where one begins, the host says. */
export function writeParagraphs(): void {
  for (let line: i32 = 0; line < lines; line += 1) {
    if (line > 0) writeMark(load<u8>(breaks + line) == 1 ? '\n\n' : ' ')
    writeLine(line)
  }
  writeMark('\n')
}

/** The segments as the wire shows them: a JSON array, keys in the contract's order. */
export function writeSegments(): void {
  writeMark('[')
  for (let line: i32 = 0; line < lines; line += 1) {
    writeMark(line == 0 ? '{"startMs":' : ',{"startMs":')
    writeNumber(startOf(line), 1)
    writeMark(',"endMs":')
    writeNumber(endOf(line), 1)
    writeMark(',"text":"')
    writeLine(line)
    writeMark('"}')
  }
  writeMark(']')
}

/** The wire's `text` as a JSON string, quotes included. */
export function writeTextLiteral(): void {
  writeMark('"')
  for (let line: i32 = 0; line < lines; line += 1) {
    if (line > 0) writeMark(' ')
    writeLine(line)
  }
  writeMark('"')
}

/**
 * SubRip: cues counted from 1, comma milliseconds. WebVTT: cues without names, point milliseconds. Both with LF and a
 * blank line after each cue.
 */
export function writeCues(isSrt: bool): void {
  const point = isSrt ? ',' : '.'
  if (!isSrt) writeMark('WEBVTT\n\n')
  for (let line: i32 = 0; line < lines; line += 1) {
    if (isSrt) {
      writeNumber(line + 1, 1)
      writeMark('\n')
    }
    writeClock(startOf(line), point)
    writeMark(' --> ')
    writeClock(endOf(line), point)
    writeMark('\n')
    writeLine(line)
    writeMark('\n\n')
  }
}

/** `hh:mm:ss` and milliseconds; hours grow past two digits where they must. */
function writeClock(ms: u64, point: string): void {
  const seconds = ms / 1000
  const minutes = seconds / 60
  const hours = minutes / 60
  writeNumber(hours, 2)
  writeMark(':')
  writeNumber(minutes - hours * 60, 2)
  writeMark(':')
  writeNumber(seconds - minutes * 60, 2)
  writeMark(point)
  writeNumber(ms - seconds * 1000, 3)
}
