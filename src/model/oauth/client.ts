/** An app as it describes itself: at registration here (RFC 7591), or in a document at its own address. */
import { plainName } from '../../kit/text/invisible.ts'
import { isStorable } from '../../kit/text/outside-text.ts'
import { takesOurName } from './own-name.ts'

export type ClientKind = 'own' | 'registered' | 'document'
export type Client = { id: string; kind: ClientKind; name: string; redirectUris: string[] }

/** The command line, the same client on every server; it signs in by codes that people type. */
export const OWN_CLIENT: Client = {
  id: 'scriptorium-cli',
  kind: 'own',
  name: 'Scriptorium command line',
  redirectUris: [],
}

type AppReading =
  | { kind: 'client'; name: string; redirectUris: string[] }
  | { kind: 'refused'; code: 'invalid_redirect_uri' | 'invalid_client_metadata'; message: string }

const REDIRECT_URIS_MAX = 20
const NAME_CHARS_MAX = 60
const DOCUMENT_ID_CHARS_MAX = 512
/** The longest id of any app; a sealed description of OAUTH_LIMITS.descriptionBytes has 1,413 characters. */
export const CLIENT_ID_CHARS_MAX = 1_500

/** Reads an app's description. Registrations and documents use the same names. */
export function readClient(metadata: unknown): AppReading {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return refused('invalid_client_metadata', 'The description of a client is a JSON object.')
  const fields = metadata as Record<string, unknown>
  const name = readName(fields['client_name'])
  if (name === null)
    return refused('invalid_client_metadata', 'client_name must be a text that people can read.')
  if (takesOurName(name))
    return refused(
      'invalid_client_metadata',
      'client_name must not look like the name of this service.',
    )
  const uris = fields['redirect_uris'] ?? []
  if (!Array.isArray(uris) || uris.length > REDIRECT_URIS_MAX)
    return refused(
      'invalid_redirect_uri',
      `redirect_uris must be a list of at most ${REDIRECT_URIS_MAX}.`,
    )
  const redirectUris = uris.filter((uri) => typeof uri === 'string')
  if (redirectUris.length < uris.length || !redirectUris.every(isRedirectUri))
    return refused(
      'invalid_redirect_uri',
      'Each of redirect_uris must be an https address, an http address of loopback, or one whose scheme is a domain of yours in reverse (com.example.app:/callback).',
    )
  const grants = fields['grant_types']
  const usesCodes = !Array.isArray(grants) || grants.includes('authorization_code')
  if (redirectUris.length === 0 && usesCodes)
    return refused('invalid_redirect_uri', 'redirect_uris must name at least one address.')
  return { kind: 'client', name, redirectUris: [...new Set(redirectUris)] }
}

/** Returns the name without characters that are invisible or turn a line around: a name must not look like another. */
function readName(value: unknown): string | null {
  if (value === undefined) return 'An app without a name'
  if (typeof value !== 'string' || !isStorable(value)) return null
  const name = plainName(value.slice(0, NAME_CHARS_MAX * 4))
  return name === '' ? null : [...name].slice(0, NAME_CHARS_MAX).join('').trim()
}

/** Returns whether an id is the address of a document, with a path; http only where private addresses are allowed. */
export function isDocumentId(id: string, isPrivateAllowed: boolean): boolean {
  if (id.length > DOCUMENT_ID_CHARS_MAX || !/^https?:\/\//.test(id) || !URL.canParse(id))
    return false
  const url = new URL(id)
  const isPlain = url.username === '' && url.password === '' && !id.includes('#') && url.href === id
  const isReachable = url.protocol === 'https:' || isPrivateAllowed
  return isPlain && isReachable && url.pathname !== '/'
}

/** Returns the host whose document vouches for the app's name; null for a name that anybody may have chosen. */
export function publisherOf({ id, kind }: { id: string; kind: ClientKind }): string | null {
  return kind === 'document' ? new URL(id).host : null
}

function refused(
  code: 'invalid_redirect_uri' | 'invalid_client_metadata',
  message: string,
): AppReading {
  return { kind: 'refused', code, message }
}

// Where a browser may be sent with a code: https addresses, programs on the reader's own machine (loopback, any port:
// RFC 8252), and schemes that are known to belong to an app.

const REDIRECT_URI_CHARS_MAX = 1024
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
/**
 * Schemes without a dot at which agents and editors are answered: Cursor and Warp by their own documentation, the
 * others by extensions of Visual Studio Code and its kin, which take the editor's scheme (November 2026).
 */
const KNOWN_SCHEMES = new Set(
  'antigravity claude cursor kiro trae vscode vscode-insiders vscodium warp windsurf'
    .split(' ')
    .map((scheme) => `${scheme}:`),
)
/**
 * A scheme that is the reverse of its owner's domain (RFC 8252, section 7.1). Those without a dot may be handlers of
 * the system, which run or open something (`ms-msdt:`, `search-ms:`); so may those that Windows names with dots.
 */
const REVERSE_DOMAIN = /^[a-z]{2,}(?:\.[a-z0-9][a-z0-9-]*)+:$/
const OF_WINDOWS = 'microsoft.'
const VISIBLE = /^[\x21-\x7e]+$/

export function isRedirectUri(text: string): boolean {
  if (text.length > REDIRECT_URI_CHARS_MAX || !VISIBLE.test(text) || !URL.canParse(text))
    return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '' || text.includes('#') || text.includes('\\')) return false
  if (protocol === 'https:') return hostname !== ''
  if (protocol === 'http:') return LOOPBACK.has(hostname)
  if (KNOWN_SCHEMES.has(protocol)) return true
  return REVERSE_DOMAIN.test(protocol) && !protocol.startsWith(OF_WINDOWS)
}

/** Returns whether both are one address: the texts are equal, or differ in a loopback port only. */
export function isSameRedirect(asked: string, registered: string): boolean {
  if (asked === registered) return true
  const [one, other] = [withoutLoopbackPort(asked), withoutLoopbackPort(registered)]
  return one !== null && one === other
}

function withoutLoopbackPort(text: string): string | null {
  if (!isRedirectUri(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'http:') return null
  url.port = ''
  return url.href
}

/** Where an address leads, for people: a host, their own computer, or the program that owns a scheme. */
type Destination = { kind: 'host' | 'computer' | 'program'; name: string }

export function destinationOf(redirectUri: string): Destination {
  const { protocol, hostname, host } = new URL(redirectUri)
  if (LOOPBACK.has(hostname)) return { kind: 'computer', name: hostname }
  return protocol === 'https:'
    ? { kind: 'host', name: host }
    : { kind: 'program', name: protocol.slice(0, -1) }
}

/** Returns the address to go back to, with the answer in its query. */
export function redirectWith(redirectUri: string, answer: Record<string, string | null>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer))
    if (value !== null) url.searchParams.set(name, value)
  return url.href
}
