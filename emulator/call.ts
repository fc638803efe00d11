/** One request as the emulator understood it, and the reply it gives. */
import type { Settings } from './settings.ts'
import type { World } from './world.ts'

export type CallKind =
  | 'player'
  | 'reel'
  | 'browse'
  | 'next'
  | 'resolve_url'
  | 'visitor_id'
  | 'config'
  | 'timedtext'
  | 'page'
  | 'asset'
  | 'other'

export type JsonObject = { [key: string]: unknown }

export type Call = {
  kind: CallKind
  method: string
  path: string
  query: URLSearchParams
  /** The parsed JSON body, `{}` where there is none. */
  body: JsonObject
  client: { name: string; version: string }
  /** The caller's source address. */
  identity: string
  /** The visitorData sent along, '' without. */
  visitor: string
  /** What is asked about, '' where the call names no such thing. */
  videoId: string
  listId: string
  nowMs: number
}

export type PlatformReply = {
  status: number
  type: 'json' | 'xml' | 'html' | 'vtt' | 'text' | 'script'
  /** A JSON value is masked by `$fields` and written by the server; text goes out as it is. */
  body: JsonObject | string
  headers?: Record<string, string>
}

/** What answers a call: the world and today's knobs. */
export type Site = { world: World; settings: Settings; countryOf(identity: string): string }

export const json = (body: JsonObject, status = 200): PlatformReply => ({
  status,
  type: 'json',
  body,
})

/** The platform's JSON error, as recorded for an unknown handle. */
export function googleError(code: number, status: string, message: string): PlatformReply {
  const reason =
    status === 'NOT_FOUND'
      ? 'notFound'
      : status === 'FAILED_PRECONDITION'
        ? 'failedPrecondition'
        : 'badRequest'
  return json(
    { error: { code, message, errors: [{ message, domain: 'global', reason }], status } },
    code,
  )
}

export const NOT_FOUND = 'Requested entity was not found.'
export const INVALID = 'Request contains an invalid argument.'
export const PRECONDITION = 'Precondition check failed.'

/** Mobile clients get texts as runs, web clients mostly as simpleText. */
export function isWeb(client: string): boolean {
  return client.startsWith('WEB') || client === 'MWEB'
}
