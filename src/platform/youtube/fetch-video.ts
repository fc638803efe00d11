/** One video on one route: clients in turn, the track that answers the wish, its words, its date. */
import { chooseTrack } from '../../transcripts/caption-track.ts'
import type { Transcript } from '../../transcripts/transcript.ts'
import type { LongTranscript } from '../../transcripts/transcript-forms.ts'
import type { Hold } from '../egress/lanes.ts'
import type { Refusal, VideoAsk, VideoFacts } from '../platform.ts'
import { type Asking, askJson } from './asking.ts'
import { fetchWords } from './captions.ts'
import type { ClientProfile } from './clients.ts'
import { hurdle, type HurdleName } from './hurdle.ts'
import { PLAYER_FIELDS, playerBody } from './innertube.ts'
import { type PlayerAnswer, readPlayer } from './player.ts'
import { askDate } from './publish-date.ts'
import type { Attempted } from './question.ts'
import { tellGate } from './question.ts'
import type { Roster } from './roster.ts'
import { type ClientAnswer, isOpen, verdictOf } from './verdict.ts'

export type VideoOutcome =
  | { kind: 'fetched'; transcript: Transcript | LongTranscript; isFallback: boolean }
  | { kind: 'refused'; refusal: Refusal }

export type VideoVisit = {
  asking: Asking
  roster: Roster
  hold: Hold
  ask: VideoAsk
  useFieldMasks: boolean
  /** Filled as the answers come, so that an obstacle leaves what was learnt before it. */
  facts: VideoFacts
  /** The date call, once begun: it runs beside the words. */
  date: Promise<void> | null
}

