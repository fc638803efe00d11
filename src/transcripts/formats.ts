/**
 * The forms of a transcript: what a caller asks for, and how each is written.
 *
 *     format (in a request)   form (stored)   file of a video
 *     text                    txt             <index>.txt    readable paragraphs (paragraphs.ts)
 *     srt                     srt             <index>.srt    SubRip
 *     vtt                     vtt             <index>.vtt    WebVTT
 *     segments                json            <index>.json   bare array, as in results
 *                             text            none           the JSON string of results pages
 *
 * Results pages are made of `text` and `json` as they are, so both are complete JSON values.
 * All functions take segments as `oneLineSegments` leaves them.
 *
 * A new format goes into `FORMATS` and `FILE_FORMS`, its renderer into transcript-forms.ts, its ending into the
 * file route, and a migration widens the two CHECKs on forms; a real reader tests it.
 */
import { type Segment, textOf } from './transcript.ts'

export const FORMATS = ['text', 'srt', 'vtt', 'segments'] as const
/** What a caller may ask for. */
export type Format = (typeof FORMATS)[number]

/** The forms that are files, sorted as their endings sort. */
export const FILE_FORMS = ['json', 'srt', 'txt', 'vtt'] as const
/** A form that is a file, named by the file's ending. */
export type FileForm = (typeof FILE_FORMS)[number]
export type Form = FileForm | 'text'

/** Made for every transcript, whatever was asked: results and `<index>.txt|json` need them. */
export const FORMS_ALWAYS: readonly Form[] = ['txt', 'json', 'text']

const FORM_OF: Record<Format, FileForm> = { text: 'txt', srt: 'srt', vtt: 'vtt', segments: 'json' }
const FORMAT_OF: Record<FileForm, Format> = {
  txt: 'text',
  srt: 'srt',
  vtt: 'vtt',
  json: 'segments',
}

export function formOf(format: Format): FileForm {
  return FORM_OF[format]
}

export function formatOf(form: FileForm): Format {
  return FORMAT_OF[form]
}

/** The file forms of a job's ZIP and links, in the order of their endings. */
export function requestedForms(formats: readonly Format[]): FileForm[] {
  return FILE_FORMS.filter((form) => formats.includes(formatOf(form)))
}

/**
 * The segments with every text on one line and encodable: line breaks and control characters become
 * one space, a lone surrogate U+FFFD; what is blank then is left out, since a blank line would end
 * a cue. Segments that follow transcript.ts come back with equal values.
 */
export function oneLineSegments(segments: readonly Segment[]): Segment[] {
  const lines = segments.map((segment) => ({ ...segment, text: oneLine(segment.text) }))
  return lines.filter(({ text }) => text.trim() !== '')
}

/** One line of well-formed text without control characters; other blanks stay as they are. */
export function oneLine(text: string): string {
  const encodable = text.isWellFormed() ? text : text.toWellFormed()
  return UNPRINTABLE.test(encodable) ? encodable.replace(BLANK_RUNS, printable).trim() : encodable
}

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u
const BLANK_RUNS = /[\s\p{Cc}\u2028\u2029]+/gu

function printable(blanks: string): string {
  return UNPRINTABLE.test(blanks) ? ' ' : blanks
}

/** The segments as the wire shows them: a JSON array, keys in the contract's order. */
export function renderSegments(segments: readonly Segment[]): string {
  return JSON.stringify(segments.map(({ startMs, endMs, text }) => ({ startMs, endMs, text })))
}

/** The wire's `text` as a JSON string, quotes included. */
export function renderTextLiteral(segments: readonly Segment[]): string {
  return JSON.stringify(textOf(segments))
}

/** SubRip: cues counted from 1, comma milliseconds, LF, a blank line after each cue. */
export function renderSrt(segments: readonly Segment[]): string {
  let file = ''
  let count = 0
  for (const { startMs, endMs, text } of segments) {
    file += `${++count}\n${clock(startMs, ',')} --> ${clock(endMs, ',')}\n${disarm(text)}\n\n`
  }
  return file
}

/** WebVTT: cues without names, point milliseconds, LF, a blank line after each cue. */
export function renderVtt(segments: readonly Segment[]): string {
  let file = 'WEBVTT\n\n'
  for (const { startMs, endMs, text } of segments) {
    file += `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${escapeVtt(text)}\n\n`
  }
  return file
}

const ARROW = /-->/g
const OVERRIDE_OR_BREAK = /\{(?=[\\a-z])|\\(?=[nh])/gi

/**
 * SubRip has no escapes: a zero-width space takes the meaning from what players read as an arrow, a
 * tag (`<i>`), an override (`{\an8}`, `{y:i}`) or a line break (`\N`), and leaves what people see.
 */
function disarm(text: string): string {
  return disarmTags(text).replace(OVERRIDE_OR_BREAK, '$&\u200b').replace(ARROW, '--\u200b>')
}

function disarmTags(text: string): string {
  let disarmed = ''
  let from = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (!opensTag(text, at)) continue
    disarmed += `${text.slice(from, at + 1)}\u200b`
    from = at + 1
  }
  return disarmed + text.slice(from)
}

const BRACKET = /[<>]/g
const TAG_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!'

/** Whether a player may read a tag from here: what looks like one, or any closed angle brackets. */
function opensTag(text: string, at: number): boolean {
  const first = text.charAt(at + 1)
  if (first === '') return false
  if (TAG_LETTERS.includes(first)) return true
  if (first !== '<' && first.trim() === '') return false
  BRACKET.lastIndex = at + 2
  return BRACKET.exec(text)?.[0] === '>'
}

const VTT_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeVtt(text: string): string {
  return text.replace(/[&<>]/g, (found) => VTT_ESCAPES[found] ?? found)
}

/** `hh:mm:ss` and milliseconds; hours grow past two digits where they must. */
function clock(ms: number, point: ',' | '.'): string {
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const thousandths = String(ms % 1000).padStart(3, '0')
  return `${two(hours)}:${two(minutes % 60)}:${two(seconds % 60)}${point}${thousandths}`
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
