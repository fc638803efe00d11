/** The WebVTT of a talk with the times of its words, and of words that mean something to WebVTT. */
import assert from 'node:assert/strict'
import { talkReplies } from '../../tools/bench/captions.ts'
import { readTimedtext } from '../../src/model/transcripts/timedtext.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import {
  packWordTimes,
  type Word,
  wordsOfSegments,
} from '../../src/model/transcripts/word-times.ts'
import { wholeWordFile } from '../support/word-files.ts'

/** Words that mean something to WebVTT, said in the middle of a talk. */
const HOSTILE: Segment = {
  startMs: 3_000_000,
  endMs: 3_002_000,
  text: '<c>&amp; 1 <2> --> two',
  words: [4, 6, 3, 4, 5].map((chars, at) => ({ chars, offsetMs: at * 300, confidence: null })),
}
const PLAIN: Segment = { startMs: 3_002_000, endMs: 3_004_000, text: 'no times here' }

const [talk] = talkReplies(1)
assert.ok(talk !== undefined)
const reading = readTimedtext(talk, 'asr')
assert.ok(reading.kind === 'segments')

export const SAID: Segment[] = [...reading.segments, HOSTILE, PLAIN]
const wordTimes = packWordTimes(SAID)
assert.ok(wordTimes !== null)
export const SAID_WORDS: Word[][] = wordsOfSegments(wordTimes, SAID)
export const TIMED_VTT = wholeWordFile(SAID, { file: 'words.vtt', wordTimes })
