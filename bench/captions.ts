/** Captions with the words, cues and sizes of real ones: those of the emulator's talks. */
import { linesOf } from '../emulator/captions.ts'
import { segmentsOf } from '../emulator/truth.ts'
import { createWorld } from '../emulator/world.ts'
import type { Transcript } from '../src/model/transcripts/transcript.ts'

/** The channel of talks of twelve minutes: 1,900 words in 270 cues each. */
export const TALKS = '@plaintalks'

/** Returns the transcripts of the channel's newest `count` videos. */
export function talkTranscripts(count: number): Transcript[] {
  const world = createWorld()
  const talks = world.uploads(world.channel('talks'), null)
  return Array.from({ length: count }, (_, at) => {
    const video = talks.at(at)
    const [track] = video.tracks
    if (track === undefined) throw new Error('a talk has captions')
    const segments = segmentsOf(linesOf(world.seed, video, track), track.kind)
    return { languageCode: track.languageCode, trackKind: track.kind, segments }
  })
}
