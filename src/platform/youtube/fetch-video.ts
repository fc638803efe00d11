/** One video on one route: asks clients in turn, takes the track for the wanted language, its words and its date. */
import { mergeDetails } from '../../model/library/video-details.ts'
import { chooseTrack } from '../../model/transcripts/caption-track.ts'
import { oddityOf } from '../../model/transcripts/odd-track.ts'
import { requestMaskedPlayer, requestPlayer } from './calls.ts'
import type { AskingAs } from './innertube.ts'
import { fetchWords } from './captions.ts'
import type { ClientProfile } from './clients.ts'
import { isVersionWanted, noClientFor } from './refused-version.ts'
import {
  isNeverSeen,
  isUnmistakable,
  type NamedObstacle,
  obstacle,
  type Obstructed,
  obstructed,
} from './obstacle.ts'
import { noteVideo } from './note-visits.ts'
import type { PlayerAnswer } from './player.ts'
import { findReplacement } from './replaced-video.ts'
import type { Session } from './session.ts'
import {
  type ClientAnswer,
  isAbsence,
  isCause,
  isDenial,
  isOpen,
  isRouteEnd,
  isOfOneClient,
  isRouteSuspect,
  type JudgedRefusal,
  listsTracks,
  verdictOf,
  withTestimony,
  worstObstacle,
} from './verdict.ts'
import {
  heard,
  reportHere,
  startDate,
  type VideoKnown,
  type VideoOutcome,
  type VideoQuestion,
  type VideoVisit,
} from './video-visit.ts'
import { type Testimony, witnessSince } from './witness.ts'

const DATED_REFUSALS = new Set(['no_captions', 'live_now', 'processing', 'language_not_available'])

/** Asks for a video; `known` is filled as the answers come, so that an obstacle leaves what was learnt before it. */
export async function askVideo(
  session: Session,
  ask: VideoQuestion,
  known: VideoKnown,
): Promise<VideoOutcome | Obstructed> {
  const visit: VideoVisit = {
    session,
    ask,
    known,
    answers: [],
    atGate: [],
    deniedAtMs: null,
    deliverer: null,
    maskedSilent: null,
    missed: null,
    date: null,
  }
  try {
    const outcome = await askClients(visit)
    const testimony = outcome === null ? await testimonyFor(visit) : 'unknown'
    const answers = withTestimony(visit.answers, testimony)
    const video = { videoId: ask.videoId, channel: known.facts.channelName }
    noteVideo(session, video, { answers, delivered: visit.deliverer })
    return outcome ?? (await conclude(visit, testimony))
  } finally {
    known.causes.push(...visit.answers.filter(isCause))
    await visit.date
  }
}

/** Asks one client after another; returns null where none of them settles the video alone. */
async function askClients(visit: VideoVisit): Promise<VideoOutcome | null> {
  const { answers } = visit
  const { clients } = visit.session.context
  const order = clients.clientsFor('captions')
  for (const client of order) {
    if (answers.length > 0 && clients.isRetired(client)) continue
    if (!isVersionWanted(client, { order, isRetired: clients.isRetired, obstacleOf })) continue
    const outcome = await askClient(visit, client, answers)
    if (outcome?.kind === 'fetched') {
      noteDelivery(visit, client)
      await proveMask(visit)
    }
    if (outcome !== null) return outcome
    const passed = await tryAgeGate(visit)
    if (passed !== null) return passed
    const replaced = await findReplacement(visit.session, visit.ask.videoId, answers)
    if (replaced !== null) return replaced
    if (!isOpen(heard(visit)) || isRouteEnd(answers)) return null
  }
  return null

  function obstacleOf(name: string): NamedObstacle | null | undefined {
    const answer = answers.find(({ client }) => client === name)?.answer
    return answer?.kind === 'obstructed' ? answer.obstacle : answer && null
  }
}

