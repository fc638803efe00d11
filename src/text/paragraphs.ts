/**
 * Readable text: the segments' words, in order, as paragraphs a person can read, in text files as on the
 * website, which imports this file as it is.
 */
import type { Segment } from '../transcripts/transcript.ts'

/** A pause this long is a new paragraph, whatever was said. */
const LONG_PAUSE_MS = 4_000
/** A pause this long is a new paragraph where a sentence has ended. */
const SENTENCE_PAUSE_MS = 1_500
/** A pause this long ends a paragraph that is long already (recognised without full stops). */
const SHORT_PAUSE_MS = 700
/** From here on a paragraph ends with its sentence. */
const LONG_CHARACTERS = 500
/** Here it ends at the next segment, sentence or not. */
const FULL_CHARACTERS = 1_200

/** Before a speaker mark of live captions (`>> `), which may stand inside a segment. */
const SPEAKER_INSIDE = / (?=>>)/
const SPEAKER_FIRST = /^(>>|- ?\p{Lu}|– ?\p{Lu})/u
/** After a sentence's last character and closing quotes, before something that can begin one. */
const SENTENCE_INSIDE = /(?<=[.!?…][\p{Pe}\p{Pf}"']{0,3}) (?=[^\p{Ll}\s])/u
const SENTENCE_LAST = /[.!?…。！？।؟][\p{Pe}\p{Pf}"']{0,3}$/u

/** `startMs`: of the segment in which it begins. */
export type Paragraph = { startMs: number; text: string }

/** A part of a segment that may begin a paragraph; `startMs` is the segment's. */
type Phrase = { startMs: number; text: string; pauseMs: number; opensSegment: boolean }

/**
 * Paragraphs with a blank line between them and a line feed at the end. Splitting the result and
 * the wire's `text` at white space gives the same words: only spaces between them become line breaks.
 */
export function renderParagraphs(segments: readonly Segment[]): string {
  const texts = paragraphsOf(segments).map(({ text }) => text)
  return `${texts.join('\n\n')}\n`
}

/** Joined by spaces they are the wire's `text`: no word is lost, added or moved. */
export function paragraphsOf(segments: readonly Segment[]): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let open: Paragraph | null = null
  for (const phrase of phrasesOf(segments)) {
    const { startMs, text } = phrase
    if (open !== null && !opensParagraph(open.text, phrase)) open.text += ` ${text}`
    else {
      open = { startMs, text }
      paragraphs.push(open)
    }
  }
  return paragraphs
}

function* phrasesOf(segments: readonly Segment[]): Iterable<Phrase> {
  let saidUntilMs = 0
  for (const { startMs, endMs, text } of segments) {
    let pauseMs = Math.max(0, startMs - saidUntilMs)
    let opensSegment = true
    for (const turn of text.split(SPEAKER_INSIDE)) {
      for (const sentence of turn.split(SENTENCE_INSIDE)) {
        yield { startMs, text: sentence, pauseMs, opensSegment }
        pauseMs = 0
        opensSegment = false
      }
    }
    saidUntilMs = Math.max(saidUntilMs, endMs)
  }
}

function opensParagraph(before: string, { text, pauseMs, opensSegment }: Phrase): boolean {
  if (pauseMs >= LONG_PAUSE_MS) return true
  if (text.startsWith('>>') || (opensSegment && SPEAKER_FIRST.test(text))) return true
  if (pauseMs < SENTENCE_PAUSE_MS && before.length < LONG_CHARACTERS) return false
  if (SENTENCE_LAST.test(before.slice(-8))) return true
  if (before.length < LONG_CHARACTERS) return false
  return pauseMs >= SHORT_PAUSE_MS || (opensSegment && before.length >= FULL_CHARACTERS)
}
