/**
 * Generates the words of a caption track: what is written on the wire, and the clean text that a right client makes of
 * it. Times are milliseconds from the video's start.
 */
import { READ_WORD_MS, readerOf } from './lectures.ts'
import type { Track, TrackStyle, Video } from './model.ts'
import { hashText, mix, type Random, randomOf } from './random.ts'
import { capitalised, sentenceOf } from './sentences.ts'
import { speakerOf, type Speaker } from './speech.ts'

/** A piece of a line as it is on the wire, with its own leading space. */
export type Piece = {
  raw: string
  offsetMs: number
  /** What the speech recognition says of itself, 0 to 255; 0 also where it says nothing. */
  confidence: number
}

export type Line = {
  startMs: number
  /** Time on the screen; null where it is not stated, 0 where it is published so. */
  durationMs: number | null
  pieces: readonly Piece[]
  /** The text after cleaning: one line, NFC, no markup, no invisible characters; '' where nothing else is in it. */
  clean: string
  /** When a line break without a duration clears the line from the window; null where none does. */
  clearedMs: number | null
}

const LINE_WORDS = { low: 5, high: 9 }
const SENTENCE_WORDS = { low: 10, high: 24 }
const WORD_MS = { low: 180, high: 420 }
/** How long an automatic line stays after its last word when a pause follows. */
const LINGER_MS = 900
/** The duration of newer automatic lines, which says nothing. */
const PLACEHOLDER_MS = 3000
/** A line break comes this long before the next line. */
const CLEARED_BEFORE_MS = 10
const NBSP = '\u00a0'
const ZWSP = '\u200b'
/** Persian, a family, a heart and the flag of Scotland: joiners, a selector and tags belong to them. */
const JOINED =
  'می\u200cخواهم 👩\u200d👧 ❤\ufe0f 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'

export function linesOf(seed: number, video: Video, track: Track): Line[] {
  const name = `${video.videoId} ${track.languageCode} ${track.kind} ${track.name}`
  const random = randomOf(mix(seed, hashText(name)))
  return rolls(track) ? automaticLines(video, track, random) : manualLines(video, track, random)
}

/** Whether the track's lines roll in a window, with a time for each word. */
export function rolls({ kind, style }: Track): boolean {
  return kind === 'asr' || style === 'doubled'
}

function speakerOfTrack(track: Track, random: Random): Speaker {
  const { languageCode, style } = track
  if (style === 'read') return readerOf(track)
  return style === 'talk' ? speakerOf(languageCode, random) : () => sentenceOf(languageCode, random)
}

/**
 * Generates automatic lines, which roll: each stays until the line after the next begins, so neighbours overlap by
 * design. Before a pause, both lines on the screen end together.
 */
function automaticLines(video: Video, track: Track, random: Random): Line[] {
  const spoken: { startMs: number; endMs: number; pieces: Piece[]; clean: string }[] = []
  let at = Math.min(random.between(120, 2400), video.durationMs / 4)
  at = Math.floor(at)
  let queue: string[] = []
  let space: string = ' '
  const say = speakerOfTrack(track, random)
  const sure = confidencesOf(video, track)
  const isCleared = track.style === 'sentences' || track.style === 'blank_ends'
  const said = isCleared ? SENTENCE_WORDS : LINE_WORDS
  while (at < video.durationMs - 1500) {
    if (queue.length < said.high + 1) {
      const sentence = say()
      if (sentence === null && queue.length === 0) break
      space = sentence?.space ?? space
      queue.push(...spokenWords(sentence?.words ?? [], track, random))
    }
    const words = queue.slice(0, random.between(said.low, said.high))
    queue = queue.slice(words.length)
    const pieces: Piece[] = []
    let offsetMs = 0
    for (const word of words) {
      const raw = pieces.length === 0 ? word : space + word
      pieces.push({ raw, offsetMs, confidence: sure(at + offsetMs) })
      offsetMs += random.between(WORD_MS.low, WORD_MS.high) + (space === '' ? 500 : 0)
    }
    spoken.push({ startMs: at, endMs: at + offsetMs, pieces, clean: cleaned(words.join(space)) })
    at +=
      offsetMs + (random.fraction() < 0.12 ? random.between(1500, 6000) : random.between(20, 90))
  }
  const lines = spoken.map(({ startMs, pieces, clean }, index) => ({
    startMs,
    durationMs: screenEnd(spoken, index, video.durationMs) - startMs,
    pieces,
    clean,
    clearedMs: null,
  }))
  if (isCleared) return withoutDurations(lines)
  return track.style === 'twins' ? withTwins(lines) : lines
}

