/** Reads a recording: a folder with a gzipped JSON file for each exchange with the platform. */
import fs from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { JsonObject } from '../call.ts'

/** A request, recorded or made now, by what tells it from others. */
export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  body: JsonObject
  client: { name: string; version: string }
  /** The visitor id in it, or ''. */
  visitor: string
  /** The egress route on which it was made; null where it is not known. */
  route: string | null
}

export type Replied = { status: number; headers: Record<string, string>; body: string }
/** How an exchange broke, in the service's words. */
export type Broken = { failure: string }

export type Exchange = { asked: Asked; reply: Replied | Broken }

type File = {
  route?: string | null
  request: { method: string; url: string; headers?: Record<string, string>; body?: unknown }
  response: { status?: number; headers?: Record<string, string>; body?: string; failure?: string }
}

const FILES_MAX = 20_000
const FILE_BYTES_MAX = 64 * 1024 * 1024

/** Returns the exchanges in the order recorded, and whether the recording is one of before the doctor made them. */
export async function readRecording(
  folder: string,
): Promise<{ exchanges: Exchange[]; isOlder: boolean }> {
  const all = await fs.readdir(folder).catch((error: Error) => {
    throw new Error(`--replay: the folder ${folder} cannot be read: ${error.message}`)
  })
  const names = all.filter((name) => name.endsWith('.json.gz')).sort()
  if (names.length === 0) throw new Error(`--replay: ${folder} holds no recording (*.json.gz)`)
  if (names.length > FILES_MAX) throw new Error(`--replay: ${folder} has over ${FILES_MAX} files`)
  const exchanges: Exchange[] = []
  let isOlder = true
  for (const name of names) {
    const bytes = await fs.readFile(path.join(folder, name))
    const file = fileOf(bytes, path.join(folder, name))
    if (file.route !== undefined) isOlder = false
    exchanges.push(exchangeOf(file))
  }
  return { exchanges, isOlder }
}

function fileOf(bytes: Buffer, name: string): File {
  try {
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: FILE_BYTES_MAX }).toString()) as File
  } catch (error) {
    throw new Error(`--replay: ${name} is no recorded exchange`, { cause: error })
  }
}

function exchangeOf({ route = null, request, response }: File): Exchange {
  const { failure, status = 200, headers = {}, body = '' } = response
  const { url, method, headers: sent = {}, body: asked } = request
  return {
    asked: { ...askedOf({ method, url, headers: sent, body: asked }), route },
    reply: failure === undefined ? { status, headers, body } : { failure },
  }
}

type Raw = {
  method: string
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: unknown
}

export function askedOf({ method, url, headers, body: sent }: Raw): Asked {
  const { pathname, searchParams } = new URL(url, 'http://replay')
  const body = sent !== null && typeof sent === 'object' ? (sent as JsonObject) : {}
  const { client = {} } = (body.context ?? {}) as { client?: Record<string, string> }
  return {
    method,
    path: pathname,
    query: searchParams,
    body,
    client: { name: client.clientName ?? '', version: client.clientVersion ?? '' },
    visitor: String(headers['x-goog-visitor-id'] ?? client.visitorData ?? ''),
    route: null,
  }
}
