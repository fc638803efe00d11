/**
 * The address of a database as libpq writes it: a URL with one or several hosts, and those of libpq's parameters that
 * have a meaning here (PostgreSQL's manual, 32.1.1 "Connection Strings").
 */
import { isIP } from 'node:net'
import type pg from 'pg'
import { ConfigError, secret, type Setting } from '../settings.ts'
import { NamingClient } from './statement.ts'

/** A name, an IP address or the folder of a socket. */
export type Host = { host: string; port: number }

export type DatabaseAddress = {
  /** In the order in which they are tried. */
  hosts: Host[]
  /** User, password, database, application name and time to connect; only those that the URL has. */
  settings: pg.ClientConfig
  targetSessionAttrs: (typeof SESSIONS)[number]
  /** The parameters of TLS, as a query; where it is empty, PGSSLMODE decides, and without it there is no TLS. */
  tls: string
}

const SESSIONS = ['any', 'read-write', 'primary'] as const
/** Parameters that are settings of `pg`. */
const SETTINGS = ['user', 'password', 'dbname', 'application_name'] as const
const TLS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']
const OTHERS = ['host', 'port', 'target_session_attrs', 'connect_timeout']
const PARAMETERS = [...OTHERS, ...SETTINGS, ...TLS]
/** Values that may be chosen; allow and prefer are missing, since they try two ways. */
const CHOICES: { [name: string]: readonly string[] } = {
  target_session_attrs: SESSIONS,
  sslmode: ['disable', 'require', 'verify-ca', 'verify-full'],
}
const FORM =
  'must be a URL such as postgres://user:password@host:5432/database, with what is special in the password percent-encoded'
const PLACES = `${FORM}; a port is a number from 1 to 65535, and an IPv6 address stands in brackets`
const DEFAULT_PORT = 5432

/** The address of a PostgreSQL server; a secret, since it holds a password. */
export function databaseAddress(about: string): Setting<string | null> {
  return {
    ...secret(about, 'a postgres:// URL'),
    parse(value) {
      readDatabaseUrl(value)
      return value
    },
  }
}

/**
 * Reads the URL. Throws ConfigError with what it must be, which names no part of the URL that may be a piece of a
 * password: an unencoded `/` or `?` in one ends the part that has it.
 */
export function readDatabaseUrl(url: string): DatabaseAddress {
  const [, scheme, authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/su.exec(url) ?? []
  const at = authority.lastIndexOf('@')
  if (scheme === undefined || `${path}${query}`.includes('@')) throw new ConfigError(FORM)
  const [user = '', ...password] = authority.slice(0, Math.max(at, 0)).split(':')
  const places = authority
    .slice(at + 1)
    .split(',')
    .map((place) => /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/su.exec(place) ?? refuse(FORM))
  const parts = {
    host: places.map(([, host = '']) => host.replace(/^\[(.*)\]$/, '$1')).join(','),
    port: places.map(([, , port = '']) => port).join(','),
    user,
    password: password.join(':'),
    dbname: path,
  }
  const given = new Map<string, string>()
  for (const [name, text] of Object.entries(parts)) if (text !== '') given.set(name, decoded(text))
  readParameters(query, given)
  const settings: pg.ClientConfig = {}
  for (const name of SETTINGS)
    if (given.has(name)) settings[name === 'dbname' ? 'database' : name] = given.get(name)
  const seconds = given.get('connect_timeout') ?? '0'
  if (!/^\d{1,4}$/.test(seconds)) refuse('must have as connect_timeout whole seconds, at most 9999')
  if (Number(seconds) > 0) settings.connectionTimeoutMillis = Number(seconds) * 1_000
  return {
    hosts: readHosts(given.get('host') ?? '', given.get('port') ?? ''),
    settings,
    targetSessionAttrs:
      SESSIONS.find((word) => word === given.get('target_session_attrs')) ?? 'any',
    tls: readTls(given),
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

/** Adds the parameters to what the other parts of the URL have given. */
function readParameters(query: string, given: Map<string, string>): void {
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', ...value] = pair.split('=')
    if (!PARAMETERS.includes(name))
      refuse(
        `must have no parameter ${JSON.stringify(name.slice(0, 40))}, only ${PARAMETERS.join(', ')}`,
      )
    if (value.length !== 1) refuse(`must have a value for its parameter ${name}, percent-encoded`)
    const text = decoded(value.join(''))
    const choice = CHOICES[name] ?? [text]
    if (!choice.includes(text))
      refuse(
        `must have as ${name} one of ${choice.join(', ')}, not ${JSON.stringify(text.slice(0, 40))}`,
      )
    given.set(name, text)
  }
}

const isHost = (text: string): boolean =>
  text.startsWith('/') || isIP(text) > 0 || /^[^\s:/?#@[\]]+$/.test(text)

/** One port is that of all hosts; an empty one is the usual one. */
function readHosts(hostList: string, portList: string): Host[] {
  const ports = portList.split(',').map((text) => {
    const port = text === '' ? DEFAULT_PORT : /^\d{1,5}$/.test(text) ? Number(text) : 0
    return port >= 1 && port <= 65_535 ? port : refuse(PLACES)
  })
  const hosts = hostList.split(',').map((host) => host || 'localhost')
  if (!hosts.every(isHost)) refuse(PLACES)
  if (ports.length !== 1 && ports.length !== hosts.length)
    refuse(
      `must have one port for all hosts or one for each, not ${ports.length} for ${hosts.length}`,
    )
  return hosts.map((host, at) => ({ host, port: ports[at] ?? ports[0] ?? DEFAULT_PORT }))
}

function readTls(given: Map<string, string>): string {
  if (given.has('sslcert') !== given.has('sslkey')) refuse('must have sslcert and sslkey together')
  const tls = new URLSearchParams([...given].filter(([name]) => TLS.includes(name))).toString()
  try {
    tlsOf({ tls })
  } catch (error) {
    refuse(`must have parameters of TLS that can be used: ${(error as Error).message}`)
  }
  return tls
}

/** Returns the host as messages name it. */
export function nameOfHost({ host, port }: Host): string {
  if (host.startsWith('/')) return host
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/**
 * Returns how a connection is encrypted; never on a socket. `pg` reads the files and PGSSLMODE for a client that never
 * connects, each time, since certificates are renewed.
 */
export function tlsOf({ tls }: { tls: string }, host = ''): pg.ClientConfig['ssl'] {
  const connectionString = `postgres:///?uselibpqcompat=true&${tls}`
  return host.startsWith('/') ? false : new NamingClient({ connectionString }).ssl
}