const CONFIDENCE_MAX = 255
/** One word in so many is one of which the recognition is not sure. */
const UNSURE_WORDS = 25

/**
 * Returns the confidence of the word at an instant. Half of the videos have some, as older captions do; newer ones have
 * 0 for every word (2026).
 */
function confidencesOf({ videoId }: Video, { style }: Track): (atMs: number) => number {
  const video = hashText(videoId)
  if (style === 'talk' || video % 2 === 0) return () => 0
  return (atMs) => {
    const draw = mix(video, atMs)
    const isUnsure = draw % UNSURE_WORDS === 0
    return CONFIDENCE_MAX - (isUnsure ? 130 + (draw % 90) : (draw % 7) * (draw % 5))
  }
}

/** Returns when the line leaves the screen: at line i+2, or earlier where a pause follows. */
function screenEnd(
  spoken: readonly { startMs: number; endMs: number }[],
  index: number,
  videoMs: number,
): number {
  const [next, afterNext] = [spoken[index + 1], spoken[index + 2]]
  const own = spoken[index]
  if (own === undefined) return videoMs
  if (next === undefined) return Math.min(own.endMs + LINGER_MS, videoMs)
  if (next.startMs > own.endMs + LINGER_MS) return own.endMs + LINGER_MS
  if (afterNext === undefined || afterNext.startMs > next.endMs + LINGER_MS) {
    return Math.min(next.endMs + LINGER_MS, videoMs)
  }
  return afterNext.startMs
}

function spokenWords(words: readonly string[], track: Track, random: Random): string[] {
  if (track.style !== 'sounds') {
    if (track.variant !== 'punctuated') return [...words]
    return words.map((word, at) =>
      at === 0 ? capitalised(word) : at === words.length - 1 ? `${word}.` : word,
    )
  }
  const noise = random.pick(['[Music]', '[Applause]', '>>', `[${NBSP}__${NBSP}]`])
  return random.fraction() < 0.4 ? [noise, ...words] : [...words]
}

/**
 * Returns the lines as newer automatic captions have them (2026-08): three seconds long, whatever is said, until a line
 * break clears them. Every fifth is not cleared.
 */
function withoutDurations(lines: readonly Line[]): Line[] {
  return lines.map((line, index) => {
    const endMs = line.startMs + (line.durationMs ?? 0)
    const nextMs = lines[index + 1]?.startMs ?? Infinity
    const clearedMs = index % 5 === 4 ? null : Math.min(endMs, nextMs - CLEARED_BEFORE_MS)
    return { ...line, durationMs: PLACEHOLDER_MS, clearedMs }
  })
}

/** Adds to every fourth line a second one that starts at the same instant. */
function withTwins(lines: readonly Line[]): Line[] {
  return lines.flatMap((line, index) => {
    if (index % 4 !== 1) return [line]
    const twin = {
      ...line,
      pieces: [{ raw: '[Laughter]', offsetMs: 0, confidence: 0 }],
      clean: '[Laughter]',
    }
    return [line, twin]
  })
}

function manualLines(video: Video, track: Track, random: Random): Line[] {
  const lines: Line[] = []
  const say = speakerOfTrack(track, random)
  let at = Math.floor(Math.min(random.between(300, 3000), video.durationMs / 4))
  while (at < video.durationMs - 1200) {
    const sentence = say()
    if (sentence === null) break
    const { words, space, stop } = sentence
    const isRead = track.style === 'read'
    const spokenMs = isRead ? words.length * READ_WORD_MS : random.between(1400, 5200)
    const durationMs = Math.min(spokenMs, video.durationMs - at)
    const index = lines.length
    const text = words.map((word, at) => (at === 0 && !isRead ? capitalised(word) : word))
    const { pieces, clean } = written(track.style, text, { space, stop, index })
    lines.push({
      startMs: at,
      durationMs: publishedDuration(track.style, durationMs, index),
      pieces,
      clean,
      clearedMs: null,
    })
    if (track.style === 'blank_ends') lines.push(blankAfter(at + durationMs, index))
    at +=
      track.style === 'overlapping' && index % 3 === 0 ? 700 : durationMs + random.between(0, 1400)
  }
  return joined(lines, LINES_OF_CUE[track.style] ?? 1)
}

