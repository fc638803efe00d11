/** One request as the emulator reads it, and the reply that it gives. */
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
  /** The visitorData of the request, or ''. */
  visitor: string
  /** The page from which the request comes, or ''. */
  referer: string
  /** The video asked about, or ''; likewise the list. */
  videoId: string
  listId: string
  nowMs: number
}

export const CONTENT_TYPES = {
  json: 'application/json; charset=UTF-8',
  xml: 'text/xml; charset=UTF-8',
  html: 'text/html; charset=UTF-8',
  vtt: 'text/vtt; charset=UTF-8',
  text: 'text/plain; charset=UTF-8',
  script: 'text/javascript; charset=UTF-8',
} as const

export type PlatformReply = {
  status: number
  type: keyof typeof CONTENT_TYPES
  /** The content; a JSON value is masked by `$fields` and serialised by the server, text is sent unchanged. */
  body: JsonObject | string
  headers?: Record<string, string>
}

/** The world and the present knobs, from which a call is answered. */
export type Site = { world: World; settings: Settings; countryOf(identity: string): string }

export const json = (body: JsonObject, status = 200): PlatformReply => ({
  status,
  type: 'json',
  body,
})

/** Returns the platform's JSON error, as recorded for an unknown handle. */
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

/** Returns the frame of a list page's tabs: the mobile website has one column. */
export function columnsOf({ client }: Call, tabs: JsonObject[]): JsonObject {
  return client.name === 'MWEB'
    ? { singleColumnBrowseResultsRenderer: { tabs } }
    : { twoColumnBrowseResultsRenderer: { tabs } }
}

/** Whether a client is a web client, which mostly gets texts as simpleText; mobile clients get runs. */
export function isWeb(client: string): boolean {
  return client.startsWith('WEB') || client === 'MWEB'
}
