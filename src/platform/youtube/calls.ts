/** The calls that a session makes, each with its reply read as the answer or the obstacle that it is. */
import type { Validators, WireRequest } from '../egress/connections.ts'
import type { TrackKind } from '../../model/transcripts/transcript.ts'
import type { ClientProfile } from './clients.ts'
import { callEmbedded } from './embedded-player.ts'
import { askMasked, judgeObstacle } from './field-masks.ts'
import { noteVersionInPlayer } from './refused-version.ts'
import {
  type AskingAs,
  type Call,
  DATE_FIELDS,
  pageHeaders,
  PLAYER_FIELDS,
  playerBody,
} from './innertube.ts'
import { dropCarried, noteVisitor } from './newest-visitor.ts'
import { type NamedObstacle, type Obstructed, obstructed, ruleOf } from './obstacle.ts'
import { NO_NAMES, type PlayerAnswer, readPlayer } from './player.ts'
import { type DateReading, readDate } from './publish-date.ts'
import { type Answer, type Captions, type LongBody, readCaptions } from './reply.ts'
import { sendCall } from './send-call.ts'
import { sendRequest, type Understood } from './send-request.ts'
import type { Session } from './session.ts'
import { identityFor, isOfIdentity, mayBeOfIdentity, noteCall } from './session-identity.ts'
import { askInTurn } from './turns.ts'

/**
 * A call without a mask; `judge` names the obstacle in a well-formed reply, so that the call is repeated like others.
 */
type JsonCall = {
  name: Call['name']
  body: Call['body']
  client: ClientProfile
  judge?: (value: unknown) => NamedObstacle | null
}

/**
 * Makes a call and parses its reply. The newest visitor id of a list is carried on; where it may be what is refused,
 * the call is repeated at once with the route's own. The refusal stands if that is shown nothing, which is no list's
 * end where the platform shows a page to the bearer of the newest one only.
 */
export async function requestJson(
  session: Session,
  { name, body, client, judge }: JsonCall,
): Promise<Answer> {
  const { lease } = session
  const make = (): Promise<Answer> =>
    makeCall<Answer>(session, { name, client, body, fields: null }, (value, sent) => {
      const found = judge?.(value) ?? null
      if (found !== null) return { kind: 'obstructed', obstacle: found }
      if (name === 'browse') noteVisitor(lease, client.name, { reply: value, sent })
      return { kind: 'json', value }
    })
  const answer = await make()
  const isDropped =
    answer.kind === 'obstructed' && isOfIdentity(answer.obstacle) && dropCarried(lease, client.name)
  if (!isDropped) return answer
  const again = await make()
  return again.kind === 'obstructed' && again.obstacle.name === 'nothing' ? answer : again
}

/** Returns what one client's player says about the video; a client that the platform retired is noted as such. */
export async function requestPlayer(
  session: Session,
  videoId: string,
  { client, isMasked }: AskingAs,
): Promise<PlayerAnswer> {
  const { tokens, clients } = session.context
  const token = client.token === 'player' ? await tokens.tokenFor(videoId, session.signal) : null
  if (token !== null && typeof token !== 'string')
    return { kind: 'obstructed', obstacle: token, facts: NO_NAMES }
  const fields = isMasked ? PLAYER_FIELDS : null
  const call = { name: 'player', client, body: playerBody(videoId, token), fields } as const
  const understand = (value: unknown): PlayerAnswer =>
    noteVersionInPlayer(clients, { client, videoId }, readPlayer(value, videoId))
  const answer =
    client.use === 'age_gate'
      ? await callEmbedded(session, { call, videoId, understand })
      : await makeCall<PlayerAnswer>(session, call, understand)
  const isRefused = answer.kind === 'obstructed' && ruleOf(answer.obstacle).kind === 'blocked'
  if (token !== null && isRefused) tokens.forget(videoId)
  return 'facts' in answer ? answer : { ...answer, facts: NO_NAMES }
}

