/** The words of one caption track: which addresses to ask in turn, and what their answers mean. */
import type { CaptionTrack } from '../../transcripts/caption-track.ts'
import { readTimedtext } from '../../transcripts/timedtext.ts'
import type { Segment } from '../../transcripts/transcript.ts'
import type { StoredTranscript } from '../../transcripts/transcript-forms.ts'
import type { Hold } from '../egress/lanes.ts'
import { type Asking, askText } from './asking.ts'
import type { ClientProfile } from './clients.ts'
import { type Hurdle, hurdle } from './hurdle.ts'
import { PLATFORM_HOST } from './innertube.ts'
import type { LongAsk, LongReading } from './long-captions.ts'

/** `long`: of so many words that they came rendered and compressed already. */
export type Words =
  | { kind: 'words'; segments: Segment[] }
  | { kind: 'long'; stored: StoredTranscript }
  | { kind: 'hurdle'; hurdle: Hurdle }

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

export async function fetchWords(
  asking: Asking,
  hold: Hold,
  { track, client }: { track: CaptionTrack; client: ClientProfile },
  signal: AbortSignal,
): Promise<Words> {
  let last = hurdle('withheld')
  for (const url of captionUrls(track.baseUrl)) {
    const body = await askText(asking, hold, { url, client }, signal)
    if (body.kind === 'hurdle') {
      const isFormats = body.hurdle.name === 'unreadable' || body.hurdle.name === 'bad_request'
      if (!isFormats) return body
      last = body.hurdle
      continue
    }
    const reading =
      body.kind === 'long'
        ? await readLong(asking, hold, { content: body.content, trackKind: track.kind }, signal)
        : readTimedtext(body.text, track.kind)
    if (reading.kind === 'hurdle') return reading
    if (reading.kind === 'stored') return { kind: 'long', stored: reading.stored }
    if (reading.kind === 'segments') return { kind: 'words', segments: reading.segments }
    // An empty 200 is what a missing token looks like; another format of it is empty too.
    if (reading.kind === 'empty' && !url.searchParams.has('variant')) return stop('withheld')
    last = hurdle(reading.kind === 'empty' ? 'withheld' : 'unreadable')
  }
  return { kind: 'hurdle', hurdle: last }
}

async function readLong(
  { longReader, limits, guard }: Asking,
  { route }: Hold,
  { content, trackKind }: Pick<LongAsk, 'content' | 'trackKind'>,
  signal: AbortSignal,
): Promise<LongReading> {
  const { captionsBytesMax: bytesMax, cuesMax } = limits
  const ask = { content, trackKind, isRotating: route.isRotating, bytesMax, cuesMax }
  return longReader.read(ask, { guard, signal })
}

function stop(name: 'withheld'): Words {
  return { kind: 'hurdle', hurdle: hurdle(name) }
}
