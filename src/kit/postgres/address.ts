/**
 * The address of a database as libpq writes it: a URL with one or several hosts, and those of libpq's parameters that
 * have a meaning here (PostgreSQL's manual, 32.1.1 "Connection Strings").
 */
import fs from 'node:fs'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { ConfigError, secret, type Setting } from '../settings.ts'

/** A name, an IP address or the folder of a socket. */
export type Host = { host: string; port: number }

export type DatabaseAddress = {
  /** In the order in which they are tried. */
  hosts: Host[]
  /** Null where the system's user is meant, and where the URL has none. */
  user: string | null
  password: string | null
  database: string | null
  targetSessionAttrs: (typeof SESSIONS)[number]
  /** Null where the URL has none: TLS where the server offers it. */
  sslMode: (typeof SSL_MODES)[number] | null
  /** Paths, read for each connection, since certificates are renewed. */
  ssl: { [Name in (typeof SSL_FILES)[number]]?: string }
  /** Null where the URL has none: the service's own limit. */
  connectMs: number | null
  applicationName: string | null
}

const SESSIONS = ['any', 'read-write', 'primary'] as const
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const
const PARAMETERS = [
  ...['host', 'port', 'user', 'password', 'dbname', 'target_session_attrs', 'sslmode'],
  ...[...SSL_FILES, 'connect_timeout', 'application_name'],
]
const FORM =
  'must be a URL such as postgres://user:password@host:5432/database, with what is special in the password percent-encoded'
const PLACES = `${FORM}; a port is a number from 1 to 65535, and an IPv6 address stands in brackets`
const DEFAULT_PORT = 5432
const CONNECT_SECONDS_MAX = 3_600

/** The address of a PostgreSQL server; a secret, since it holds a password. */
export function databaseAddress(about: string): Setting<string | null> {
  return {
    ...secret(about, 'a postgres:// URL'),
    parse(value) {
      readAddress(value)
      return value
    },
  }
}

/**
 * Reads the URL. Throws ConfigError with what it must be, which names no part of the URL that may be a piece of a
 * password: an unencoded `/` or `?` in one ends the part that has it.
 */
export function readAddress(url: string): DatabaseAddress {
  const [, scheme, authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/su.exec(url) ?? []
  const at = authority.lastIndexOf('@')
  if (scheme === undefined || `${path}${query}`.includes('@')) throw new ConfigError(FORM)
  const [user = '', ...password] = authority.slice(0, Math.max(at, 0)).split(':')
  const places = authority.slice(at + 1).split(',')
  const parts = places.map(
    (place) => /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/su.exec(place) ?? refuse(FORM),
  )
  const given = readParameters(query)
  const of = (name: string, other: string): string | null =>
    given.get(name) ?? (other === '' ? null : decoded(other))
  return {
    hosts: readHosts(
      given.get('host') ??
        parts.map(([, host = '']) => decoded(host).replace(/^\[(.*)\]$/, '$1')).join(','),
      given.get('port') ?? parts.map(([, , port = '']) => port).join(','),
    ),
    user: of('user', user),
    password: of('password', password.join(':')),
    database: of('dbname', path),
    targetSessionAttrs: oneOf(given, 'target_session_attrs', SESSIONS) ?? 'any',
    ...readTls(given),
    connectMs: readSeconds(given.get('connect_timeout')),
    applicationName: of('application_name', ''),
  }
}

function refuse(sentence: string): never {
  throw new ConfigError(sentence)
}

function decoded(text: string): string {
  try {
    const read = decodeURIComponent(text)
    return read.includes('\0') ? refuse(FORM) : read
  } catch {
    return refuse(FORM)
  }
}

function readParameters(query: string): Map<string, string> {
  const given = new Map<string, string>()
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', ...value] = pair.split('=')
    if (!PARAMETERS.includes(name))
      refuse(
        `must have no parameter ${JSON.stringify(name.slice(0, 40))}, only ${PARAMETERS.join(', ')}`,
      )
    if (value.length !== 1) refuse(`must have a value for its parameter ${name}, percent-encoded`)
    given.set(name, decoded(value.join('')))
  }
  return given
}