/** Asks with a mask while masks are used; the call is repeated without it where the mask may be at fault. */
export function requestMaskedPlayer(
  session: Session,
  videoId: string,
  client: ClientProfile,
): Promise<PlayerAnswer> {
  return askMasked(session.context.masks, videoId, {
    ask: (isMasked) => requestPlayer(session, videoId, { client, isMasked }),
    judge: (answer) => (answer.kind === 'obstructed' ? judgeObstacle(answer.obstacle) : 'works'),
  })
}

/** Returns the exact publish date by one call. */
export function requestDate(
  session: Session,
  videoId: string,
  { client, isMasked }: AskingAs,
): Promise<DateReading> {
  const fields = isMasked ? DATE_FIELDS : null
  const call = { name: 'date', client, body: playerBody(videoId), fields } as const
  return makeCall<DateReading>(session, call, (value) => readDate(value, videoId))
}

/**
 * Returns the exact publish date, from the only source that is always there: 3 to 8 KB with a mask, measured 2026-06.
 * The call is repeated at once without a mask that may keep the date back.
 */
export function requestPublishedAt(session: Session, videoId: string): Promise<DateReading> {
  return askInTurn<DateReading>(session, 'date', {
    ask: (client) =>
      askMasked<DateReading>(session.context.masks, videoId, {
        ask: (isMasked) => requestDate(session, videoId, { client, isMasked }),
        judge(reading) {
          if (reading.kind === 'obstructed') return judgeObstacle(reading.obstacle)
          return reading.kind === 'dated' ? 'works' : 'hiding'
        },
      }),
    isDenial: (reading) => reading.kind === 'undated',
  })
}

/**
 * Makes a call with the identity that its client has on the route. Where another client's may be what is refused, the
 * call is repeated at once without any.
 */
async function makeCall<T extends Understood>(
  session: Session,
  call: Call,
  understand: (value: unknown, sent: string | null) => T,
): Promise<T | Obstructed> {
  const { client } = call
  const identity = await identityFor(session, client)
  if ('obstacle' in identity) return identity
  const { visitorData } = identity
  const { isProxyDoubted: isTriedOnce } = identity
  const send = (sent: string | null): Promise<T | Obstructed> =>
    sendCall(session, {
      call,
      visitorData: sent,
      understand: (value) => understand(value, sent),
      isTriedOnce,
    })
  const answer = await send(visitorData)
  await noteCall(session, identity, answer.obstacle ?? null)
  if (answer.obstacle === undefined || !mayBeOfIdentity(identity, client, answer.obstacle))
    return answer
  const bare = await send(null)
  if (bare.obstacle !== undefined) return answer
  session.context.identities.noteRefused(session.lease, client, 'others')
  return bare
}

/** Form in which captions came, and the version of them that the reply names. */
type ReceivedCaptions = (Captions | LongBody) & { validators?: Validators }

/** Asks for captions: returns their segments, or a text that is too long to be read at once. */
export function requestCaptions(
  session: Session,
  { url, client, trackKind }: { url: URL; client: ClientProfile; trackKind: TrackKind },
): Promise<ReceivedCaptions> {
  const { captionsBytesMax: bytesMax, captionsHereBytesMax } = session.context.limits
  const { origin, pathname, search } = url
  const path = `${pathname}${search}`
  const request: WireRequest = {
    method: 'GET',
    origin,
    path,
    headers: pageHeaders(client),
    body: null,
    bytesMax,
  }
  return sendRequest<ReceivedCaptions>(session, {
    request,
    tag: { call: 'timedtext', client: client.name },
    textBytesMax: Math.min(bytesMax, captionsHereBytesMax),
    read(body, validators) {
      // A 404 means an expired address (`expire`), so repeating does not help.
      if (body.kind === 'obstructed')
        return body.obstacle.name === 'not_found' ? obstructed('track_gone') : body
      const captions = body.kind === 'long' ? body : readCaptions(body.bytes, trackKind)
      return { ...captions, validators }
    },
  })
}
