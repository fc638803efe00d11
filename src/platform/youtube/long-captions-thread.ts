/** The thread in which long captions are read (see long-captions.ts). */
import type { TrackKind } from '../../model/transcripts/transcript.ts'
import { readTimedtext } from '../../model/transcripts/timedtext.ts'
import { type StoredTranscript, storeLong } from '../../model/transcripts/transcript-forms.ts'
import { type Content, decode } from '../egress/content.ts'
import { type Obstructed, obstructed } from './obstacle.ts'
import { readContent } from './reply.ts'

export type LongCaptionsInput = {
  content: Content
  trackKind: TrackKind
  isRotating: boolean
  /** The most bytes of the decompressed text. */
  bytesMax: number
  cuesMax: number
}

export type LongReading =
  | { kind: 'stored'; stored: StoredTranscript }
  | { kind: 'empty' }
  | { kind: 'unreadable' }
  | Obstructed

/** Reads captions from the received bytes to the form in which they are stored. */
export async function readLong({
  content,
  trackKind,
  isRotating,
  bytesMax,
  cuesMax,
}: LongCaptionsInput): Promise<LongReading> {
  const decoded = decode(content, bytesMax)
  if (decoded.kind !== 'bytes') return obstructed(decoded.kind)
  const body = readContent(decoded.bytes, isRotating)
  if (body.kind === 'obstructed') return body
  const reading = readTimedtext(body.bytes, trackKind)
  if (reading.kind !== 'segments') return reading
  const { segments } = reading
  if (segments.length > cuesMax) return obstructed('too_large')
  // The forms that the job asks for are not known here, so all are written; such videos are rare.
  return { kind: 'stored', stored: await storeLong({ languageCode: '', trackKind, segments }) }
}
