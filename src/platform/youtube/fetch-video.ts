/** One video on one route: clients in turn, the track that answers the wish, its words, its date. */
import { chooseTrack } from '../../transcripts/caption-track.ts'
import type { Transcript } from '../../transcripts/transcript.ts'
import type { LongTranscript } from '../../transcripts/transcript-forms.ts'
import type { VideoAsk, VideoFacts } from '../platform.ts'
import type { Refusal } from '../refusal.ts'
import { fetchWords } from './captions.ts'
import type { ClientProfile } from './clients.ts'
import { reportObstacle } from './failover.ts'
import { type Attempted, type ObstacleName, type Obstructed, obstructed } from './obstacle.ts'
import type { PlayerAnswer } from './player.ts'
import type { Session } from './session.ts'
import { areNoesDoubtful, noteOtherAnswer, notePlainNo } from './plain-noes.ts'
import {
  type ClientAnswer,
  DOUBTED_WITNESSES_MIN,
  isOpen,
  verdictOf,
  WITNESSES_MIN,
} from './verdict.ts'

export type VideoOutcome =
  | { kind: 'fetched'; transcript: Transcript | LongTranscript; isFallback: boolean }
  | { kind: 'refused'; refusal: Refusal }

type VideoVisit = {
  session: Session
  ask: VideoAsk
  facts: VideoFacts
  /** How many clients have to agree that the video is not available. */
  noesMin: number
  /** What each client said, in the order in which they were asked. */
  answers: ClientAnswer[]
  /** The date call, once begun: it runs beside the words. */
  date: Promise<void> | null
}

/** What ends the visit on this route at once: the next client would meet it too. */
const ROUTE_ENDS = new Set<ObstacleName>([
  'rate_limited',
  'forbidden',
  'block_page',
  'session_limit',
  'captcha',
  'decoy',
  'no_route',
  'unreachable',
  'timed_out',
  'read_too_long',
  'read_crashed',
])
const DATED_REFUSALS = new Set(['no_captions', 'live_now', 'processing', 'language_not_available'])

/** `facts` are filled as the answers come, so that an obstacle leaves what was learnt before it. */
export async function askVideo(
  session: Session,
  ask: VideoAsk,
  facts: VideoFacts,
): Promise<Attempted<VideoOutcome>> {
  // As things stand when the visit begins: others go on meanwhile.
  const isDoubtful = areNoesDoubtful(session.context.clients)
  const noesMin = isDoubtful ? DOUBTED_WITNESSES_MIN : WITNESSES_MIN
  const visit: VideoVisit = { session, ask, facts, noesMin, answers: [], date: null }
  try {
    const outcome = (await askClients(visit)) ?? (await tryAgeGate(visit))
    return outcome === null ? await conclude(visit) : answered(outcome)
  } finally {
    await visit.date
  }
}

/** One client after another; null where none of them settles it alone. */
async function askClients(visit: VideoVisit): Promise<VideoOutcome | null> {
  const { answers } = visit
  const { clients } = visit.session.context
  for (const client of clients.clientsFor('captions')) {
    const outcome = await askClient(visit, client, answers)
    if (outcome?.kind === 'fetched') {
      clients.delivered(client, hindered(answers))
      noteOtherAnswer(clients)
    }
    if (outcome !== null) return outcome
    if (!isOpen(answers, visit.noesMin) || isRouteEnd(answers)) return null
  }
  return null
}

/** Asks one client and, where it lists tracks, for the words; null where it settles nothing alone. */
async function askClient(
  visit: VideoVisit,
  client: ClientProfile,
  answers: ClientAnswer[],
): Promise<VideoOutcome | null> {
  // A second opinion is asked for whole: a mask that hid the tracks must not hide them twice.
  const hasSilent = answers.some(({ answer }) => answer.kind === 'no_tracks')
  const isMasked = visit.session.context.useFieldMasks && !hasSilent
  let answer = await askPlayer(visit, { client, isMasked })
  for (let again = 0; answer.kind === 'tracks'; again += 1) {
    const outcome = await askWords(visit, client, answer)
    if (outcome.kind !== 'obstructed') return outcome
    if (outcome.obstacle.name === 'track_gone' && again === 0)
      answer = await askPlayer(visit, { client, isMasked })
    else answer = { ...outcome, facts: answer.facts }
  }
  answers.push({ client: client.name, answer })
  return null
}

