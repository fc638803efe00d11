/** `admin doctor --peer`: the words of a few tracks as another program has them, beside ours. */
import { differenceOf, type WordDifference } from '../model/transcripts/compare-words.ts'
import { segmentsOfStored } from '../model/transcripts/transcript-body.ts'
import { textOf, wordsIn } from '../model/transcripts/transcript.ts'
import { ORIGINAL } from '../model/transcripts/caption-track.ts'
import type { PlatformCalls } from '../platform/platform.ts'
import { type Examination, verdictLine } from '../platform/youtube/doctor.ts'
import { type Fault, healthOf } from '../platform/youtube/doctor-report.ts'
import type { CaseFinding } from '../platform/youtube/run-cases.ts'
import { askPeer, type Peer, type PeerTrack } from './peer-program.ts'

/** The most tracks that are compared: of the channel, and of the videos that cases showed to have words. */
const TRACKS_MAX = 3
const CASE_TRACKS_MAX = 10
/** The most videos of the channel that are asked for until so many tracks came. */
const VIDEOS_MAX = 6
const WORD_CHARS_MAX = 40

/** A track's words beside the peer's; `failed` where the peer gave none, which is no fault of ours. */
type ComparedTrack = PeerTrack & {
  words: number
  result: 'equal' | 'differs' | 'failed'
  difference: WordDifference | null
  sentence: string
}

export type PeerComparison = { program: string; version: string; tracks: ComparedTrack[] }

type OurTrack = PeerTrack & { text: string }

/** The calls that fetch our words, and the program that fetches its own. */
type Comparing = { calls: PlatformCalls; peer: Peer; signal: AbortSignal }

/**
 * Compares a few tracks of what was examined. A difference is a fault; the verdict and the lines are those of both.
 * Where the signal is aborted, only what was compared until then is told.
 */
export async function withPeer<T extends Examination & { cases?: CaseFinding[] }>(
  found: T,
  { calls, peer, signal }: Comparing,
): Promise<T & { peer: PeerComparison }> {
  const tracks: ComparedTrack[] = []
  try {
    for await (const ours of ourTracks(found, calls, signal)) {
      tracks.push(compare(ours, await askPeer(peer, ours)))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  const faults = [...found.faults, ...tracks.flatMap(faultOfTrack)]
  const verdict = healthOf(found.routes, faults)
  const lines = [
    ...found.lines.slice(0, -1),
    ...tellPeer(peer, tracks),
    verdictLine(verdict, faults.length),
  ]
  const { program, version } = peer
  return { ...found, verdict, faults, lines, peer: { program, version, tracks } }
}

/** Yields our words: of the videos that cases found, or of the newest of the channel. */
async function* ourTracks(
  { channel, routes, faults, cases = [] }: Examination & { cases?: CaseFinding[] },
  calls: PlatformCalls,
  signal: AbortSignal,
): AsyncGenerator<OurTrack> {
  if (healthOf(routes, faults) === 'down') return
  const known = cases.flatMap(({ outcome, videoId }) =>
    outcome === 'success' && videoId !== null ? [videoId] : [],
  )
  const videoIds =
    known.length > 0
      ? [...new Set(known)].slice(0, CASE_TRACKS_MAX)
      : await newestOf(channel, calls, signal)
  let left = known.length > 0 ? CASE_TRACKS_MAX : TRACKS_MAX
  for (const videoId of videoIds) {
    if (left === 0) return
    const ask = { videoId, language: ORIGINAL, wantsDate: false }
    const answer = await calls.fetchVideo(ask, signal)
    if (answer.kind !== 'fetched') continue
    const { transcript } = answer
    const { languageCode, trackKind } = transcript
    const segments =
      'stored' in transcript ? segmentsOfStored(transcript.stored.body) : transcript.segments
    left -= 1
    yield { videoId, languageCode, trackKind, text: textOf(segments) }
  }
}

async function newestOf(
  name: string,
  calls: PlatformCalls,
  signal: AbortSignal,
): Promise<string[]> {
  const source = { kind: 'channel', name, tab: null } as const
  const page = await calls.listPage({ source, cursor: null }, signal)
  return page.kind === 'page' ? page.videos.slice(0, VIDEOS_MAX).map(({ videoId }) => videoId) : []
}

function compare(
  { text, ...track }: OurTrack,
  theirs: Awaited<ReturnType<typeof askPeer>>,
): ComparedTrack {
  const words = wordsIn(text)
  const compared = { ...track, words }
  if (theirs.kind === 'failed')
    return { ...compared, result: 'failed', difference: null, sentence: theirs.sentence }
  const difference = differenceOf(text, theirs.text)
  if (difference === null)
    return { ...compared, result: 'equal', difference, sentence: `All ${words} words are equal.` }
  return { ...compared, result: 'differs', difference, sentence: tellDifference(difference) }
}

function tellDifference({ differing, of, at, ours, theirs }: WordDifference): string {
  const differ = differing === 1 ? 'differs' : 'differ'
  return `${differing} of ${of} words ${differ}, at first word ${at}: ${quoted(ours)} here, ${quoted(theirs)} there.`
}

function quoted(word: string): string {
  return word === '' ? 'none' : `“${word.slice(0, WORD_CHARS_MAX)}”`
}

const MEND =
  'Play the video at that word. Where ours is wrong, report it; where theirs is, their program may be old.'

function faultOfTrack({ result, videoId, sentence }: ComparedTrack): Fault[] {
  if (result !== 'differs') return []
  const nobody = { route: null, client: null, version: null, setting: null } as const
  return [{ ...nobody, part: 'peer', refused: `${videoId}: ${sentence}`, mend: MEND }]
}

function tellPeer({ program, version }: Peer, tracks: readonly ComparedTrack[]): string[] {
  const equal = tracks.filter(({ result }) => result === 'equal').length
  const told =
    tracks.length === 0
      ? 'nothing was compared, since no words came.'
      : `the words of ${equal} of ${tracks.length} tracks are equal.`
  return [
    `Peer ${program} ${version}: ${told}`,
    ...tracks.flatMap(({ videoId, languageCode, trackKind, result, sentence }) => [
      `  ${videoId} (${languageCode}, ${trackKind}): ${sentence}`,
      ...(result === 'differs' ? [`  → ${MEND}`] : []),
    ]),
  ]
}
