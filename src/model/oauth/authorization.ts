/** A client's request to act for an account's owner: the query of /oauth/authorize, read against the client. */
import {
  type Client,
  destinationOf,
  isRedirectUri,
  isSameRedirect,
  redirectWith,
} from './client.ts'
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts'

export type Authorization = {
  redirectUri: string
  state: string | null
  challenge: string
  scopes: AppScope[]
  audience: Audience[]
}

type AuthorizationReading =
  | { kind: 'asked'; asked: Authorization }
  /** A refusal of a program on the reader's own machine is sent to it; of any other client, the reader is told. */
  | { kind: 'refused'; location: string }

const STATE_CHARS_MAX = 2048
const ONCE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
]
/** The fields of a question; `resource` may be there several times (RFC 8707). */
export const AUTHORIZATION_FIELDS = [...ONCE, 'resource']
const CHALLENGE = /^[\w-]{43}$/

/** Reads the query. Throws an OAuthError where the reader is told of a refusal, and is sent to no other host. */
export function readAuthorization(
  query: URLSearchParams,
  client: Client,
  publicUrl: string,
): AuthorizationReading {
  refuseRepeated(query)
  const redirectUri = redirectOf(query, client)
  const state = query.get('state')
  if ((state ?? '').length > STATE_CHARS_MAX)
    throw new OAuthError('invalid_request', `state has more than ${STATE_CHARS_MAX} characters.`)
  const refuse = (error: OAuthErrorCode, description: string): AuthorizationReading => {
    // Anybody may register any address: a link to us that leads there unasked would lend it our name.
    if (destinationOf(redirectUri).kind !== 'computer')
      throw new OAuthError(error, `The app asked wrongly: ${description}.`)
    const answer = { error, error_description: description, state, iss: publicUrl }
    return { kind: 'refused', location: redirectWith(redirectUri, answer) }
  }
  if (query.get('response_type') !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code')
  if (query.get('code_challenge_method') !== 'S256')
    return refuse('invalid_request', 'code_challenge_method must be S256')
  const challenge = query.get('code_challenge') ?? ''
  if (!CHALLENGE.test(challenge))
    return refuse('invalid_request', 'code_challenge must be a SHA-256 in base64url')
  const scopes = readScopes(query.get('scope'))
  if (scopes === null) return refuse('invalid_scope', 'none of these scopes exists here')
  const audience = readAudience(query.getAll('resource'), publicUrl)
  if (audience === null)
    return refuse('invalid_target', 'resource is not an address of this service')
  return { kind: 'asked', asked: { redirectUri, state, challenge, scopes, audience } }
}

function redirectOf(query: URLSearchParams, { redirectUris }: Client): string {
  const asked = query.get('redirect_uri')
  const [only, ...others] = redirectUris
  // A client with a single address may leave it out (RFC 6749, section 3.1.2.3).
  const meant = asked ?? (others.length === 0 ? only : undefined)
  if (meant === undefined) throw new OAuthError('invalid_request', 'redirect_uri is missing.')
  if (isRedirectUri(meant) && redirectUris.some((one) => isSameRedirect(meant, one))) return meant
  throw new OAuthError('invalid_redirect_uri', 'redirect_uri is not one that this app registered.')
}

/** Throws where a parameter is repeated (RFC 6749, section 3.1): clients and servers may read different ones. */
export function refuseRepeated(query: URLSearchParams, names: readonly string[] = ONCE): void {
  const twice = names.find((name) => query.getAll(name).length > 1)
  if (twice !== undefined) throw new OAuthError('invalid_request', `${twice} is there twice.`)
}

export const APP_SCOPES = ['transcripts:read', 'jobs:write', 'account:read'] as const
export type AppScope = (typeof APP_SCOPES)[number]

/** The audiences: the REST API, and the tools for agents (MCP). A token for one is refused by the other. */
export const AUDIENCES = ['api', 'mcp'] as const
export type Audience = (typeof AUDIENCES)[number]

const PATHS: Record<Audience, string> = { api: '/api/v1', mcp: '/mcp' }

/** Returns the address by which clients name one of our interfaces (RFC 8707). */
export function resourceOf(publicUrl: string, audience: Audience): string {
  return `${publicUrl}${PATHS[audience]}`
}

/**
 * Returns the scopes of a request in our order, all where it names none; null where none is ours. Unknown ones are
 * passed over, since clients add those of other protocols (`offline_access`).
 */
export function readScopes(text: string | null): AppScope[] | null {
  const asked = (text ?? '').split(' ').filter((word) => word !== '')
  if (asked.length === 0) return [...APP_SCOPES]
  const known = APP_SCOPES.filter((scope) => asked.includes(scope))
  return known.length === 0 ? null : known
}

/** Returns the audiences for which a token is asked: all of ours where none is named; null where one is not ours. */
export function readAudience(resources: readonly string[], publicUrl: string): Audience[] | null {
  if (resources.length === 0) return [...AUDIENCES]
  const named = resources.map((resource) => {
    const bare = resource.endsWith('/') ? resource.slice(0, -1) : resource
    return AUDIENCES.filter((one) => bare === publicUrl || bare === resourceOf(publicUrl, one))
  })
  if (named.some((audiences) => audiences.length === 0)) return null
  return AUDIENCES.filter((one) => named.flat().includes(one))
}

/** How long what OAuth gives out can be used, and how many there may be. */
export const OAUTH_LIMITS = {
  codeSeconds: 120,
  accessTokenSeconds: 3_600,
  /** Counts anew from each refresh. */
  refreshTokenSeconds: 30 * 86_400,
  /** Time in which a refresh whose answer was lost may be repeated. */
  repeatSeconds: 30,
  /** Number of tokens from repeats that wait for their first use: more processes of one app do not renew at once. */
  repeatsMax: 5,
  /** Time for which a used refresh token is known; if it comes again, it ends the grant. */
  usedKeptSeconds: 30 * 86_400,
  deviceLoginSeconds: 600,
  pollSeconds: 5,
  /** Time after which an app's description in a document is read again. */
  documentKeptSeconds: 3_600,
  documentBytes: 16 * 1024,
  /** Number of apps that an account may have connected. */
  connectionsMax: 100,
  /** Consents of one connection, as programs on several machines have them; the latest are kept. */
  grantsMax: 100,
  /** Tokens of one consent that are kept, the latest: used refresh tokens of a month of hourly renewals, and more. */
  refreshTokensMax: 1_000,
  accessTokensMax: 100,
  /** Size of what an app that registers says of itself, as JSON: its id holds all of it. */
  descriptionBytes: 1_024,
  /** Age of clients without a connection that are swept; the release before made a row of each registration. */
  unconnectedClientSeconds: 86_400,
  /** The cap that the consent page proposes, and the most that it takes. */
  capProposedMicros: 5_000_000n,
  capMaxMicros: 100_000_000_000n,
} as const