function oneOf<T extends string>(
  given: Map<string, string>,
  name: string,
  known: readonly T[],
): T | null {
  const value = given.get(name) ?? null
  const found = known.find((word) => word === value) ?? null
  if (value !== found)
    refuse(
      `must have as ${name} one of ${known.join(', ')}, not ${JSON.stringify(value?.slice(0, 40))}`,
    )
  return found
}

/** One port is that of all hosts; an empty one is the usual one. */
function readHosts(hostList: string, portList: string): Host[] {
  const ports = portList.split(',').map((text) => {
    const port = text === '' ? DEFAULT_PORT : /^\d{1,5}$/.test(text) ? Number(text) : 0
    return port >= 1 && port <= 65_535 ? port : refuse(PLACES)
  })
  const hosts = hostList.split(',').map((host) => host || 'localhost')
  if (
    !hosts.every((host) => host.startsWith('/') || isIP(host) > 0 || /^[^\s:/?#@[\]]+$/.test(host))
  )
    refuse(PLACES)
  if (ports.length !== 1 && ports.length !== hosts.length)
    refuse(
      `must have one port for all hosts or one for each, not ${ports.length} for ${hosts.length}`,
    )
  return hosts.map((host, at) => ({ host, port: ports[at] ?? ports[0] ?? DEFAULT_PORT }))
}

function readSeconds(text: string | undefined): number | null {
  if (text === undefined) return null
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : CONNECT_SECONDS_MAX + 1
  if (seconds > CONNECT_SECONDS_MAX)
    refuse(`must have as connect_timeout whole seconds from 0 to ${CONNECT_SECONDS_MAX}`)
  return seconds === 0 ? null : seconds * 1_000
}

function readTls(given: Map<string, string>): Pick<DatabaseAddress, 'sslMode' | 'ssl'> {
  const sslMode = oneOf(given, 'sslmode', SSL_MODES)
  const ssl: DatabaseAddress['ssl'] = {}
  if (sslMode === 'verify-ca' && !given.has('sslrootcert'))
    refuse(
      'must have with sslmode=verify-ca the file of the authority as sslrootcert; or write verify-full',
    )
  if (given.has('sslcert') !== given.has('sslkey')) refuse('must have sslcert and sslkey together')
  for (const name of SSL_FILES) {
    const file = given.get(name)
    if (file === undefined) continue
    try {
      fs.accessSync(file, fs.constants.R_OK)
      ssl[name] = file
    } catch {
      refuse(`must name as ${name} a file that this process may read, not ${JSON.stringify(file)}`)
    }
  }
  return { sslMode, ssl }
}

/** Returns the host as messages name it. */
export function nameOfHost({ host, port }: Host): string {
  if (host.startsWith('/')) return host
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/**
 * Returns the ways of encryption that are tried in turn, as libpq's sslmode means them; false is none. A socket has
 * none. Without a mode PGSSLMODE counts, which `pg` reads.
 */
export function waysOfTls(
  { sslMode, ssl }: DatabaseAddress,
  { host }: Host,
): (boolean | ConnectionOptions)[] {
  if (host.startsWith('/')) return [false]
  const read = (name: 'ca' | 'cert' | 'key', file?: string) =>
    file === undefined ? {} : { [name]: fs.readFileSync(file, 'utf8') }
  const { sslrootcert, sslcert, sslkey } = ssl
  const full = { ...read('ca', sslrootcert), ...read('cert', sslcert), ...read('key', sslkey) }
  const tls =
    sslMode === 'verify-full'
      ? full
      : sslrootcert === undefined
        ? { ...full, rejectUnauthorized: false }
        : { ...full, checkServerIdentity: () => undefined }
  const ofEnvironment = new pg.Client({}).ssl
  if (sslMode === null && ofEnvironment) return [ofEnvironment]
  if (sslMode === 'disable') return [false]
  if (sslMode === 'allow') return [false, tls]
  return sslMode === null || sslMode === 'prefer' ? [tls, false] : [tls]
}
