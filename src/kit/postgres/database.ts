/** The connection pool, transactions and the kinds of failure a caller can do something about. */
import { Kysely, PostgresDialect, type Transaction, type TransactionBuilder } from 'kysely'
import type { EventEmitter } from 'node:events'
import type net from 'node:net'
import pg from 'pg'
import { LIMITS } from '../config/config.ts'
import { deadlinesOf } from './deadlines.ts'
import { NamingClient } from './statement.ts'

export type PooledDatabase<Tables> = {
  db: Kysely<Tables>
  pool: pg.Pool
  /** Does `first` while the database still answers; resolves when the server has none of its sessions any more. */
  close(first?: () => Promise<void>): Promise<void>
}

export type DatabaseOptions = {
  url: string
  connectionsMax: number
  name: string
  /** Times the usual deadlines: DATABASE_PATIENCE. */
  patience?: number
  /** Whether a server that says nothing for long while it is asked counts as gone. */
  leavesSilence?: boolean
}

/** int8 columns are money or counts: BigInt, never a rounded number. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return BigInt
    return pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

/** Opens a pool; connects with the first statement. Broken idle connections are replaced silently. */
export function openPooledDatabase<Tables>({
  url,
  connectionsMax,
  name,
  patience = 1,
  leavesSilence = false,
}: DatabaseOptions): PooledDatabase<Tables> {
  const deadlines = deadlinesOf(patience)
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    Client: NamingClient,
    application_name: name,
    types: TYPES,
    connectionTimeoutMillis: deadlines.connectMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: deadlines.statementMs,
    lock_timeout: deadlines.lockMs,
    idle_in_transaction_session_timeout: deadlines.idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: LIMITS.keepAliveProbeMs,
  })
  // The next statement reports it to someone who can act. A client that is checked out (idle in a
  // transaction, say) has no listener of the pool: without this one its loss would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const streams = openStreams(pool)
  leaveReadOnlyServer(pool)
  if (leavesSilence) leaveSilentServer(pool, deadlines.silenceMs)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  // Kysely ends only a pool it has used; an idle connection would hold the process for a minute.
  const close = async (first?: () => Promise<void>): Promise<void> => {
    // A farewell to a server that is silent has no answer to wait for.
    const leaving = setInterval(
      () => streams.forEach((stream) => stream.destroy()),
      LIMITS.farewellMs,
    )
    try {
      await first?.()
      await db.destroy()
      if (!pool.ending) await pool.end()
      // The pool has only said farewell by then: a session is over once the server has hung up.
      await Promise.all([...streams].map(untilClosed))
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
    const stream = streamOf(client)
    streams.add(stream)
    stream.once('close', () => streams.delete(stream))
  })
  return streams
}

function untilClosed(stream: net.Socket): Promise<void> {
  return new Promise((resolve) => void stream.once('close', () => resolve()))
}

/** What `pg` keeps to itself: a client's connection, and the socket under it. */
function connectionOf(client: pg.ClientBase): EventEmitter & { stream: net.Socket } {
  return (client as pg.ClientBase & { connection: EventEmitter & { stream: net.Socket } })
    .connection
}

function streamOf(client: pg.ClientBase): net.Socket {
  return connectionOf(client).stream
}

/**
 * A frozen server or a cut cable breaks no connection: statement_timeout is the server's, and what was
 * sent is repeated for a quarter of an hour. So a connection in use that carries nothing is broken here.
 */
function leaveSilentServer(pool: pg.Pool, silenceMs: number): void {
  const busy = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => busy.add(client))
  pool.on('release', (_error, client) => busy.delete(client))
  pool.on('connect', (client) => {
    const stream = streamOf(client)
    stream.setTimeout(silenceMs, () => {
      if (!busy.has(client)) return
      stream.destroy(Object.assign(new Error('the database fell silent'), { code: 'ETIMEDOUT' }))
    })
  })
}

/**
 * A session keeps being read-only after the server has become writable again, and after a failover
 * it may lead to the old primary for ever. So one that refused a write is not used again.
 */
function leaveReadOnlyServer(pool: pg.Pool): void {
  const refused = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    connectionOf(client).on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) refused.add(client)
    })
  })
  // Told before the pool looks whether the client may be used again.
  pool.on('release', (_error, client) => {
    if (refused.has(client)) void (client as pg.PoolClient & pg.Client).end().catch(() => undefined)
  })
}

/** Ends one connection; one that does not answer the farewell is broken. */
export async function endConnection(client: pg.Client): Promise<void> {
  const leaving = setTimeout(() => streamOf(client).destroy(), LIMITS.farewellMs)
  await client
    .end()
    .catch(() => undefined)
    .finally(() => clearTimeout(leaving))
}

/** Sends messages: a database at once, a transaction once it has committed, and never after a rollback. */
export type Sends<Message> = { send(message: Message): void }

/**
 * Runs `work` in one transaction, begun as `begin` says: committed when it resolves, rolled back when it throws.
 * What it sends must not throw.
 */
export async function transact<Tables, Message, T>(
  db: { transaction(): TransactionBuilder<Tables> } & Sends<Message>,
  work: (tx: Transaction<Tables> & Sends<Message>) => Promise<T>,
  begin = db.transaction(),
): Promise<T> {
  const messages: Message[] = []
  const send = (message: Message): void => void messages.push(message)
  const result = await begin.execute((tx) => work(Object.assign(tx, { send })))
  for (const message of messages) db.send(message)
  return result
}

/** A server that takes no writes at the moment: a standby after a failover, or its storage is full. */
export const READ_ONLY = '25006'

/**
 * Stopped, starting, cut off; out of connections, memory or disk, or read-only; too slow, locked up, in a
 * deadlock. 08P01 is missing: a server that refuses our words refuses them again.
 */
const AWAY =
  /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|57P0|08(?!P01)|53|58030|25006|57014|55P03|40P01|40001|25P0[34])/
const AWAY_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after/

/** Whether a failure is the database being away or overloaded, not our mistake: it passes. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return AWAY.test(code) || AWAY_WORDS.test(error.message)
}

/** Whether a failure is a lost race for a unique value of the named constraint or index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index
}
