/**
 * Readable text: a transcript as paragraphs, as lines that begin with their time, and in pages. The website imports
 * this file as it is.
 */
import { clockWithHours } from '../../kit/text/clock.ts'
import { type Between, blankBetween } from '../../kit/text/joined-text.ts'
import type { Segment } from './transcript.ts'

/** A pause this long begins a new paragraph, whatever was said. */
const LONG_PAUSE_MS = 4_000
/** A pause this long begins a new paragraph where a sentence has ended. */
const SENTENCE_PAUSE_MS = 1_500
/** A pause this long ends a paragraph that is long already (speech recognised without full stops). */
const SHORT_PAUSE_MS = 700
/** Length from which a paragraph ends with its sentence. */
const LONG_CHARACTERS = 500
/** Length from which a paragraph ends at the next segment, sentence or not. */
const FULL_CHARACTERS = 1_200

/** The blank before a speaker mark of live captions (`>> `), which may stand inside a segment. */
const SPEAKER_INSIDE = / (?=>>)/
const SPEAKER_FIRST = /^(>>|- ?\p{Lu}|– ?\p{Lu})/u
/** The blank after a sentence's last character and closing quotes, and before something that can begin one. */
const SENTENCE_INSIDE = /(?<=[.!?…][\p{Pe}\p{Pf}"']{0,3}) (?=[^\p{Ll}\s])/u
/** Characters without which a text is one phrase. */
const MAY_PART = /[.!?…>]/
const SENTENCE_LAST = /[.!?…。！？।؟][\p{Pe}\p{Pf}"']{0,3}$/u

/** A paragraph; `startMs` is that of the segment in which it begins. */
export type Paragraph = { startMs: number; text: string }

/** A part of a segment that may begin a paragraph. */
type Phrase = { text: string; pauseMs: number; opensSegment: boolean }
/** The paragraph so far: its number of characters, and its end: the last phrase, with more before a short one. */
type Before = { length: number; end: string }

const NOTHING_YET = -1
const BLANK_LINE = '\n\n'
/** Number of characters that SENTENCE_LAST looks at. */
const END_CHARACTERS = 8

/** Returns paragraphs parted by blank lines, with a line feed at the end; the words are those of the wire's `text`. */
export function renderParagraphs(segments: readonly Segment[], between?: Between): string {
  const texts = paragraphsOf(segments, between).map(({ text }) => text)
  return `${texts.join(BLANK_LINE)}\n`
}

/** Returns the paragraphs. They hold the words of the wire's `text` in order: none is lost, added or moved. */
export function paragraphsOf(
  segments: readonly Segment[],
  between: Between = blankBetween,
): Paragraph[] {
  const paragraphs: Paragraph[] = []
  const before: Before = { length: NOTHING_YET, end: '' }
  let saidUntilMs = 0
  for (const { startMs, endMs, text } of segments) {
    const pauseMs = Math.max(0, startMs - saidUntilMs)
    saidUntilMs = Math.max(saidUntilMs, endMs)
    for (const phrase of phrasesOf(text, pauseMs)) {
      const open = paragraphs.at(-1)
      const joint = phrase.opensSegment ? between(before.end, phrase.text) : ' '
      if (addPhrase(before, phrase, joint) || open === undefined)
        paragraphs.push({ startMs, text: phrase.text })
      else open.text += `${joint}${phrase.text}`
    }
  }
  return paragraphs
}

/** Adds a phrase, behind a joint where it continues a paragraph; returns whether it opens a new one. */
function addPhrase(before: Before, phrase: Phrase, joint: string): boolean {
  const { text } = phrase
  const opens = before.length === NOTHING_YET || opensParagraph(before, phrase)
  const isShort = !opens && text.length < END_CHARACTERS
  before.length = opens ? text.length : before.length + joint.length + text.length
  before.end = isShort ? `${before.end.slice(-END_CHARACTERS)}${joint}${text}` : text
  return opens
}

function phrasesOf(text: string, pauseMs: number): Phrase[] {
  if (!MAY_PART.test(text)) return [{ text, pauseMs, opensSegment: true }]
  const sentences = text.split(SPEAKER_INSIDE).flatMap((turn) => turn.split(SENTENCE_INSIDE))
  return sentences.map((sentence, at) => {
    return { text: sentence, pauseMs: at === 0 ? pauseMs : 0, opensSegment: at === 0 }
  })
}

function opensParagraph(before: Before, { text, pauseMs, opensSegment }: Phrase): boolean {
  if (pauseMs >= LONG_PAUSE_MS) return true
  if (text.startsWith('>>') || (opensSegment && SPEAKER_FIRST.test(text))) return true
  if (pauseMs < SENTENCE_PAUSE_MS && before.length < LONG_CHARACTERS) return false
  if (SENTENCE_LAST.test(before.end.slice(-END_CHARACTERS))) return true
  if (before.length < LONG_CHARACTERS) return false
  return pauseMs >= SHORT_PAUSE_MS || (opensSegment && before.length >= FULL_CHARACTERS)
}

/** Returns lines of segments, each with a line break at its end: `[1:02:03] words`. */
export function timedLines(segments: readonly Segment[]): string {
  return segments.map(({ startMs, text }) => `[${clockWithHours(startMs)}] ${text}\n`).join('')
}

/** A page of a text by UTF-16 units, up to but without `to`: joined, all pages are the text again. */
type TextPage = { text: string; from: number; to: number; total: number }

export type PageBounds = { from: number; charsMax: number }
/** `isTimed` is true for lines with their times, false for paragraphs. */
export type PageAsk = PageBounds & { isTimed: boolean }
/** `page` is null where it would begin behind the end of a text of `total` UTF-16 units. */
export type ReadablePage = { page: TextPage | null; total: number }

/** Returns a page of the transcript as people read it. */
export function readablePage(
  segments: readonly Segment[],
  { isTimed, ...ask }: PageAsk,
): ReadablePage {
  const text = isTimed ? timedLines(segments) : renderParagraphs(segments)
  return { page: textPage(text, ask), total: text.length }
}

/** How far before its end a page looks for a blank to end at, as a part of its length. */
const LOOKED_BACK = 0.1

/** Returns the page at `from`, at most `charsMax` long; null where `from` is behind the end of the text. */
export function textPage(text: string, { from, charsMax }: PageBounds): TextPage | null {
  const total = text.length
  if (from > total) return null
  const to = endOf(text, from, charsMax)
  return { text: text.slice(from, to), from, to, total }
}

/** Returns the end of a page: behind a line break or a blank if one is near, and never inside a surrogate pair. */
function endOf(text: string, from: number, charsMax: number): number {
  const end = from + charsMax
  if (end >= text.length) return text.length
  const earliest = end - Math.floor(charsMax * LOOKED_BACK)
  for (const blank of ['\n', ' ']) {
    const last = text.lastIndexOf(blank, end - 1)
    if (last >= earliest) return last + 1
  }
  const splitsPair = (text.codePointAt(end - 1) ?? 0) > 0xffff && end - 1 > from
  return splitsPair ? end - 1 : end
}
