/**
 * Writes the forms of a transcript (see formats.ts for what they are), of segments as `oneLineSegments` leaves them.
 */
import { disarmSrt, escapeVtt } from './escapes.ts'
import type { Form } from './formats.ts'
import { renderParagraphs } from './paragraphs.ts'
import { type Segment, textOf } from './transcript.ts'

/**
 * Returns the bytes of a form. Equal segments give equal bytes in every release: their length and checksums are stored.
 */
export function writeForm(segments: readonly Segment[], form: Form): Buffer {
  return Buffer.from(WRITERS[form](segments))
}

const WRITERS: Record<Form, (segments: readonly Segment[]) => string> = {
  txt: renderParagraphs,
  json: writeSegments,
  text: (segments) => JSON.stringify(textOf(segments)),
  srt: writeSubRip,
  vtt: writeWebVtt,
}

/** Returns the segments as the wire shows them: a JSON array, keys in the contract's order. */
function writeSegments(segments: readonly Segment[]): string {
  return JSON.stringify(segments.map(({ startMs, endMs, text }) => ({ startMs, endMs, text })))
}

/** Writes SubRip: cues counted from 1, comma milliseconds; LF, and a blank line after each cue. */
function writeSubRip(segments: readonly Segment[]): string {
  const cues = segments.map(
    ({ startMs, endMs, text }, at) =>
      `${at + 1}\n${clock(startMs, ',')} --> ${clock(endMs, ',')}\n${disarmSrt(text)}\n\n`,
  )
  return cues.join('')
}

/** Writes WebVTT: cues without names, point milliseconds; LF, and a blank line after each cue. */
function writeWebVtt(segments: readonly Segment[]): string {
  const cues = segments.map(
    ({ startMs, endMs, text }) =>
      `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${escapeVtt(text)}\n\n`,
  )
  return `WEBVTT\n\n${cues.join('')}`
}

/** Returns `hh:mm:ss` and milliseconds; hours grow past two digits where they must. */
function clock(ms: number, point: ',' | '.'): string {
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${two(hours)}:${two(minutes % 60)}:${two(seconds % 60)}${point}${three(ms % 1000)}`
}

/** Returns two digits. A transcript has some thousand clocks, where `padStart` would take half of the time. */
function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}

function three(number: number): string {
  return number < 100 ? `0${two(number)}` : `${number}`
}
