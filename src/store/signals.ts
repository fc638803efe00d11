/**
 * Signals between processes: "a job waits", "this job is final". One dedicated connection per process listens for all,
 * so that waiting takes no connection of the pool. A signal may be lost when the connection breaks: it only shortens a
 * wait, and every waiting process also looks for itself.
 *
 * NOTIFY takes a lock of the whole database until its transaction is on disk, so the service's transactions contain
 * none. Signals are gathered here and sent in statements of their own, several in one statement and at a limited rate.
 * Listeners in the sending process hear a signal at once, and not again when it comes back from the server.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { type Deadlines, deadlinesOf, LIMITS } from '../config/config.ts'
import type { Sends } from '../kit/postgres/database.ts'
import { ServedClient, type Servers } from '../kit/postgres/servers.ts'
import { endConnection } from '../kit/postgres/socket.ts'
import { run, statement } from '../kit/postgres/statement.ts'

const SIGNALS_RECONNECT_MS = 500
/** How many sending statements may follow one another at once; afterwards there is one every SIGNALS_EVERY_MS. */
export const SIGNALS_AT_ONCE = 4
export const SIGNALS_EVERY_MS = 25

/**
 * `waiting`: a job can be claimed. `job`: a job became final. `cancel`: a job's worker has to stop. `delivery`, `look`,
 * `batch`, `mail`: one is due. `preview`: one can be listed.
 */
export const CHANNELS = [
  'scriptorium_waiting',
  'scriptorium_job',
  'scriptorium_cancel',
  'scriptorium_delivery',
  'scriptorium_preview',
  'scriptorium_look',
  'scriptorium_batch',
  'scriptorium_mail',
] as const
export type Channel = (typeof CHANNELS)[number]

export type Signal = { channel: Channel; payload: string }

export type Signals = Sends<Signal> & {
  /** Calls `listener` with each signal's payload, and with null where signals may have been lost. */
  on(channel: Channel, listener: (payload: string | null) => void | Promise<void>): () => void
  /** Also receives what other processes send, over a connection of its own. */
  listen(servers: Servers, deadlines?: Deadlines): void
  /** Sends the signals that wait, and stops listening. */
  close(): Promise<void>
}

/** Sends a signal soon after the transaction has committed. */
export function signal(tx: Sends<Signal>, channel: Channel, payload: string): void {
  tx.send({ channel, payload })
}

/** Opens signals that are sent over `pool`. */
export function openSignals(pool: pg.Pool): Signals {
  const listeners = new Map<string, Set<(payload: string | null) => void>>(
    CHANNELS.map((channel) => [channel, new Set()]),
  )
  const tell = (channel: string, payload: string | null): void => {
    for (const listener of listeners.get(channel) ?? []) listener(payload)
  }
  const outbox = openOutbox(pool)
  let stopListening = async (): Promise<void> => undefined
  return {
    send(sent) {
      queueMicrotask(() => tell(sent.channel, sent.payload)) // an error in a listener must not reach the sender
      outbox.send(sent)
    },
    on(channel, listener) {
      listeners.get(channel)?.add(listener)
      return () => listeners.get(channel)?.delete(listener)
    },
    listen(servers, { connectMs } = deadlinesOf(1)) {
      stopListening = openListener({ servers, connectMs }, (channel, text) => {
        if (text === null) tell(channel, null)
        else if (!text.startsWith(outbox.mark)) tell(channel, text.slice(text.indexOf(' ') + 1))
      })
    },
    async close() {
      for (const all of listeners.values()) all.clear()
      await Promise.all([stopListening(), outbox.close()])
    },
  }
}

/**
 * Calls `hear` with each notice, and with null for each channel once it is connected. Reconnects where the connection
 * breaks.
 */
function openListener(
  { servers, connectMs }: { servers: Servers; connectMs: number },
  hear: (channel: string, text: string | null) => void,
): () => Promise<void> {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  async function connect(): Promise<void> {
    timer = null
    const next = new ServedClient({
      servers,
      application_name: 'scriptorium signals',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: LIMITS.keepAliveProbeMs,
    })
    client = next
    next.on('end', reconnect)
    next.on('notification', ({ channel, payload = '' }) => hear(channel, payload))
    try {
      await next.connect()
      for (const channel of CHANNELS) await next.query(`listen ${channel}`)
      for (const channel of CHANNELS) hear(channel, null)
    } catch {
      await next.end().catch(() => undefined)
      reconnect()
    }
  }

  function reconnect(): void {
    if (!isClosed && timer === null) timer = setTimeout(() => void connect(), SIGNALS_RECONNECT_MS)
  }

  void connect()
  return async () => {
    isClosed = true
    if (timer !== null) clearTimeout(timer)
    if (client !== null) await endConnection(client)
  }
}

/** Sends the notices and writes nothing. */
const NOTIFY = statement<unknown>(
  'notify',
  `select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as s (channel, payload)`,
)

/** Gathers signals and sends them: a few statements at once, in the long run one every SIGNALS_EVERY_MS. */
function openOutbox(pool: pg.Pool) {
  /** The prefix of each payload, by which the process recognises its own signals. */
  const mark = `${randomBytes(6).toString('hex')} `
  const waiting = new Map<string, Signal>()
  const sending = new Set<Promise<unknown>>()
  let free = SIGNALS_AT_ONCE

  /** Sends what waits. A statement that fails loses its signals, as signals may be lost. */
  function flush(): void {
    if (waiting.size === 0) return
    const signals = [...waiting.values()]
    waiting.clear()
    const values = [
      signals.map(({ channel }) => channel),
      signals.map(({ payload }) => mark + payload),
    ]
    const sent = run(pool, NOTIFY, values)
      .catch(() => undefined)
      .finally(() => sending.delete(sent))
    sending.add(sent)
  }

  function takeTurn(): void {
    free -= 1
    if (free === SIGNALS_AT_ONCE - 1) restoreLater()
    setImmediate(flush) // together with all signals of the same transaction, after the local listeners have reacted
  }

  function restoreLater(): void {
    setTimeout(() => {
      free += 1
      if (free < SIGNALS_AT_ONCE) restoreLater()
      if (waiting.size > 0) takeTurn()
    }, SIGNALS_EVERY_MS).unref()
  }

  return {
    mark,
    send(signal: Signal): void {
      const isFirst = waiting.size === 0 // later ones join it, whether it has its turn already or waits for one
      waiting.set(`${signal.channel} ${signal.payload}`, signal)
      if (isFirst && free > 0) takeTurn()
    },
    async close(): Promise<void> {
      flush()
      await Promise.all(sending)
    },
  }
}
