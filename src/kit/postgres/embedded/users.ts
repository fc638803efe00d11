/**
 * The users of an embedded server: every process holds a shared advisory lock on a connection of its own. When it
 * leaves, it gives that up and tries to take the lock exclusively, which only the last process gets.
 *
 *     using ──── shared lock ────▶ leaving ── alone? ──┬── yes: stops the server, no process can join
 *                                                      └── no: the others continue
 *
 * PostgreSQL releases the lock of a killed process, so the list of users cannot be out of date.
 */
import net from 'node:net'
import pg from 'pg'
import { DataFolderError } from './errors.ts'
import { DATABASE_ROLE, type Site } from './site.ts'

const EMBEDDED_CONNECT_MS = 5_000
/** The deadline of a statement; making the database takes longest, on a slow disk. */
const EMBEDDED_ANSWER_MS = 30_000

/** The key of the lock, "scriptor" in ASCII; advisory locks belong to one database, here the one named postgres. */
const IN_USE = BigInt(`0x${Buffer.from('scriptor').toString('hex')}`).toString()

export type User = {
  /** Calls `onLost` once when the connection has ended by itself, also where it has ended already. */
  whenLost(onLost: () => void): void
  /** Whether the connection still answers. */
  isPresent(): Promise<boolean>
  /**
   * Gives the lock up and closes the connection; `whenLast` runs where this is the last user, while no other process
   * can join. A lost connection holds no lock: the server is gone, or used by others.
   */
  leave(whenLast: () => Promise<void>): Promise<void>
  /** Runs a statement on the user's own connection. */
  query(statement: string): Promise<pg.QueryResult>
  /** Closes the connection at once; the server releases the lock. */
  abandon(): void
}

/** `absent` means that no server listens; `busy` that one is starting, stopping or overcrowded, and to ask again. */
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
  client.on('error', () => undefined) // 'end' follows and says enough
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

/** Whether a server accepts connections at the socket, even if it then says that it is not ready. */
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

/** Returns why joining failed; throws an error that trying again would not change. */
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
  // The codes 57P mean starting up, shutting down or crashed; 53300 means too many connections.
  if (/^(57P0|53300|ECONN|EPIPE|ETIMEDOUT)/.test(code)) return 'busy'
  if (/Connection terminated|not queryable|timeout/i.test(error.message)) return 'busy'
  throw new Error(`while connecting to the embedded PostgreSQL in ${site.host}`, { cause: error })
}
