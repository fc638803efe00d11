/** Captions with the words, cues and sizes of real ones: those of the emulator's talks, as they are published. */
import assert from 'node:assert/strict'
import { linesOf } from '../../emulator/captions.ts'
import { json3 } from '../../emulator/wire/json3.ts'
import { createWorld } from '../../emulator/world.ts'
import { readTimedtext } from '../../src/model/transcripts/timedtext.ts'
import type { Transcript } from '../../src/model/transcripts/transcript.ts'

/** The channel of talks of twelve minutes: 1,900 words in 270 cues each. */
export const TALKS = '@plaintalks'

/** Returns the transcripts of the channel's newest `count` videos. */
export function talkTranscripts(count: number): Transcript[] {
  return talkReplies(count).map(transcriptOf)
}

/** Returns the transcript that is read from a talk's json3. */
export function transcriptOf(reply: Buffer): Transcript {
  const reading = readTimedtext(reply, 'asr')
  assert(reading.kind === 'segments', 'a talk has words')
  return { languageCode: 'en', trackKind: 'asr', segments: reading.segments, source: null }
}

/** Returns the json3 of the newest talks, whose captions are automatic and English. */
export function talkReplies(count: number): Buffer[] {
  const world = createWorld()
  const talks = world.uploads(world.channel('talks'), null)
  return Array.from({ length: count }, (_, at) => {
    const video = talks.at(at)
    const [track] = video.tracks
    if (track === undefined) throw new Error('a talk has captions')
    return Buffer.from(json3({ video, track, lines: linesOf(world.seed, video, track) }))
  })
}
