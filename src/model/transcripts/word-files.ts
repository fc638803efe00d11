/** The files of a transcript's words: each word with its times, for machines and for players of captions. */
import type { Segment } from './transcript.ts'
import { type Word, wordsOfSegments } from './word-times.ts'
import { captionClock, escapeVtt } from './write-form.ts'

export const WORD_FILES = ['words.json', 'words.vtt'] as const
export type WordFile = (typeof WORD_FILES)[number]

/** Which file is written, and the packed word times (word-times.ts). */
export type WordFileAsk = { file: WordFile; wordTimes: Uint8Array }

/** Returns the file's bytes: the same for the same transcript in every release of its layout. */
export function writeWordFile(
  segments: readonly Segment[],
  { file, wordTimes }: WordFileAsk,
): Buffer {
  return Buffer.from(WRITERS[file](segments, wordsOfSegments(wordTimes, segments)))
}

const WRITERS: Record<WordFile, (segments: readonly Segment[], words: Word[][]) => string> = {
  'words.json': (_segments, words) => JSON.stringify({ words: words.flat() }),
  'words.vtt': writeTimedVtt,
}

/**
 * Writes WebVTT in which each word after the first has a time stamp, as players show karaoke. Cues of segments without
 * word times are plain.
 */
function writeTimedVtt(segments: readonly Segment[], words: Word[][]): string {
  const cues = segments.map(({ startMs, endMs, text }, at) => {
    const timed = words[at] ?? []
    const said = timed.length === 0 ? escapeVtt(text) : withTimeStamps(timed, startMs, endMs)
    return `${captionClock(startMs, '.')} --> ${captionClock(endMs, '.')}\n${said}\n\n`
  })
  return `WEBVTT\n\n${cues.join('')}`
}

/** A time stamp must come after the one before it and within its cue (WebVTT, 4.2.2); a word that has none goes on. */
function withTimeStamps(words: readonly Word[], startMs: number, endMs: number): string {
  let last = startMs
  return words
    .map(({ startMs: at, text }) => {
      const said = escapeVtt(text)
      if (at <= last || at >= endMs) return said
      last = at
      return `<${captionClock(at, '.')}><c>${said}</c>`
    })
    .join('')
}
