/** The connection pool, transactions, and the kinds of failure that a caller can handle. */
import { Kysely, PostgresDialect, type Transaction, type TransactionBuilder } from 'kysely'
import type net from 'node:net'
import pg from 'pg'
import { DATABASE_DEADLINES, type DatabaseDeadlines, KIT_LIMITS } from '../limits.ts'
import { onceClosed } from '../once-closed.ts'
import { readDatabaseUrl } from './address.ts'
import { openServers, ServedClient, type Servers, UnfitServersError } from './servers.ts'
import { breakConnection, connectionOf, FAREWELL_MS } from './socket.ts'

type PooledDatabase = {
  db: Kysely<unknown>
  pool: pg.Pool
  /**
   * Runs `first` while the database still answers, then closes; resolves when the server has ended all sessions of the
   * pool.
   */
  close(first?: () => Promise<void>): Promise<void>
}

export type DatabaseOptions = {
  url: string
  /** The way to the database's servers; one of its own, which fences none, where it is not given. */
  servers?: Servers
  connectionsMax: number
  name: string
  /** How long operations may take; the usual ones where none are given. */
  deadlines?: DatabaseDeadlines
  /** Whether a server that stays silent for long while a statement runs counts as gone. */
  leavesSilence?: boolean
}

/** The types of values: int8 columns are money or counts, so they become BigInt, never a rounded number. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return BigInt
    return pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

/** Opens a pool; connects with the first statement. Broken idle connections are replaced silently. */
export function openPooledDatabase({
  url,
  connectionsMax,
  name,
  deadlines = DATABASE_DEADLINES,
  leavesSilence = false,
  servers = openServers(readDatabaseUrl(url), deadlines),
}: DatabaseOptions): PooledDatabase {
  const options: pg.PoolConfig & { servers: Servers } = {
    servers,
    max: connectionsMax,
    Client: ServedClient as unknown as new () => pg.ClientBase,
    application_name: name,
    types: TYPES,
    connectionTimeoutMillis: deadlines.connectMs,
    ...servers.address.settings,
    idleTimeoutMillis: 60_000,
    statement_timeout: deadlines.statementMs,
    lock_timeout: deadlines.lockMs,
    idle_in_transaction_session_timeout: deadlines.idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KIT_LIMITS.keepAliveProbeMs,
  }
  const pool = new pg.Pool(options)
  pool.on('error', () => undefined) // the next statement reports the failure to a caller that can act
  leaveLostServer(pool)
  const streams = openStreams(pool)
  leaveReadOnlyServer(pool)
  if (leavesSilence) leaveSilentServer(pool, deadlines.silenceMs)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  // Kysely ends only a pool that it has used; an idle connection would otherwise hold the process for a minute.
  const close = async (first?: () => Promise<void>): Promise<void> => {
    // A silent server never answers a farewell, so its sockets are destroyed.
    const leaving = setInterval(() => streams.forEach((stream) => stream.destroy()), FAREWELL_MS)
    try {
      await first?.()
      await db.destroy()
      if (!pool.ending) await pool.end()
      // The pool has only said farewell by now; a session is over once the server has closed the connection.
      await Promise.all(
        [...streams].map((stream) => new Promise<void>((resolve) => onceClosed(stream, resolve))),
      )
    } finally {
      clearInterval(leaving)
    }
  }
  return { db, pool, close }
}

/** The sockets of the pool's connections that are open at the moment. */
function openStreams(pool: pg.Pool): Set<net.Socket> {
  const streams = new Set<net.Socket>()
  pool.on('connect', (client) => {
    const { stream } = connectionOf(client)
    streams.add(stream)
    onceClosed(stream, () => streams.delete(stream))
  })
  return streams
}

/**
 * Drops all idle connections where one breaks: they lead to the same server, and each would otherwise be found dead by
 * itself, in as many statements.
 */
function leaveLostServer(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>()
  pool.on('release', (error, client) => !error && idle.add(client))
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('connect', (client) =>
    client.on('error', () => {
      const dropped = [...idle]
      idle.clear()
      for (const one of dropped)
        breakConnection(one, new Error('Connection terminated with another'))
    }),
  )
}

/**
 * Breaks connections in use that carry nothing for `silenceMs`. A frozen server or a cut cable breaks none:
 * statement_timeout is the server's, and the system repeats what was sent for a quarter of an hour.
 */
function leaveSilentServer(pool: pg.Pool, silenceMs: number): void {
  const busy = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => busy.add(client))
  pool.on('release', (_error, client) => busy.delete(client))
  pool.on('connect', (client) => {
    const { stream } = connectionOf(client)
    stream.setTimeout(silenceMs, () => {
      if (!busy.has(client)) return
      stream.destroy(Object.assign(new Error('the database fell silent'), { code: 'ETIMEDOUT' }))
    })
  })
}

/**
 * Stops using sessions that refused a write. A session stays read-only after the server has become writable again, and
 * after a failover it may lead to the old primary for ever.
 */
function leaveReadOnlyServer(pool: pg.Pool): void {
  const refused = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    connectionOf(client).on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) refused.add(client)
    })
  })
  // This listener runs before the pool checks whether the client may be used again.
  pool.on('release', (_error, client) => {
    if (refused.has(client)) void (client as pg.PoolClient & pg.Client).end().catch(() => undefined)
  })
}

/** Sends messages: a database at once, a transaction once it has committed, and never after a rollback. */
export type Sends<Message> = { send(message: Message): void }

/**
 * Runs `work` in one transaction, begun as `begin` says: it is committed when `work` resolves and rolled back when it
 * throws. The sending of its messages must not throw.
 */
export async function transact<Message, T>(
  db: { transaction(): TransactionBuilder<unknown> } & Sends<Message>,
  work: (tx: Transaction<unknown> & Sends<Message>) => Promise<T>,
  begin = db.transaction(),
): Promise<T> {
  const messages: Message[] = []
  const send = (message: Message): void => void messages.push(message)
  const result = await begin.execute((tx) => work(Object.assign(tx, { send })))
  for (const message of messages) db.send(message)
  return result
}

/** The error of a server that takes no writes at the moment: a standby after a failover, or a full disk. */
export const READ_ONLY = '25006'

/**
 * Codes of a server that is stopped, starting or cut off; out of connections, memory or disk, or read-only; too slow,
 * locked up or in a deadlock. 08P01 is missing, since a server that refuses a message refuses it again.
 */
const AWAY =
  /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|57P0|08(?!P01)|53|58030|25006|57014|55P03|40P01|40001|25P0[34])/
const AWAY_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Cannot use a pool after/

/**
 * Whether a failure means that the database is unavailable or overloaded, which passes, and not a mistake of the
 * program.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return error instanceof UnfitServersError || AWAY.test(code) || AWAY_WORDS.test(error.message)
}

/** Whether a failure is a lost race for a unique value of the named constraint or index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index
}
