/** Writes the forms of a transcript (see formats.ts for what they are), of segments as `oneLineSegments` gives them. */
import { alwaysBlank, type Between, blankBetween } from '../../kit/text/joined-text.ts'
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

/**
 * How forms are written. The length and checksums of each form are stored, so what was recorded in an edition is
 * written in it for ever; a change of any byte is a new edition.
 */
export const EDITIONS = [1, 2] as const
export type Edition = (typeof EDITIONS)[number]
export const EDITION: Edition = 2

type Style = {
  between: Between
  /** Whether cues of the same times are one cue of several lines, in which players keep their order. */
  joinsCues: boolean
}
const STYLES: Record<Edition, Style> = {
  1: { between: alwaysBlank, joinsCues: false },
  2: { between: blankBetween, joinsCues: true },
}

/** Returns a form's bytes, the same in every release. */
export function writeForm(
  segments: readonly Segment[],
  form: Form,
  edition: Edition = EDITION,
): Buffer {
  return Buffer.from(WRITERS[form](segments, STYLES[edition]))
}

const WRITERS: Record<Form, (segments: readonly Segment[], style: Style) => string> = {
  txt: (segments, { between }) => renderParagraphs(segments, between),
  json: writeSegments,
  text: (segments, { between }) => JSON.stringify(textOf(segments, between)),
  srt: writeSubRip,
  vtt: writeWebVtt,
}

/** A cue of a subtitle file: what is shown from `startMs` to `endMs`, in lines. */
type FileCue = { startMs: number; endMs: number; lines: string[] }

/**
 * Returns the cues. Players draw a cue that begins while another is shown above it, so two of the same times would be
 * read from below.
 */
function cuesOf(segments: readonly Segment[], { joinsCues }: Style): FileCue[] {
  const cues: FileCue[] = []
  for (const { startMs, endMs, text } of segments) {
    const last = cues.at(-1)
    if (joinsCues && last?.startMs === startMs && last.endMs === endMs) last.lines.push(text)
    else cues.push({ startMs, endMs, lines: [text] })
  }
  return cues
}

/** Returns the segments as the wire shows them: a JSON array, keys in the contract's order. */
function writeSegments(segments: readonly Segment[]): string {
  return JSON.stringify(segments.map(({ startMs, endMs, text }) => ({ startMs, endMs, text })))
}

/** Writes SubRip: cues counted from 1, comma milliseconds; LF, and a blank line after each cue. */
function writeSubRip(segments: readonly Segment[], style: Style): string {
  const cues = cuesOf(segments, style).map(
    ({ startMs, endMs, lines }, at) =>
      `${at + 1}\n${captionClock(startMs, ',')} --> ${captionClock(endMs, ',')}\n${lines.map(disarmSrt).join('\n')}\n\n`,
  )
  return cues.join('')
}

/** Writes WebVTT: cues without names, point milliseconds; LF, and a blank line after each cue. */
function writeWebVtt(segments: readonly Segment[], style: Style): string {
  const cues = cuesOf(segments, style).map(
    ({ startMs, endMs, lines }) =>
      `${captionClock(startMs, '.')} --> ${captionClock(endMs, '.')}\n${lines.map(escapeVtt).join('\n')}\n\n`,
  )
  return `WEBVTT\n\n${cues.join('')}`
}

/** Returns `hh:mm:ss` and milliseconds; hours grow past two digits where they must. */
export function captionClock(ms: number, point: ',' | '.'): string {
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
