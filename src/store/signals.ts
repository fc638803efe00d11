/**
 * Signals between processes: "a job waits", "this job is final". One dedicated connection per
 * process listens for all, so that waiting takes no connection of the pool. A signal may be
 * lost (the connection breaks): it only shortens a wait, and those who wait also look for themselves.
 *
 * What this process sends is heard here without the way over the server, and passed over when it comes back.
 */
import pg from 'pg'
import { LIMITS } from '../kit/config/config.ts'
import { deadlinesOf } from '../kit/postgres/deadlines.ts'
import { afterCommit, endConnection, isOwnSession } from '../kit/postgres/database.ts'
import type { Db, Tx } from './database.ts'
import { hearOwn, sendSignal } from './signal-outbox.ts'

const SIGNALS_RECONNECT_MS = 500

/** `waiting`: there is a job to claim. `job`: it became final. `cancel`: its worker is to stop. `delivery`, `look`: one is due. `preview`: there is one to list. */
export const CHANNELS = [
  'scriptorium_waiting',
  'scriptorium_job',
  'scriptorium_cancel',
  'scriptorium_delivery',
  'scriptorium_preview',
  'scriptorium_look',
] as const
export type Channel = (typeof CHANNELS)[number]

export type Signals = {
  /** Calls `listener` with each signal's payload, and with null after a reconnection. */
  on(channel: Channel, listener: (payload: string | null) => void | Promise<void>): () => void
  close(): Promise<void>
}

/** Sends a signal soon after the transaction has committed. */
export function signal(tx: Tx, channel: Channel, payload: string): void {
  afterCommit(tx, (db) => sendSignal(db, { channel, payload }))
}

/** `db`: whose transactions are heard at once; `patience`: DATABASE_PATIENCE. */
export function openSignals({
  url,
  db,
  patience = 1,
}: {
  url: string
  db: Db
  patience?: number
}): Signals {
  const listeners = new Map<Channel, Set<(payload: string | null) => void>>(
    CHANNELS.map((channel) => [channel, new Set()]),
  )
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  const tell = (channel: string, payload: string | null): void => {
    const known = CHANNELS.find((name) => name === channel)
    if (known !== undefined) for (const listener of listeners.get(known) ?? []) listener(payload)
  }

  async function connect(): Promise<void> {
    timer = null
    const next = new pg.Client({
      connectionString: url,
      application_name: 'scriptorium signals',
      connectionTimeoutMillis: deadlinesOf(patience).connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: LIMITS.keepAliveProbeMs,
    })
    client = next
    next.on('error', () => undefined)
    next.on('end', reconnect)
    next.on('notification', ({ channel, payload, processId }) => {
      if (!isOwnSession(db, processId)) tell(channel, payload ?? '')
    })
    try {
      await next.connect()
      for (const channel of CHANNELS) await next.query(`listen ${channel}`)
      for (const channel of CHANNELS) tell(channel, null)
    } catch {
      await next.end().catch(() => undefined)
      reconnect()
    }
  }

  function reconnect(): void {
    if (!isClosed && timer === null) timer = setTimeout(() => void connect(), SIGNALS_RECONNECT_MS)
  }

  const leave = hearOwn(db, ({ channel, payload }) => tell(channel, payload))
  void connect()
  return {
    on(channel, listener) {
      listeners.get(channel)?.add(listener)
      return () => listeners.get(channel)?.delete(listener)
    },
    async close() {
      isClosed = true
      leave()
      if (timer !== null) clearTimeout(timer)
      if (client !== null) await endConnection(client)
    },
  }
}
