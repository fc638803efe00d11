/** The words of one caption track: which addresses to ask in turn, and what their answers mean. */
import type { CaptionTrack } from '../../transcripts/caption-track.ts'
import { readTimedtext } from '../../transcripts/timedtext.ts'
import type { Segment } from '../../transcripts/transcript.ts'
import type { StoredTranscript } from '../../transcripts/transcript-forms.ts'
import type { ClientProfile } from './clients.ts'
import { obstacle, type Obstructed, obstructed } from './obstacle.ts'
import type { Session } from './session.ts'
import { PLATFORM_HOST } from './innertube.ts'
import type { LongAsk, LongReading } from './long-captions.ts'

/** `long`: of so many words that they came rendered and compressed already. */
export type Words =
  { kind: 'words'; segments: Segment[] } | { kind: 'long'; stored: StoredTranscript } | Obstructed

/** Which formats are read, best first; vtt is never asked for, its rolling repeats every word. */
const FORMATS = ['json3', 'srv3', 'srv1'] as const
const CAPTION_HOST = /^(?:[\w-]+\.)*(?:youtube\.com|googleapis\.com)$/

/**
 * The addresses to ask in turn. `fmt` is replaced, since the platform honours the first one and
 * mobile tracks end in `&fmt=srv3`; `xosf` spoils positions; `variant=gemini` (2026) may not serve
 * what is asked, so it is also left out at the end. Empty for a track that wants a token
 * (`exp=xpe`) or leads to another site.
 */
export function captionUrls(baseUrl: string): URL[] {
  const url = URL.canParse(baseUrl, PLATFORM_HOST) ? new URL(baseUrl, PLATFORM_HOST) : null
  if (url === null || !CAPTION_HOST.test(url.hostname)) return []
  if (url.searchParams.get('exp') === 'xpe') return []
  const plain = FORMATS.map((format) => withFormat(url, format))
  if (!url.searchParams.has('variant')) return plain
  const bare = new URL(url)
  bare.searchParams.delete('variant')
  return [
    withFormat(url, 'json3'),
    withFormat(url, 'srv3'),
    ...FORMATS.map((format) => withFormat(bare, format)),
  ]
}

function withFormat(url: URL, format: string): URL {
  const asked = new URL(url)
  asked.searchParams.delete('xosf')
  asked.searchParams.set('fmt', format)
  return asked
}

/** The words of the track, from the first address that has them. */
export async function fetchWords(
  session: Session,
  { track, client }: { track: CaptionTrack; client: ClientProfile },
): Promise<Words> {
  let last = obstacle('withheld')
  for (const url of captionUrls(track.baseUrl)) {
    const body = await session.text({ url, client })
    if (body.kind === 'obstructed') {
      const isFormats = body.obstacle.name === 'unreadable' || body.obstacle.name === 'bad_request'
      if (!isFormats) return body
      last = body.obstacle
      continue
    }
    const reading =
      body.kind === 'long'
        ? await readLong(session, { content: body.content, trackKind: track.kind })
        : readTimedtext(body.text, track.kind)
    if (reading.kind === 'obstructed') return reading
    if (reading.kind === 'stored') return { kind: 'long', stored: reading.stored }
    if (reading.kind === 'segments') return { kind: 'words', segments: reading.segments }
    // An empty 200 is what a missing token looks like; another format of it is empty too.
    if (reading.kind === 'empty' && !url.searchParams.has('variant')) return obstructed('withheld')
    last = obstacle(reading.kind === 'empty' ? 'withheld' : 'unreadable')
  }
  return { kind: 'obstructed', obstacle: last }
}

function readLong(
  { context, lease, signal }: Session,
  { content, trackKind }: Pick<LongAsk, 'content' | 'trackKind'>,
): Promise<LongReading> {
  const { longReader, limits, guard, share } = context
  const { captionsBytesMax: bytesMax, cuesMax } = limits
  const { isRotating } = lease.route
  return longReader.read(
    { content, trackKind, isRotating, bytesMax, cuesMax },
    { guard, share, signal },
  )
}