/** Asks one client and, where it lists tracks, fetches the words; returns null where it settles nothing alone. */
async function askClient(
  visit: VideoVisit,
  client: ClientProfile,
  answers: ClientAnswer[],
): Promise<VideoOutcome | null> {
  // The second client that may list none is asked without a mask, so that a mask cannot hide the tracks from all.
  const silent = answers.filter(({ answer }) => answer.kind === 'no_tracks').length
  const isMasked = visit.session.context.masks.areUsed() && silent !== 1
  let answer = await askPlayer(visit, { client, isMasked })
  for (let again = 0; answer.kind === 'tracks'; again += 1) {
    const outcome = await askWords(visit, client, answer)
    if (outcome.kind !== 'obstructed') {
      // A gate that is passed does not disprove the app that named it.
      if (client.use === 'captions') visit.deliverer = client.name
      return isBorneOut(visit, client, outcome) ? outcome : null
    }
    if (outcome.obstacle.name === 'track_gone' && again === 0)
      answer = await askPlayer(visit, { client, isMasked })
    else answer = { ...outcome, facts: answer.facts }
  }
  answers.push({ client: client.name, app: String(client.context.clientName), answer })
  if (isAbsence(answers)) visit.deniedAtMs ??= visit.session.context.clock()
  if (isMasked && answer.kind === 'no_tracks') visit.maskedSilent = client
  noteAnswer(visit, client, answer)
  return null
}

/**
 * Returns whether an outcome needs no other app: words are there, and that neither the wished nor the original language
 * is listed has been said by two, while none listed it. A gate that is passed leaves nobody else to ask.
 */
function isBorneOut(visit: VideoVisit, client: ClientProfile, outcome: VideoOutcome): boolean {
  const { missed, answers } = visit
  const app = String(client.context.clientName)
  if (outcome.kind !== 'refused' || client.use !== 'captions') return true
  visit.missed ??= { app, refusal: outcome.refusal }
  return missed !== null && missed.app !== app && !answers.some(({ answer }) => listsTracks(answer))
}

/** Returns the refusal for want of a language that no other app bore out; null where there is none or one lists it. */
function missedBySome({ missed, answers }: VideoVisit): JudgedRefusal | null {
  if (missed === null || answers.some(({ answer }) => listsTracks(answer))) return null
  const refusal = { ...missed.refusal, isDoubted: true }
  return { kind: 'refused', refusal, mayDiffer: isRouteEnd(answers) }
}

function noteAnswer(
  { session, ask }: VideoVisit,
  client: ClientProfile,
  answer: PlayerAnswer,
): void {
  const isUnseen =
    answer.kind === 'obstructed' &&
    (isNeverSeen(answer.obstacle) || answer.obstacle.name === 'sign_in')
  session.context.clients.noteAnswer(client, { videoId: ask.videoId, isUnseen })
}

/**
 * Learns whether a mask hid captions: they came from a client that was asked without one, after another had listed none
 * with it. Only the same client without the mask can tell whether the mask or the client was at fault; that costs one
 * request now and then.
 */
async function proveMask({ session, ask, maskedSilent }: VideoVisit): Promise<void> {
  const { masks } = session.context
  if (maskedSilent === null || !masks.isProofWanted('captions')) return
  const whole = await requestPlayer(session, ask.videoId, { client: maskedSilent, isMasked: false })
  if (whole.kind === 'tracks') masks.failed(ask.videoId, 'hiding')
  else if (whole.kind === 'no_tracks') masks.acquitted('captions')
}

function noteDelivery({ session, ask, answers }: VideoVisit, client: ClientProfile): void {
  const { clients, recent, share } = session.context
  clients.delivered(
    client,
    answers.map((each) => each.client),
  )
  clients.noteAnswer(client, { videoId: ask.videoId, isUnseen: false })
  recent.noteDelivery(session.lease.limiter, { videoId: ask.videoId, accountId: share.accountId })
}

async function askPlayer({ session, ask, known }: VideoVisit, as: AskingAs): Promise<PlayerAnswer> {
  const { videoId } = ask
  const { facts } = known
  const answer = as.isMasked
    ? await requestMaskedPlayer(session, videoId, as.client)
    : await requestPlayer(session, videoId, as)
  facts.title ??= answer.facts.title
  facts.channelName ??= answer.facts.channelName
  facts.canonicalId ??= answer.facts.canonicalId
  facts.startsAt ??= answer.facts.startsAt
  facts.details = mergeDetails(facts.details, answer.facts.details)
  return answer
}

