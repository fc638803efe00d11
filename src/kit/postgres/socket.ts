/** A client's connection as such: how it is ended and broken. */
import type { EventEmitter } from 'node:events'
import type net from 'node:net'
import type pg from 'pg'

/** How long the end of a connection waits for the server to agree. */
export const FAREWELL_MS = 1_000

/** Returns a client's connection and its socket, which `pg` keeps private. */
export function connectionOf(client: pg.ClientBase): EventEmitter & { stream: net.Socket } {
  return (client as pg.ClientBase & { connection: EventEmitter & { stream: net.Socket } })
    .connection
}

/** Breaks a connection as a loss does: what runs on it fails, and no pool lends it again. */
export function breakConnection(client: pg.ClientBase, error: Error): void {
  connectionOf(client).emit('error', error)
  connectionOf(client).stream.destroy()
}

/** Ends a connection, and breaks it where it does not answer the farewell. */
export async function endConnection(client: pg.Client): Promise<void> {
  const leaving = setTimeout(() => connectionOf(client).stream.destroy(), FAREWELL_MS)
  await client
    .end()
    .catch(() => undefined)
    .finally(() => clearTimeout(leaving))
}
