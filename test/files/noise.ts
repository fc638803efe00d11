/** Captions that compress badly: a few of them make a large ZIP. */
import { createHash } from 'node:crypto'
import type { Segment } from '../../src/model/transcripts/transcript.ts'

const SEGMENTS = 6_000

/** Returns other segments for each seed, the same each time. */
export function noisySegments(seed: number): Segment[] {
  return Array.from({ length: SEGMENTS }, (_, at) => ({
    startMs: at * 100,
    endMs: at * 100 + 90,
    text: createHash('sha256').update(`${seed}/${at}`).digest('base64'),
  }))
}
