/**
 * Sends the signals of committed transactions. NOTIFY takes a lock of the whole database until its
 * transaction is on disk, so none is part of a transaction of ours: signals are gathered here and sent by
 * themselves, several in one statement and only so often. Who listens in this process need not wait for that.
 */
import { beforeClose } from '../kit/postgres/database.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import type { Db } from './database.ts'

/** Statements that send signals: so many at once, then one each time. */
export const SIGNALS_AT_ONCE = 4
export const SIGNALS_EVERY_MS = 25

export type Signal = { channel: string; payload: string }

const OUTBOXES = new WeakMap<Db, (signal: Signal) => void>()
const HEARERS = new WeakMap<Db, Set<(signal: Signal) => void>>()

/**
 * Tells who hears them here at once, and all other processes soon: at once where few were sent lately. One that
 * fails is lost, as signals may be.
 */
export function sendSignal(db: Db, signal: Signal): void {
  for (const hear of HEARERS.get(db) ?? []) queueMicrotask(() => hear(signal)) // a fault of theirs is not the sender's
  let send = OUTBOXES.get(db)
  if (send === undefined) OUTBOXES.set(db, (send = openOutbox(db)))
  send(signal)
}

/** Calls `hear` with each signal that is sent by this database's transactions in this process. */
export function hearOwn(db: Db, hear: (signal: Signal) => void): () => void {
  const all = HEARERS.get(db) ?? new Set()
  HEARERS.set(db, all.add(hear))
  return () => void all.delete(hear)
}

const NOTIFY = statement<unknown>(
  'notify',
  `select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as s (channel, payload)`,
)

/**
 * Writes nothing but the notices. They are not waited for on disk: a commit that only notifies is
 * flushed with the next one.
 */
export async function notify(db: Db, signals: Signal[]): Promise<void> {
  await run(db, NOTIFY, [
    signals.map(({ channel }) => channel),
    signals.map(({ payload }) => payload),
  ])
}

/** A few statements may follow one another at once; in the long run there is one in `signalsEveryMs`. */
function openOutbox(db: Db): (signal: Signal) => void {
  const waiting = new Map<string, Signal>()
  let free = SIGNALS_AT_ONCE
  const sending = new Set<Promise<void>>()

  function flush(): void {
    if (waiting.size === 0) return
    const signals = [...waiting.values()]
    waiting.clear()
    const sent = notify(db, signals)
      .catch(() => undefined)
      .finally(() => sending.delete(sent))
    sending.add(sent)
  }

  function takeTurn(): void {
    free -= 1
    if (free === SIGNALS_AT_ONCE - 1) restoreLater()
    setImmediate(flush) // with all others of the same transaction, and after what those here do at once
  }

  function restoreLater(): void {
    setTimeout(() => {
      free += 1
      if (free < SIGNALS_AT_ONCE) restoreLater()
      if (waiting.size > 0) takeTurn()
    }, SIGNALS_EVERY_MS).unref()
  }

  beforeClose(db, async () => {
    flush()
    await Promise.all(sending)
  })
  return (signal) => {
    const isFirst = waiting.size === 0 // others go with it, whether it has its turn already or waits for one
    waiting.set(`${signal.channel} ${signal.payload}`, signal)
    if (isFirst && free > 0) takeTurn()
  }
}
