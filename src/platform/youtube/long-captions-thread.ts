/** The thread in which long captions are read (see long-captions.ts). */
import { FORMATS } from '../../model/files/catalogue.ts'
import type { CaptionDocument, TrackKind } from '../../model/transcripts/transcript.ts'
import { type StoredTranscript, storeTranscript } from '../../model/files/transcript-forms.ts'
import { type Content, decode } from '../egress/content.ts'
import { type Obstructed, obstructed } from './obstacle.ts'
import { readCaptions, readContent } from './reply.ts'

/** Captions as received on a route; they may be a web page that a rotating one brought in their place. */
export type LongCaptions = { content: Content; trackKind: TrackKind; isRotating: boolean }

export type LongReading =
  { kind: 'stored'; stored: StoredTranscript; document: CaptionDocument } | Obstructed

/** Reads captions to the form in which they are stored; `bytesMax` bounds the decompressed text. */
export async function readLong({
  content,
  trackKind,
  isRotating,
  bytesMax,
  cuesMax,
}: LongCaptions & { bytesMax: number; cuesMax: number }): Promise<LongReading> {
  const decoded = decode(content, bytesMax)
  if (decoded.kind !== 'bytes') return obstructed(decoded.kind)
  const body = readContent(decoded.bytes, isRotating)
  if (body.kind === 'obstructed') return body
  const captions = readCaptions(body.bytes, trackKind)
  if (captions.kind === 'obstructed') return captions
  const { segments, document } = captions
  if (segments.length > cuesMax) return obstructed('too_large')
  // The forms that the job asks for are not known here, so all are written; such videos are rare.
  const transcript = { languageCode: '', trackKind, segments, source: null }
  const stored = await storeTranscript(transcript, FORMATS)
  return { kind: 'stored', stored, document }
}