/** Lines of one cue, by the style of the track; one in others. */
const LINES_OF_CUE: Partial<Record<TrackStyle, number>> = { one_cue: Infinity, paragraphs: 30 }

/** Returns the lines, so many of them as one. */
function joined(lines: readonly Line[], count: number): Line[] {
  if (count === 1) return [...lines]
  return lines.flatMap((first, at) => {
    if (at % Math.min(count, lines.length) !== 0) return []
    const all = lines.slice(at, at + Math.min(count, lines.length))
    const last = all.at(-1) ?? first
    const clean = all.map((line) => line.clean).join(' ')
    const durationMs = last.startMs + (last.durationMs ?? 0) - first.startMs
    return [{ ...first, durationMs, pieces: [{ raw: clean, offsetMs: 0, confidence: 0 }], clean }]
  })
}

/** Texts of events without words; '' is an empty piece, null none at all. */
export const BLANKS = [NBSP, '\u3000', ZWSP, '', null, '\n', '\u200e ', '\u2800'] as const

/** Returns an event without words, which ends the cue above it. */
function blankAfter(startMs: number, index: number): Line {
  const raw = BLANKS[index % BLANKS.length] ?? null
  return {
    startMs,
    durationMs: index % 4 === 3 ? 400 : null,
    pieces: raw === null ? [] : [{ raw, offsetMs: 0, confidence: 0 }],
    clean: '',
    clearedMs: null,
  }
}

function publishedDuration(style: TrackStyle, durationMs: number, index: number): number | null {
  if (style === 'blank_ends') return index % 4 === 2 ? 0 : null
  if (style !== 'open_ended') return durationMs
  return index % 3 === 0 ? null : index % 3 === 1 ? 0 : durationMs
}

type Written = { pieces: Piece[]; clean: string }

/** Returns the cue as its author published it, and the text that it means. */
function written(
  style: TrackStyle,
  words: string[],
  { space, stop, index }: { space: string; stop: string; index: number },
): Written {
  const sentence = words.join(space) + stop
  const whole = (raw: string, clean: string): Written => ({
    pieces: [{ raw, offsetMs: 0, confidence: 0 }],
    clean: cleaned(clean),
  })
  const half = Math.ceil(words.length / 2)
  const halves = [words.slice(0, half).join(space), words.slice(half).join(space) + stop] as const
  switch (style) {
    case 'styled': {
      const raws = words.map((word, at) => `${ZWSP}${at === 0 ? '' : space}${word}`)
      return {
        pieces: [...raws, stop].map((raw) => ({ raw, offsetMs: 0, confidence: 0 })),
        clean: cleaned(sentence),
      }
    }
    case 'markup':
      return index % 2 === 0
        ? whole(
            `<i>${halves[0]}</i> <font color="#FF0000">${halves[1]}</font>`,
            `${halves[0]} ${halves[1]}`,
          )
        : whole(`1 < 2 and 3 <b>></b> 2: ${sentence}`, `1 < 2 and 3 > 2: ${sentence}`)
    case 'entities':
      return whole(`Tom &amp; Jerry &lt;3: ${sentence}`, `Tom &amp; Jerry &lt;3: ${sentence}`)
    case 'unicode':
      return whole(
        `\ufeffcafe\u0301${NBSP}${NBSP}déjà\u200b vu: ${sentence} \u200f(\u202bשלום\u202c)`,
        `café déjà vu: ${sentence} \u200f(\u202bשלום\u202c)`,
      )
    case 'blank':
      return whole(index % 2 === 0 ? '\u200e' : '\u2800 \u2060', '')
    case 'marked':
      return index % 3 === 1
        ? whole('\u200f \u2060', '')
        : whole(`\u2060${sentence} \ufe0f ${JOINED}\u2800${ZWSP}`, `${sentence} ${JOINED}`)
    case 'two_lines':
      return whole(`${halves[0]}\n${halves[1]}`, `${halves[0]} ${halves[1]}`)
    default:
      return whole(sentence, sentence)
  }
}

function cleaned(text: string): string {
  return text.replaceAll(NBSP, ' ').normalize('NFC')
}
