/**
 * Who is using an embedded server: every process holds one shared advisory lock on a connection of
 * its own. At its exit it gives that up and asks for the lock alone: only the last one gets it.
 *
 *     using ──── shared lock ────▶ leaving ── alone? ──┬── yes: stops the server, nobody can join
 *                                                      └── no: the others go on
 *
 * PostgreSQL releases the lock of a killed process, so the list of users cannot be out of date.
 */
import net from 'node:net'
import pg from 'pg'
import { DataFolderError } from './errors.ts'
import { DATABASE_ROLE, type Site } from './site.ts'

const EMBEDDED_CONNECT_MS = 5_000
/** For every statement; making the database is the longest, on a slow disk. */
const EMBEDDED_ANSWER_MS = 30_000

/** "scriptor" in ASCII; advisory locks belong to one database, here the one named postgres. */
const IN_USE = BigInt(`0x${Buffer.from('scriptor').toString('hex')}`).toString()

export type User = {
  /** `onLost` is called once when the connection has ended by itself, also if that was before. */
  whenLost(onLost: () => void): void
  /** Whether its connection still answers. */
  isPresent(): Promise<boolean>
  /**
   * Gives the lock up; `whenLast` runs while nobody else can join. The connection is closed. Where it
   * is lost already there is nothing to give up: the server is gone, or used by others.
   */
  leave(whenLast: () => Promise<void>): Promise<void>
  /** Runs a statement on the user's own connection. */
  query(statement: string): Promise<pg.QueryResult>
  /** Closes the connection without a word; the server releases the lock. */
  abandon(): void
}

/** `absent`: no server listens. `busy`: one is starting, stopping or overcrowded: ask again. */
export type Joining = { kind: 'joined'; user: User } | { kind: 'absent' } | { kind: 'busy' }

/** Connects and takes the shared lock. Throws where the socket may not be used at all. */
export async function joinServer(site: Site): Promise<Joining> {
  const client = new pg.Client({
    host: site.host,
    port: site.port,
    user: DATABASE_ROLE,
    database: 'postgres',
    ssl: false,
    application_name: 'scriptorium-supervisor',
    connectionTimeoutMillis: EMBEDDED_CONNECT_MS,
    query_timeout: EMBEDDED_ANSWER_MS,
    keepAlive: true,
    password: site.password,
  })
  client.on('error', () => undefined) // 'end' follows, and says all there is to know
  try {
    await client.connect()
    const { rows } = await client.query(`select pg_try_advisory_lock_shared(${IN_USE}) as joined`)
    if (rows[0].joined === true) return { kind: 'joined', user: userOf(client) }
    await client.end()
    return { kind: 'busy' }
  } catch (error) {
    client.end().catch(() => undefined)
    return { kind: readRefusal(error, site) }
  }
}

/** Whether somebody answers at the socket, if only to say later that it is not ready yet. */
export function isListening({ host, port }: Site): Promise<boolean> {
  const isTcp = process.platform === 'win32'
  const socket = isTcp ? net.connect(port, host) : net.connect(`${host}/.s.PGSQL.${port}`)
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}

function userOf(client: pg.Client): User {
  let isLeaving = false
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  const abandon = () => {
    isLeaving = true
    client.end().catch(() => undefined)
  }
  return {
    abandon,
    whenLost: (onLost) => void ended.then(() => isLeaving || onLost()),
    query: (statement) => client.query(statement),
    isPresent: () =>
      client.query('select 1').then(
        () => true,
        () => false,
      ),
    async leave(whenLast) {
      isLeaving = true
      try {
        if (await isLast(client)) await whenLast()
      } finally {
        abandon()
      }
    },
  }
}

async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query(`select pg_advisory_unlock_shared(${IN_USE})`)
    const { rows } = await client.query(`select pg_try_advisory_lock(${IN_USE}) as last`)
    return rows[0].last === true
  } catch {
    return false
  }
}

/** Throws what asking again would not change. */
function readRefusal(error: unknown, site: Site): 'absent' | 'busy' {
  if (!(error instanceof Error)) throw error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent'
  if (code === 'EACCES' || code === 'EPERM') {
    throw new DataFolderError(
      `the database's socket in ${site.host} may not be used by uid ${process.geteuid?.()}: ` +
        'start as the user who owns that folder or as root, or set DATA_DIR',
    )
  }
  if (code === '28P01') {
    throw new DataFolderError(
      `the running database in ${site.dataDir} does not accept the password in its file postgres-password: ` +
        'stop every process of the service and start again',
    )
  }
  // 57P: starting up, shutting down, crashed; 53300: too many connections.
  if (/^(57P0|53300|ECONN|EPIPE|ETIMEDOUT)/.test(code)) return 'busy'
  if (/Connection terminated|not queryable|timeout/i.test(error.message)) return 'busy'
  throw new Error(`while connecting to the embedded PostgreSQL in ${site.host}`, { cause: error })
}
