/** A session: the calls that one question makes on one route, as one session identity. */
import type { RouteLease } from '../egress/route-pool.ts'
import type { WireRequest } from '../egress/connections.ts'
import type { ClientProfile } from './clients.ts'
import {
  type Call,
  type CallName,
  DATE_FIELDS,
  PLAYER_FIELDS,
  playerBody,
  writeCall,
} from './innertube.ts'
import { type NamedObstacle, obstructed } from './obstacle.ts'
import { type PlayerAnswer, readPlayer } from './player.ts'
import { type DateReading, readDate } from './publish-date.ts'
import { type Answer, type Body, type LongBody, readJson } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import { type RequestScope, sendRequest } from './send-request.ts'

export type Session = RequestScope & {
  /** As which lists, dates and new identities are asked for. */
  readonly listClient: ClientProfile
  /** Asks and parses. */
  json(call: JsonCall): Promise<Answer>
  /** Asks for captions: any text that is no web page, or one that is too long to be read at once. */
  text(ask: { url: URL; client: ClientProfile }): Promise<Body | LongBody>
  /** What one client's player says of the video; a client that the platform retired is noted as such. */
  player(videoId: string, as: { client: ClientProfile; isMasked: boolean }): Promise<PlayerAnswer>
  /** The exact publish date: 3 to 8 KB by mask, measured 2026-06; the only source that is always there. */
  publishedAt(videoId: string): Promise<DateReading>
}

/** `judge` names the obstacle that a well-formed reply still is, so that it is tried again like others. */
export type JsonCall = Call & {
  name: Exclude<CallName, 'timedtext'>
  judge?: (value: unknown) => NamedObstacle | null
}

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
    text: (ask) => askText(scope, ask),
    async player(videoId, { client, isMasked }) {
      const fields = isMasked ? PLAYER_FIELDS : null
      const call = { name: 'player', client, body: playerBody(videoId), fields } as const
      const reply = await askJson(scope, call)
      if (reply.kind === 'json') return readPlayer(reply.value, videoId)
      if (reply.obstacle.name === 'retired') context.clients.retire(client)
      return { ...reply, facts: { title: null, channelName: null } }
    },
    async publishedAt(videoId) {
      const fields = context.useFieldMasks ? DATE_FIELDS : null
      const call = { name: 'date', client: listClient, body: playerBody(videoId), fields } as const
      const reply = await askJson(scope, call)
      return reply.kind === 'json' ? readDate(reply.value, videoId) : reply
    },
  }
}

function askJson(scope: RequestScope, call: JsonCall): Promise<Answer> {
  const { replyBytesMax } = scope.context.limits
  const visitorData = call.name === 'visitor_id' ? null : scope.lease.visitorData
  const request = writeCall(call, { visitorData, bytesMax: replyBytesMax })
  const tag = { call: call.name, client: call.client.name }
  const read = (body: Body | LongBody): Answer => {
    const answer = readJson(body)
    const found = answer.kind === 'json' ? (call.judge?.(answer.value) ?? null) : null
    return found === null ? answer : { kind: 'obstructed', obstacle: found }
  }
  return sendRequest(scope, { request, tag, textBytesMax: replyBytesMax, read })
}

function askText(
  scope: RequestScope,
  { url, client }: { url: URL; client: ClientProfile },
): Promise<Body | LongBody> {
  const headers = {
    'accept-encoding': 'gzip, br',
    'accept-language': 'en',
    'user-agent': client.userAgent,
  }
  const { captionsBytesMax: bytesMax, captionsHereBytesMax } = scope.context.limits
  const request: WireRequest = { method: 'GET', url, headers, body: null, bytesMax }
  const tag = { call: 'timedtext' as const, client: client.name }
  const textBytesMax = Math.min(bytesMax, captionsHereBytesMax)
  return sendRequest(scope, { request, tag, textBytesMax, read: readCaptions })
}

/** A 404 here is an address that is over (`expire`), which asking again does not mend. */
function readCaptions(body: Body | LongBody): Body | LongBody {
  const isGone = body.kind === 'obstructed' && body.obstacle.name === 'not_found'
  return isGone ? obstructed('track_gone') : body
}
