/** A small client for the emulator's own tests, which asks as a given client and follows no redirects. */
import http from 'node:http'
import type { JsonObject } from './call.ts'

export type AskedReply = {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  /** Returns the text as JSON; throws where it is none. */
  json(): JsonObject
}

export type Asking = {
  client?: string
  version?: string
  visitor?: string
  headers?: Record<string, string>
  /** The source address of the request. */
  from?: string
  agent?: http.Agent
}

const VISITOR = 'CgtUZXN0VmlzaXRvciijgZfRBg%3D%3D'
const VERSIONS: Readonly<Record<string, string>> = {
  ANDROID: '21.26.364',
  IOS: '21.26.4',
  VISIONOS: '1.02',
}

/** Makes one InnerTube call: `player`, `browse` and so on, with the client's context added to `body`. */
export function innertube(
  origin: string,
  name: string,
  body: JsonObject,
  asking: Asking = {},
): Promise<AskedReply> {
  const { client = 'VISIONOS', visitor = VISITOR } = asking
  const clientVersion = asking.version ?? VERSIONS[client] ?? '2.20260708.00.00'
  const context = {
    client: { clientName: client, clientVersion, hl: 'en' },
    ...(body.context as JsonObject | undefined),
  }
  const headers = {
    'content-type': 'application/json',
    ...(visitor === '' ? {} : { 'x-goog-visitor-id': visitor }),
    ...asking.headers,
  }
  return ask(`${origin}/youtubei/v1/${name}`, {
    ...asking,
    headers,
    body: JSON.stringify({ ...body, context }),
  })
}

/** Makes any request to the emulator; a body makes it a POST. */
export function ask(
  url: string,
  { headers = {}, from, body, agent, method }: Asking & { body?: string; method?: string } = {},
): Promise<AskedReply> {
  return new Promise((resolve, reject) => {
    const options: http.RequestOptions = {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      agent: agent ?? false,
      ...(from === undefined ? {} : { localAddress: from }),
    }
    const request = http.request(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as JsonObject,
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Returns the value at a path of keys, or undefined where the path breaks off. */
export function at(value: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (found, key) => (found as Record<string, unknown> | undefined)?.[key],
    value,
  )
}
