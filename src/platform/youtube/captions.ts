/** The words of one caption track: the addresses to ask in turn, and what their answers mean. */
import type { CaptionTrack } from '../../model/transcripts/caption-track.ts'
import type { CaptionSource, Segment } from '../../model/transcripts/transcript.ts'
import type { StoredTranscript } from '../../model/files/transcript-forms.ts'
import { requestCaptions } from './calls.ts'
import type { ClientProfile } from './clients.ts'
import { PLATFORM_HOST } from './innertube.ts'
import { type NamedObstacle, type Obstructed, obstructed } from './obstacle.ts'
import type { Session } from './session.ts'

/**
 * The formats that are read, best first: json3 and srv3 have the time of each word. vtt is never asked for, since its
 * rolling lines repeat every word.
 */
const FORMATS = ['json3', 'srv3', 'srv1'] as const
const CAPTION_HOST = /^(?:[\w-]+\.)*(?:youtube\.com|googleapis\.com)$/

/**
 * Yields the addresses to ask in turn. `fmt` is replaced, since the platform honours the first one and mobile tracks
 * end in `&fmt=srv3`; `xosf` spoils positions; `variant=gemini` (2026) may not serve what is asked, so addresses
 * without it come last. There is none for a track that leads to another site, or wants a token where there is none.
 */
export function* captionUrls(baseUrl: string, proof: Proof | null = null): Generator<URL, void> {
  const url = URL.parse(baseUrl, PLATFORM_HOST)
  if (url === null || !CAPTION_HOST.test(url.hostname)) return
  if (proof === null && wantsToken(baseUrl)) return
  const said = proof === null ? {} : { pot: proof.token, potc: '1', c: proof.clientName }
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
  if (url.searchParams.has('variant')) {
    yield withFormat(url, 'json3')
    yield withFormat(url, 'srv3')
    url.searchParams.delete('variant')
  }
  for (const format of FORMATS) yield withFormat(url, format)
}

/** A token of proof, and the app for which it stands. */
type Proof = { token: string; clientName: string }

/** The experiments in a track's address by which the platform wants a token of proof (2026-08). */
const GUARDS = new Set(['xpe', 'xpv'])

function wantsToken(baseUrl: string): boolean {
  const experiments = URL.parse(baseUrl, PLATFORM_HOST)?.searchParams.getAll('exp') ?? []
  return experiments.some((each) => each.split(',').some((name) => GUARDS.has(name)))
}

function withFormat(url: URL, format: string): URL {
  const asked = new URL(url)
  asked.searchParams.delete('xosf')
  asked.searchParams.set('fmt', format)
  return asked
}

/** The words of a track and where they came from. */
type TrackWords = { source: CaptionSource } & (
  { kind: 'segments'; segments: Segment[] } | { kind: 'stored'; stored: StoredTranscript }
)

/**
 * Returns the words of the track from the first address that has them; `stored` are so many that they come rendered and
 * compressed.
 */
export async function fetchWords(
  session: Session,
  { videoId, track, client }: { videoId: string; track: CaptionTrack; client: ClientProfile },
): Promise<TrackWords | Obstructed> {
  const { context, lease, signal } = session
  const { longReader, guard, share } = context
  const { isRotating } = lease.route
  const trackKind = track.kind
  const isWanted = client.token === 'captions' || wantsToken(track.baseUrl)
  const token = isWanted ? await context.tokens.tokenFor(videoId, signal) : null
  if (token !== null && typeof token !== 'string') return { kind: 'obstructed', obstacle: token }
  const clientName = String(client.context.clientName)
  const proof = token === null ? null : { token, clientName }
  let last = obstructed('withheld')
  for (const url of captionUrls(track.baseUrl, proof)) {
    const reply = await requestCaptions(session, { url, client, trackKind })
    const words =
      reply.kind === 'long'
        ? await longReader.read(
            { content: reply.content, trackKind, isRotating },
            { guard, share, signal },
          )
        : reply
    if (words.kind !== 'obstructed') {
      const { lastModified = null, etag = null } = reply.validators ?? {}
      return { ...words, source: { ...words.document, client: client.name, lastModified, etag } }
    }
    if (words.obstacle.name === 'withheld') context.tokens.forget(videoId)
    if (!mayComeElsewhere(words.obstacle, url)) return words
    last = words
  }
  return last
}

/**
 * Whether another address may help: another format may be readable, and what is empty in one is empty in all, except in
 * those of a variant.
 */
function mayComeElsewhere({ name }: NamedObstacle, url: URL): boolean {
  if (name === 'withheld') return url.searchParams.has('variant')
  return name === 'unreadable' || name === 'bad_request'
}
