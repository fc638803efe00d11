/** The words of one caption track: the addresses to ask in turn, and what their answers mean. */
import type { CaptionTrack } from '../../model/transcripts/caption-track.ts'
import type { Segment } from '../../model/transcripts/transcript.ts'
import type { StoredTranscript } from '../../model/transcripts/transcript-forms.ts'
import type { ClientProfile } from './clients.ts'
import { type NamedObstacle, obstacle, type Obstructed } from './obstacle.ts'
import type { Session } from './session.ts'
import { PLATFORM_HOST } from './innertube.ts'
import type { LongCaptionsInput, LongReading } from './long-captions-thread.ts'

/** The result of reading a track; `long` marks so many words that they arrive already rendered and compressed. */
export type Words =
  { kind: 'words'; segments: Segment[] } | { kind: 'long'; stored: StoredTranscript } | Obstructed

/** The formats that are read, best first; vtt is never asked for, since its rolling lines repeat every word. */
const FORMATS = ['json3', 'srv3', 'srv1'] as const
const CAPTION_HOST = /^(?:[\w-]+\.)*(?:youtube\.com|googleapis\.com)$/

/**
 * Yields the addresses to ask in turn. `fmt` is replaced, since the platform honours the first one and mobile tracks
 * end in `&fmt=srv3`; `xosf` spoils positions; `variant=gemini` (2026) may not serve what is asked, so addresses
 * without it come last. There is none for a track that wants a token (`exp=xpe`) or leads to another site.
 */
export function* captionUrls(baseUrl: string): Generator<URL, void> {
  const url = URL.parse(baseUrl, PLATFORM_HOST)
  if (url === null || !CAPTION_HOST.test(url.hostname)) return
  if (url.searchParams.get('exp') === 'xpe') return
  if (url.searchParams.has('variant')) {
    yield withFormat(url, 'json3')
    yield withFormat(url, 'srv3')
    url.searchParams.delete('variant')
  }
  for (const format of FORMATS) yield withFormat(url, format)
}

function withFormat(url: URL, format: string): URL {
  const asked = new URL(url)
  asked.searchParams.delete('xosf')
  asked.searchParams.set('fmt', format)
  return asked
}

/** Returns the words of the track from the first address that has them. */
export async function fetchWords(
  session: Session,
  { track, client }: { track: CaptionTrack; client: ClientProfile },
): Promise<Words> {
  let last = obstacle('withheld')
  for (const url of captionUrls(track.baseUrl)) {
    const reply = await session.captions({ url, client, trackKind: track.kind })
    const reading =
      reply.kind === 'long'
        ? await readLong(session, { content: reply.content, trackKind: track.kind })
        : reply
    if (reading.kind === 'segments') return { kind: 'words', segments: reading.segments }
    if (reading.kind === 'stored') return { kind: 'long', stored: reading.stored }
    const found = reading.kind === 'obstructed' ? reading.obstacle : obstacleOf(reading.kind)
    if (!mayComeElsewhere(found, url)) return { kind: 'obstructed', obstacle: found }
    last = found
  }
  return { kind: 'obstructed', obstacle: last }
}

const obstacleOf = (kind: 'empty' | 'unreadable'): NamedObstacle =>
  obstacle(kind === 'empty' ? 'withheld' : 'unreadable')

/**
 * Whether another address may help: another format may be readable, and what is empty in one is empty in all, except in
 * those of a variant.
 */
function mayComeElsewhere({ name }: NamedObstacle, url: URL): boolean {
  if (name === 'withheld') return url.searchParams.has('variant')
  return name === 'unreadable' || name === 'bad_request'
}

function readLong(
  { context, lease, signal }: Session,
  { content, trackKind }: Pick<LongCaptionsInput, 'content' | 'trackKind'>,
): Promise<LongReading> {
  const { longReader, limits, guard, share } = context
  const { captionsBytesMax: bytesMax, cuesMax } = limits
  const { isRotating } = lease.route
  return longReader.read(
    { content, trackKind, isRotating, bytesMax, cuesMax },
    { guard, share, signal },
  )
}
