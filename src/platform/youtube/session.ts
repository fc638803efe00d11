/** A session: the calls that one question makes on one route, with one session identity. */
import type { RouteLease } from '../egress/route-pool.ts'
import type { WireRequest } from '../egress/connections.ts'
import { readTimedtext, type TimedtextReading } from '../../model/transcripts/timedtext.ts'
import type { TrackKind } from '../../model/transcripts/transcript.ts'
import type { ClientProfile } from './clients.ts'
import { askMasked, judgeObstacle, type Judged } from './field-masks.ts'
import {
  type Call,
  type CallName,
  DATE_FIELDS,
  PLAYER_FIELDS,
  playerBody,
  writeCall,
} from './innertube.ts'
import { type NamedObstacle, type Obstructed, obstructed } from './obstacle.ts'
import { NO_NAMES, type PlayerAnswer, readPlayer } from './player.ts'
import { type DateReading, readDate } from './publish-date.ts'
import { type Answer, type Body, type LongBody, readJson } from './reply.ts'
import { closedFor, heedPlayer, heedReply } from './heed-version.ts'
import type { RequestContext } from './request-context.ts'
import { type RequestScope, sendRequest, type Understood } from './send-request.ts'

export type Session = RequestScope & {
  /** The client with which lists, dates and new identities are asked for. */
  readonly listClient: ClientProfile
  /** Makes a call and parses its reply. */
  json(call: JsonCall): Promise<Answer>
  /** Asks for captions: returns their segments, or a text that is too long to be read at once. */
  captions(ask: CaptionsCall): Promise<CaptionsReply>
  /** Returns what one client's player says about the video; a client that the platform retired is noted as such. */
  player(videoId: string, as: { client: ClientProfile; isMasked: boolean }): Promise<PlayerAnswer>
  /**
   * Returns the exact publish date, from the only source that is always there: 3 to 8 KB with a mask, measured 2026-06.
   * The call is repeated at once without a mask that may keep the date back.
   */
  publishedAt(videoId: string): Promise<DateReading>
  /** Returns the exact publish date by one call, with or without a mask. */
  date(videoId: string, as: { client: ClientProfile; isMasked: boolean }): Promise<DateReading>
}

/** A call; `judge` names the obstacle in a well-formed reply, so that the call is repeated like others. */
export type JsonCall = Call & {
  name: Exclude<CallName, 'timedtext'>
  judge?: (value: unknown) => NamedObstacle | null
}

export type CaptionsCall = { url: URL; client: ClientProfile; trackKind: TrackKind }
export type CaptionsReply = (TimedtextReading & { kind: 'segments' }) | LongBody | Obstructed

export function openSession(
  context: RequestContext,
  lease: RouteLease,
  signal: AbortSignal,
): Session {
  const scope = { context, lease, signal }
  const listClient = context.clients.forLists()
  return {
    ...scope,
    listClient,
    json: (call) => askJson(scope, call),
    captions: (ask) => askCaptions(scope, ask),
    async player(videoId, { client, isMasked }) {
      const fields = isMasked ? PLAYER_FIELDS : null
      const call = { name: 'player', client, body: playerBody(videoId), fields } as const
      const answer = await askPlatform<PlayerAnswer | Obstructed>(scope, call, (reply) =>
        reply.kind === 'json'
          ? heedPlayer(context.clients, { client, videoId }, readPlayer(reply.value, videoId))
          : reply,
      )
      return 'facts' in answer ? answer : { ...answer, facts: NO_NAMES }
    },
    publishedAt: (videoId) => askDate(scope, { videoId, client: listClient }),
    date: (videoId, as) => askDateOnce(scope, { videoId, ...as }),
  }
}

async function askDate(
  scope: RequestScope,
  asked: { videoId: string; client: ClientProfile },
): Promise<DateReading> {
  const { clients, masks } = scope.context
  const ask = (isMasked: boolean): Promise<DateReading> =>
    askDateOnce(scope, { ...asked, isMasked })
  const judge = (reading: DateReading): Judged => {
    if (reading.kind === 'obstructed') return judgeObstacle(reading.obstacle)
    return reading.kind === 'dated' ? 'works' : 'hiding'
  }
  return closedFor(clients, 'date_and_lists') ?? askMasked(masks, asked.videoId, { ask, judge })
}

function askDateOnce(
  scope: RequestScope,
  { videoId, client, isMasked }: { videoId: string; client: ClientProfile; isMasked: boolean },
): Promise<DateReading> {
  const fields = isMasked ? DATE_FIELDS : null
  const call = { name: 'date', client, body: playerBody(videoId), fields } as const
  return askPlatform<DateReading>(scope, call, (reply) =>
    reply.kind === 'json' ? readDate(reply.value, videoId) : reply,
  )
}

function askJson(scope: RequestScope, { judge, ...call }: JsonCall): Promise<Answer> {
  return askPlatform<Answer>(scope, call, (answer) => {
    const found = answer.kind === 'json' ? (judge?.(answer.value) ?? null) : null
    return found === null ? answer : { kind: 'obstructed', obstacle: found }
  })
}

/** Makes a call. `understand` sees the reply before the request is counted, so that it is counted rightly. */
function askPlatform<T extends Understood>(
  scope: RequestScope,
  call: Call & { name: Exclude<CallName, 'timedtext'> },
  understand: (answer: Answer) => T,
): Promise<T | Obstructed> {
  const { replyBytesMax } = scope.context.limits
  const visitorData = call.name === 'visitor_id' ? null : scope.lease.visitorData
  const request = writeCall(call, { visitorData, bytesMax: replyBytesMax })
  const tag = { call: call.name, client: call.client.name }
  const read = (body: Body | LongBody): T => {
    const answer = readJson(body)
    heedReply(scope.context.clients, call, answer)
    return understand(answer)
  }
  return sendRequest(scope, { request, tag, textBytesMax: replyBytesMax, read })
}

function askCaptions(
  scope: RequestScope,
  { url, client, trackKind }: CaptionsCall,
): Promise<CaptionsReply> {
  const headers = {
    'accept-encoding': 'gzip, br',
    'accept-language': 'en',
    'user-agent': client.userAgent,
  }
  const { captionsBytesMax: bytesMax, captionsHereBytesMax } = scope.context.limits
  const { origin, pathname, search } = url
  const path = `${pathname}${search}`
  const request: WireRequest = { method: 'GET', origin, path, headers, body: null, bytesMax }
  const tag = { call: 'timedtext' as const, client: client.name }
  const textBytesMax = Math.min(bytesMax, captionsHereBytesMax)
  const read = (body: Body | LongBody): CaptionsReply => readCaptions(body, trackKind)
  return sendRequest(scope, { request, tag, textBytesMax, read })
}

/**
 * Judges captions. A 404 means an expired address (`expire`), so repeating does not help. An empty 200 is the sign of a
 * missing token.
 */
function readCaptions(body: Body | LongBody, trackKind: TrackKind): CaptionsReply {
  if (body.kind === 'obstructed')
    return body.obstacle.name === 'not_found' ? obstructed('track_gone') : body
  if (body.kind === 'long') return body
  const reading = readTimedtext(body.bytes, trackKind)
  if (reading.kind === 'segments') return reading
  return obstructed(reading.kind === 'empty' ? 'withheld' : 'unreadable')
}
