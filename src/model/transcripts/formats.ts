/**
 * The forms of a transcript: what a caller asks for, and how each is written.
 *
 *     format (in a request)   form (stored)   file of a video
 *     text                    txt             <index>.txt    readable paragraphs (readable-text.ts)
 *     srt                     srt             <index>.srt    SubRip
 *     vtt                     vtt             <index>.vtt    WebVTT
 *     segments                json            <index>.json   bare array, as in results
 *                             text            none           the JSON string of results pages
 *
 * Results pages are made of `text` and `json` as they are, so both are complete JSON values.
 * All functions take segments as `oneLineSegments` leaves them.
 *
 * A new format goes into `FORMATS` and `FILE_FORMS`, its layout into `write-form.ts`, its ending into the
 * file route, and a migration widens the two CHECKs on forms; a real reader tests it.
 */
import { hasVisible } from '../../kit/text/invisible.ts'
import type { Segment } from './transcript.ts'

export const FORMATS = ['text', 'srt', 'vtt', 'segments'] as const
/** A format that a caller may ask for. */
export type Format = (typeof FORMATS)[number]

/** The forms that are files, sorted as their endings sort. */
export const FILE_FORMS = ['json', 'srt', 'txt', 'vtt'] as const
/** A form that is a file, named by the file's ending. */
export type FileForm = (typeof FILE_FORMS)[number]
export type Form = FileForm | 'text'

/** Forms of every transcript, whatever was asked for: results and `<index>.txt|json` need them. */
export const FORMS_ALWAYS: readonly Form[] = ['txt', 'json', 'text']

const FORM_OF: Record<Format, FileForm> = { text: 'txt', srt: 'srt', vtt: 'vtt', segments: 'json' }

export function formOf(format: Format): FileForm {
  return FORM_OF[format]
}

/** Returns the file forms of a job's ZIP and links, in the order of their endings. */
export function requestedForms(formats: readonly Format[]): FileForm[] {
  const forms = formats.map(formOf)
  return FILE_FORMS.filter((form) => forms.includes(form))
}

/**
 * Returns the segments with every text on one line and encodable: line breaks and control characters become one space,
 * a lone surrogate U+FFFD. Those in which nothing is seen then are left out, since a blank line would end a cue.
 */
export function oneLineSegments(segments: readonly Segment[]): Segment[] {
  const lines = segments.map((segment) => ({ ...segment, text: oneLine(segment.text) }))
  return lines.filter(({ text }) => hasVisible(text))
}

/** Returns one line of well-formed text without control characters; other blanks stay as they are. */
export function oneLine(text: string): string {
  const encodable = text.isWellFormed() ? text : text.toWellFormed()
  return UNPRINTABLE.test(encodable) ? encodable.replace(BLANK_RUNS, printable).trim() : encodable
}

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u
const BLANK_RUNS = /[\s\p{Cc}\u2028\u2029]+/gu

function printable(blanks: string): string {
  return UNPRINTABLE.test(blanks) ? ' ' : blanks
}