async function askWords(
  visit: VideoVisit,
  client: ClientProfile,
  answer: PlayerAnswer & { kind: 'tracks' },
): Promise<VideoOutcome | Obstructed> {
  const choice = chooseTrack(answer.list, visit.ask.language, visit.ask.wishedTrack)
  startDate(visit)
  if (choice.kind === 'none') {
    await visit.date
    const text = `Captions exist in: ${choice.languageCodes.join(', ')}.`
    return { kind: 'refused', refusal: { reason: 'language_not_available', text } }
  }
  if (!visit.ask.wantsWords) return { kind: 'offered' }
  const { track, isFallback } = choice
  const words = await fetchWords(visit.session, { videoId: visit.ask.videoId, track, client })
  if (words.kind === 'obstructed') return words

  const { languageCode, kind: trackKind } = track
  const content =
    words.kind === 'segments' ? { segments: words.segments } : { stored: words.stored }
  const transcript = { languageCode, trackKind, source: words.source, ...content }
  const oddity = oddityOf(track, words.kind === 'segments' ? words.segments : [])
  return { kind: 'fetched', transcript, isFallback, oddity }
}

/**
 * Asks the embedded player once, where an app names an age gate: it passes some for videos that may be embedded (2026),
 * and its own word bears the app's out.
 */
async function tryAgeGate(visit: VideoVisit): Promise<VideoOutcome | null> {
  const { answers, atGate, session } = visit
  const last = answers.at(-1)?.answer
  const isGated = last?.kind === 'cause' && last.cause === 'age_restricted'
  const [client] = session.context.clients.clientsFor('age_gate')
  if (!isGated || client === undefined || atGate.length > 0 || isRouteEnd(answers)) return null
  const passed = await askClient(visit, client, atGate)
  if (passed?.kind === 'fetched') {
    const gated = answers.map((each) => each.client)
    session.context.clients.delivered(client, gated)
  }
  return passed
}

async function conclude(
  visit: VideoVisit,
  testimony: Testimony,
): Promise<JudgedRefusal | Obstructed> {
  const { answers, session } = visit
  const missed = missedBySome(visit)
  // All clients were retired while this visit waited for its turn.
  if (answers.length === 0 && missed === null)
    return noClientFor(session.context.clients, 'captions') ?? obstructed('no_client')
  const verdict = missed ?? verdictOf(heard(visit), testimony)
  if (verdict.kind === 'obstructed')
    return { kind: 'obstructed', obstacle: asOfRoute(visit, verdict.obstacle) }
  // A refusal reports nothing by itself, though several clients were refused beside it.
  if (isRouteSuspect(answers))
    await reportHere(visit, worstObstacle(answers.map(({ answer }) => answer)))
  if (DATED_REFUSALS.has(verdict.refusal.reason)) startDate(visit)
  return verdict
}

/**
 * Returns the obstacle, which becomes a block where an answer never seen before comes for one video after another; a
 * block of one client is none of the route where others were answered.
 */
function asOfRoute({ session, ask, answers }: VideoVisit, found: NamedObstacle): NamedObstacle {
  if (isUnmistakable(found) && isOfOneClient(answers, found)) return obstacle('unconfirmed')
  const { recent } = session.context
  if (!isNeverSeen(found) || !recent.noteUnseen(session.lease.limiter, ask.videoId)) return found
  const { said, fact } = found
  return obstacle('unseen', { said, fact })
}

/**
 * Asks for a witness of an absence, now that all clients have answered: they may deny every video since a moment ago.
 */
async function testimonyFor(visit: VideoVisit): Promise<Testimony> {
  const { session, ask, answers, deniedAtMs, missed } = visit
  if (missed !== null || deniedAtMs === null || isRouteEnd(answers) || !isAbsence(answers))
    return 'unknown'
  const clients = session.context.clients
    .clientsFor('captions')
    .filter(({ name }) => answers.some((each) => each.client === name && isDenial(each)))
  return witnessSince(session, deniedAtMs, { clients, not: [ask.videoId] })
}