/** What ends the visit on this route at once: the next client would meet it too. */
const ROUTE_ENDS = new Set<HurdleName>([
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

export async function visitVideo(
  visit: VideoVisit,
  signal: AbortSignal,
): Promise<Attempted<VideoOutcome>> {
  const answers: ClientAnswer[] = []
  try {
    for (const client of visit.roster.clientsFor('captions')) {
      const outcome = await askClient(visit, client, answers, signal)
      if (outcome?.kind === 'fetched') visit.roster.delivered(client, hindered(answers))
      if (outcome !== null) return answered(outcome)
      if (!isOpen(answers) || isRouteEnd(answers)) break
    }
    const passed = await tryAgeGate(visit, answers, signal)
    if (passed !== null) return answered(passed)
    return await conclude(visit, answers, signal)
  } finally {
    await visit.date
  }
}

/** Asks one client and, where it lists tracks, for the words; null where it settles nothing alone. */
async function askClient(
  visit: VideoVisit,
  client: ClientProfile,
  answers: ClientAnswer[],
  signal: AbortSignal,
): Promise<VideoOutcome | null> {
  // A second opinion is asked for whole: a mask that hid the tracks must not hide them twice.
  const hasSilent = answers.some(({ answer }) => answer.kind === 'no_tracks')
  const isMasked = visit.useFieldMasks && !hasSilent
  let answer = await askPlayer(visit, { client, isMasked }, signal)
  for (let again = 0; answer.kind === 'tracks'; again += 1) {
    const outcome = await askWords(visit, client, answer, signal)
    if (outcome.kind !== 'hurdle') return outcome
    if (outcome.hurdle.name === 'track_gone' && again === 0) {
      answer = await askPlayer(visit, { client, isMasked }, signal)
    } else answer = { kind: 'hurdle', facts: answer.facts, hurdle: outcome.hurdle }
  }
  answers.push({ client: client.name, answer })
  return null
}

async function askPlayer(
  { asking, roster, hold, ask, facts }: VideoVisit,
  { client, isMasked }: { client: ClientProfile; isMasked: boolean },
  signal: AbortSignal,
): Promise<PlayerAnswer> {
  const fields = isMasked ? PLAYER_FIELDS : null
  const call = { name: 'player', client, body: playerBody(ask.videoId), fields } as const
  const reply = await askJson(asking, hold, call, signal)
  if (reply.kind === 'hurdle') {
    if (reply.hurdle.name === 'retired') roster.retire(client)
    return { kind: 'hurdle', facts: { title: null, channelName: null }, hurdle: reply.hurdle }
  }
  const answer = readPlayer(reply.value, ask.videoId)
  facts.title ??= answer.facts.title
  facts.channelName ??= answer.facts.channelName
  return answer
}

async function askWords(
  visit: VideoVisit,
  client: ClientProfile,
  answer: PlayerAnswer & { kind: 'tracks' },
  signal: AbortSignal,
): Promise<VideoOutcome | (PlayerAnswer & { kind: 'hurdle' })> {
  const choice = chooseTrack(answer.list, visit.ask.language)
  startDate(visit, signal)
  if (choice.kind === 'none') {
    await visit.date
    const text = `captions exist in: ${choice.languageCodes.join(', ')}`
    return { kind: 'refused', refusal: { reason: 'language_not_available', text } }
  }
  const { track, isFallback } = choice
  const words = await fetchWords(visit.asking, visit.hold, { track, client }, signal)
  if (words.kind === 'hurdle') return { kind: 'hurdle', facts: answer.facts, hurdle: words.hurdle }

  const { languageCode, kind: trackKind } = track
  const content = words.kind === 'words' ? { segments: words.segments } : { stored: words.stored }
  return { kind: 'fetched', transcript: { languageCode, trackKind, ...content }, isFallback }
}

/** The embedded player passes some age gates, for videos that may be embedded (2026); asked once. */
async function tryAgeGate(
  visit: VideoVisit,
  answers: ClientAnswer[],
  signal: AbortSignal,
): Promise<VideoOutcome | null> {
  const isGated = answers.some(
    ({ answer }) => answer.kind === 'cause' && answer.cause === 'age_restricted',
  )
  const [client] = visit.roster.clientsFor('age_gate')
  if (!isGated || client === undefined) return null
  return askClient(visit, client, [], signal)
}

async function conclude(
  visit: VideoVisit,
  answers: readonly ClientAnswer[],
  signal: AbortSignal,
): Promise<Attempted<VideoOutcome>> {
  const verdict = verdictOf(answers)
  switch (verdict.kind) {
    case 'refused':
      if (DATED_REFUSALS.has(verdict.refusal.reason)) startDate(visit, signal)
      return answered({ kind: 'refused', refusal: verdict.refusal })
    case 'obstructed':
      return { kind: 'hurdle', hurdle: verdict.hurdle }
    case 'captions':
      return { kind: 'hurdle', hurdle: hurdle('unknown') }
    default:
      return verdict satisfies never
  }
}

/** Begins the date call, once; a date that does not come is null, never a failure. */
function startDate(visit: VideoVisit, signal: AbortSignal): void {
  const [client] = visit.roster.clientsFor('date_and_lists')
  if (!visit.ask.wantsDate || visit.date !== null || client === undefined) return
  const { asking, hold, facts, useFieldMasks: isMasked } = visit
  const asked = askDate(asking, hold, { videoId: visit.ask.videoId, client, isMasked }, signal)
  visit.date = asked.then(
    async (reading) => {
      if (reading.kind === 'dated') facts.publishedAt = reading.publishedAt
      if (reading.kind === 'hurdle') await tellGate(hold, reading.hurdle)
    },
    () => {},
  )
}

function isRouteEnd(answers: readonly ClientAnswer[]): boolean {
  const last = answers.at(-1)?.answer
  return last?.kind === 'hurdle' && ROUTE_ENDS.has(last.hurdle.name)
}

function hindered(answers: readonly ClientAnswer[]): string[] {
  return answers.flatMap(({ client, answer }) => (answer.kind === 'hurdle' ? [client] : []))
}

function answered(outcome: VideoOutcome): Attempted<VideoOutcome> {
  return { kind: 'answered', answer: outcome }
}