async function askPlayer(
  { session, ask, facts }: VideoVisit,
  as: { client: ClientProfile; isMasked: boolean },
): Promise<PlayerAnswer> {
  const answer = await session.player(ask.videoId, as)
  facts.title ??= answer.facts.title
  facts.channelName ??= answer.facts.channelName
  return answer
}

async function askWords(
  visit: VideoVisit,
  client: ClientProfile,
  answer: PlayerAnswer & { kind: 'tracks' },
): Promise<VideoOutcome | Obstructed> {
  const choice = chooseTrack(answer.list, visit.ask.language)
  startDate(visit)
  if (choice.kind === 'none') {
    await visit.date
    const text = `captions exist in: ${choice.languageCodes.join(', ')}`
    return { kind: 'refused', refusal: { reason: 'language_not_available', text } }
  }
  const { track, isFallback } = choice
  const words = await fetchWords(visit.session, { track, client })
  if (words.kind === 'obstructed') return words

  const { languageCode, kind: trackKind } = track
  const content = words.kind === 'words' ? { segments: words.segments } : { stored: words.stored }
  return { kind: 'fetched', transcript: { languageCode, trackKind, ...content }, isFallback }
}

/** The embedded player passes some age gates, for videos that may be embedded (2026); asked once. */
async function tryAgeGate(visit: VideoVisit): Promise<VideoOutcome | null> {
  const isGated = visit.answers.some(
    ({ answer }) => answer.kind === 'cause' && answer.cause === 'age_restricted',
  )
  const [client] = visit.session.context.clients.clientsFor('age_gate')
  return isGated && client !== undefined ? askClient(visit, client, []) : null
}

async function conclude(visit: VideoVisit): Promise<Attempted<VideoOutcome>> {
  const verdict = verdictOf(visit.answers, visit.noesMin)
  switch (verdict.kind) {
    case 'refused':
      noteRefusal(visit, verdict.refusal)
      if (DATED_REFUSALS.has(verdict.refusal.reason)) startDate(visit)
      return answered({ kind: 'refused', refusal: verdict.refusal })
    case 'obstructed':
      return verdict
    case 'captions':
      return obstructed('unknown')
    default:
      return verdict satisfies never
  }
}

function noteRefusal({ session, ask }: VideoVisit, { reason }: Refusal): void {
  const { clients } = session.context
  if (reason === 'not_found') notePlainNo(clients, ask.videoId)
  else noteOtherAnswer(clients)
}

/** Begins the date call, once; a date that does not come is null, never a failure. */
function startDate(visit: VideoVisit): void {
  const { session, ask, facts } = visit
  if (!ask.wantsDate || visit.date !== null) return
  visit.date = session.publishedAt(ask.videoId).then(
    async (reading) => {
      if (reading.kind === 'dated') facts.publishedAt = reading.publishedAt
      if (reading.kind === 'obstructed') await reportObstacle(session.lease, reading.obstacle)
    },
    () => {},
  )
}

function isRouteEnd(answers: readonly ClientAnswer[]): boolean {
  const last = answers.at(-1)?.answer
  return last?.kind === 'obstructed' && ROUTE_ENDS.has(last.obstacle.name)
}

function hindered(answers: readonly ClientAnswer[]): string[] {
  return answers.flatMap(({ client, answer }) => (answer.kind === 'obstructed' ? [client] : []))
}

function answered(outcome: VideoOutcome): Attempted<VideoOutcome> {
  return { kind: 'answered', answer: outcome }
}
