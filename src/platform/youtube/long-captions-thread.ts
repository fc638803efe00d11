/** The thread in which long captions are read (see long-captions.ts): one question, one answer, again. */
import { parentPort } from 'node:worker_threads'
import { readTimedtext } from '../../model/transcripts/timedtext.ts'
import { storeLong } from '../../model/transcripts/transcript-forms.ts'
import { decode } from '../egress/content.ts'
import { obstructed } from './obstacle.ts'
import type { LongCaptionsInput, LongReading } from './long-captions.ts'
import { readContent } from './reply.ts'

parentPort?.on('message', async (ask: LongCaptionsInput) => {
  parentPort?.postMessage(await readLong(ask))
})

async function readLong({
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
  // Which forms the job asks for is not known here: all are written, for a video that is rare.
  return { kind: 'stored', stored: await storeLong({ languageCode: '', trackKind, segments }) }
}
