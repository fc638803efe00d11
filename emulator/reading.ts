/** Reads an HTTP request as a call: its caller, its client and its subject. */
import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Call, JsonObject } from './call.ts'
import { listIdOf } from './faults.ts'
import { kindOf } from './routes.ts'
import { clientOfEvent } from './wire/tracks.ts'

const BODY_BYTES_MAX = 1_000_000
/** Names for the numbers in `X-YouTube-Client-Name`, used where a body names no client. */
const CLIENT_NUMBERS: Readonly<Record<string, string>> = {
  '1': 'WEB',
  '2': 'MWEB',
  '3': 'ANDROID',
  '5': 'IOS',
  '7': 'TVHTML5',
  '28': 'ANDROID_VR',
  '56': 'WEB_EMBEDDED_PLAYER',
  '101': 'VISIONOS',
}

/** Reads the body, cut off after a megabyte. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  if (request.method === 'GET' || request.method === 'HEAD') return Buffer.alloc(0)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function callOf(request: IncomingMessage, raw: Buffer, nowMs: number): Call {
  const address = request.url ?? '/'
  const mark = address.indexOf('?')
  const path = (mark === -1 ? address : address.slice(0, mark)).replace(/(?<=.)\/$/, '')
  const query = new URLSearchParams(mark === -1 ? '' : address.slice(mark + 1))
  const body = jsonOf(raw, request.headers['content-encoding'])
  const client = contextOf(body).client ?? {}
  const kind = kindOf(path)
  const named = client.clientName ?? CLIENT_NUMBERS[headerOf(request, 'x-youtube-client-name')]
  const name = named ?? (kind === 'timedtext' ? clientOfEvent(query.get('ei') ?? '') : '')
  const asked =
    kind === 'reel' ? ((body.playerRequest as JsonObject | undefined) ?? {}).videoId : body.videoId
  return {
    kind,
    method: request.method ?? 'GET',
    path,
    query,
    body,
    client: {
      name,
      version: client.clientVersion ?? headerOf(request, 'x-youtube-client-version'),
    },
    identity: (request.socket.remoteAddress ?? '').replace('::ffff:', ''),
    visitor: headerOf(request, 'x-goog-visitor-id') || (client.visitorData ?? ''),
    referer: headerOf(request, 'referer'),
    videoId: typeof asked === 'string' ? asked : (query.get('v') ?? ''),
    listId: kind === 'browse' ? listIdOf(body) : (query.get('list') ?? ''),
    nowMs,
  }
}

type Context = { client?: { clientName?: string; clientVersion?: string; visitorData?: string } }

function contextOf(body: JsonObject): Context {
  return (body.context as Context | undefined) ?? {}
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

/** Returns the body as JSON; one that is no JSON object is read as an empty one. */
export function jsonOf(raw: Buffer, encoding?: string): JsonObject {
  if (raw.length === 0) return {}
  try {
    const text = encoding === 'gzip' ? gunzipSync(raw).toString() : raw.toString()
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}
