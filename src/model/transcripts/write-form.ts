/** Writes the forms of a transcript (see formats.ts for what they are), of segments as `oneLineSegments` gives them. */
import type { Form } from './formats.ts'
import { renderParagraphs } from './readable-text.ts'
import { type Segment, textOf } from './transcript.ts'

const MAY_MEAN_MORE = /[<>{\\]/
const ARROW = /-->/g
const OVERRIDE_OR_BREAK = /\{(?=[\\a-z])|\\(?=[nh])/gi

/**
 * Returns the text so that SubRip's players show it as it is. SubRip has no escapes: a zero-width space takes the
 * meaning from what players read as an arrow, a tag (`<i>`), an override (`{\an8}`, `{y:i}`) or a line break (`\N`),
 * and leaves what people see.
 */
export function disarmSrt(text: string): string {
  if (!MAY_MEAN_MORE.test(text)) return text
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

/** Returns whether a player may read a tag from here: what looks like one, or any closed angle brackets. */
function opensTag(text: string, at: number): boolean {
  const first = text.charAt(at + 1)
  if (first === '') return false
  if (TAG_LETTERS.includes(first)) return true
  if (first !== '<' && first.trim() === '') return false
  BRACKET.lastIndex = at + 2
  return BRACKET.exec(text)?.[0] === '>'
}

const VTT_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export function escapeVtt(text: string): string {
  return text.replace(/[&<>]/g, (found) => VTT_ESCAPES[found] ?? found)
}

/** Returns a form's bytes, the same in every release: their length and checksums are stored. */
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
