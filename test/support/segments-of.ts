/** The segments of a fetched transcript, short or long, without the times of their words. */
import { segmentsOfStored } from '../../src/model/transcripts/transcript-body.ts'
import type { LongTranscript } from '../../src/model/files/transcript-forms.ts'
import type { Segment, Transcript } from '../../src/model/transcripts/transcript.ts'

export function segmentsOf(transcript: Transcript | LongTranscript): Segment[] {
  return 'stored' in transcript
    ? segmentsOfStored(transcript.stored.body)
    : transcript.segments.map(({ startMs, endMs, text }) => ({ startMs, endMs, text }))
}
