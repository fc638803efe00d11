/**
 * How each form is laid out around a transcript's lines (see formats.ts for what the forms are). Texts are as
 * `oneLineSegments` leaves them; what a form writes otherwise, it does so line by line.
 */
import { brokenTexts } from '../text/paragraphs.ts'
import { disarmSrt, escapeJson, escapeVtt } from './escapes.ts'
import { FormWriter, type Packing } from './form-writer.ts'
import type { Form } from './formats.ts'
import {
  type Lines,
  MARK_AMPERSAND,
  MARK_ANGLE,
  MARK_BACKSLASH,
  MARK_BRACE,
  MARK_QUOTE,
} from './lines.ts'

/** The bytes of a form, lent until the next is written; `packing`: where it goes to be compressed as well. */
export function writeForm(lines: Lines, form: Form, packing: Packing | null = null): Buffer {
  const writer = new FormWriter(lines, packing)
  LAYOUTS[form](writer, lines)
  return writer.end()
}

const LAYOUTS: Record<Form, (writer: FormWriter, lines: Lines) => void> = {
  txt: writeParagraphs,
  json: writeSegments,
  text: writeTextLiteral,
  srt: writeSrt,
  vtt: writeVtt,
}

/** Which marks a form writes otherwise, and how. */
type Escapes = { escaped: number; escape(text: string): string }

const JSON_ESCAPES: Escapes = { escaped: MARK_QUOTE | MARK_BACKSLASH, escape: escapeJson }
const SRT_ESCAPES: Escapes = {
  escaped: MARK_ANGLE | MARK_BRACE | MARK_BACKSLASH,
  escape: disarmSrt,
}
const VTT_ESCAPES: Escapes = { escaped: MARK_ANGLE | MARK_AMPERSAND, escape: escapeVtt }

/** Readable paragraphs. */
function writeParagraphs(writer: FormWriter, { segments }: Lines): void {
  let line = 0
  for (const { opens, text, isBroken } of brokenTexts(segments)) {
    if (line > 0) writer.mark(opens ? '\n\n' : ' ')
    if (isBroken) writer.otherLine(text)
    else writer.line(line)
    line += 1
  }
  writer.mark('\n')
}

/** The segments as the wire shows them: a JSON array, keys in the contract's order. */
function writeSegments(writer: FormWriter, lines: Lines): void {
  writer.mark('[')
  for (const [line, { startMs, endMs }] of lines.segments.entries()) {
    writer.mark(line === 0 ? '{"startMs":' : ',{"startMs":')
    writer.number(startMs)
    writer.mark(',"endMs":')
    writer.number(endMs)
    writer.mark(',"text":"')
    writeLine(writer, lines, line, JSON_ESCAPES)
    writer.mark('"}')
  }
  writer.mark(']')
}

/** The wire's `text` as a JSON string, quotes included. */
function writeTextLiteral(writer: FormWriter, lines: Lines): void {
  writer.mark('"')
  for (let line = 0; line < lines.segments.length; line += 1) {
    if (line > 0) writer.mark(' ')
    writeLine(writer, lines, line, JSON_ESCAPES)
  }
  writer.mark('"')
}

/** SubRip: cues counted from 1, comma milliseconds, LF, a blank line after each cue. */
function writeSrt(writer: FormWriter, lines: Lines): void {
  for (const [line, { startMs, endMs }] of lines.segments.entries()) {
    writer.number(line + 1)
    writer.mark('\n')
    writeTimes(writer, { startMs, endMs, point: ',' })
    writeLine(writer, lines, line, SRT_ESCAPES)
    writer.mark('\n\n')
  }
}

/** WebVTT: cues without names, point milliseconds, LF, a blank line after each cue. */
function writeVtt(writer: FormWriter, lines: Lines): void {
  writer.mark('WEBVTT\n\n')
  for (const [line, { startMs, endMs }] of lines.segments.entries()) {
    writeTimes(writer, { startMs, endMs, point: '.' })
    writeLine(writer, lines, line, VTT_ESCAPES)
    writer.mark('\n\n')
  }
}

/** A line as it is, or by `escape` where it has such marks. */
function writeLine(
  writer: FormWriter,
  { segments, marks }: Lines,
  line: number,
  { escaped, escape }: Escapes,
): void {
  if (((marks[line] ?? 0) & escaped) === 0) writer.line(line)
  else writer.otherLine(escape(segments[line]?.text ?? ''))
}

function writeTimes(
  writer: FormWriter,
  { startMs, endMs, point }: { startMs: number; endMs: number; point: ',' | '.' },
): void {
  writeClock(writer, startMs, point)
  writer.mark(' --> ')
  writeClock(writer, endMs, point)
  writer.mark('\n')
}

/** `hh:mm:ss` and milliseconds; hours grow past two digits where they must. */
function writeClock(writer: FormWriter, ms: number, point: ',' | '.'): void {
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  writer.number(hours, 2)
  writer.mark(':')
  writer.number(minutes - hours * 60, 2)
  writer.mark(':')
  writer.number(seconds - minutes * 60, 2)
  writer.mark(point)
  writer.number(ms - seconds * 1000, 3)
}
