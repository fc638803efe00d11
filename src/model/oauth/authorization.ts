/** A client's question whether it may act for somebody: the query of /oauth/authorize, read against the client. */
import type { Client } from './client.ts'
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts'
import { destinationOf, isRedirectUri, isSameRedirect, redirectWith } from './redirect-uri.ts'
import { type AppScope, type Audience, readAudience, readScopes } from './scope.ts'

export type Authorization = {
  redirectUri: string
  state: string | null
  challenge: string
  scopes: AppScope[]
  audience: Audience[]
}

export type AuthorizationReading =
  | { kind: 'asked'; asked: Authorization }
  /** A program on the reader's own machine is told; of any other, the reader is. */
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
const CHALLENGE = /^[\w-]{43}$/

/** Throws an OAuthError where the reader is told: no address of another host is gone to before they decided. */
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
  if (asked === null && only !== undefined && others.length === 0) return only
  if (asked === null) throw new OAuthError('invalid_request', 'redirect_uri is missing.')
  if (isRedirectUri(asked) && redirectUris.some((one) => isSameRedirect(asked, one))) return asked
  throw new OAuthError('invalid_redirect_uri', 'redirect_uri is not one that this app registered.')
}

/** A parameter that stands there twice is read in two ways (RFC 6749, section 3.1); only `resource` may. */
export function refuseRepeated(query: URLSearchParams, names: readonly string[] = ONCE): void {
  const twice = names.find((name) => query.getAll(name).length > 1)
  if (twice !== undefined) throw new OAuthError('invalid_request', `${twice} is there twice.`)
}
