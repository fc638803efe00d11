/**
 * An order: what `get` asks for. Its key is on the disk before it is sent, so that the same command asks for the same
 * job again after any interruption, and never for a second one.
 *
 *     none ──key written──▶ keyed ──POST answered──▶ started ──files written──▶ none
 *
 * A repeat of a finished order is a new one: it goes on with the videos that the account does not have yet.
 */
import { createHash, randomUUID } from 'node:crypto'
import path from 'node:path'
import type { OrderBody } from './order-options.ts'
import { readPrivate, removePrivate, writePrivate } from './private-file.ts'

export type OpenOrder = {
  idempotencyKey: string
  /** Body as it was sent: a later command may have another limit by then, and a key belongs to one body only. */
  body: OrderBody
  /** Null until the service has answered. */
  jobId: string | null
  /** Id of the batch where the order is one. */
  batchId?: string
  createdAt: string
}

export type OrderFile = {
  /** Returns the order of an interrupted command; null where there is none. */
  read(): OpenOrder | null
  write(order: OpenOrder): void
  remove(): void
}

/**
 * Opens the order of a wish. `wish` is what the user asked for, before money limited it: the same command has the same
 * wish.
 */
export function orderFile(input: {
  stateFolder: string
  server: string
  wish: unknown
}): OrderFile {
  const { stateFolder, server, wish } = input
  const name = createHash('sha256')
    .update(JSON.stringify([server, wish]))
    .digest('hex')
    .slice(0, 32)
  const file = path.join(stateFolder, 'orders', `${name}.json`)
  return {
    read: () => asOrder(readPrivate(file)),
    write: (order) => writePrivate(file, order),
    remove: () => removePrivate(file),
  }
}

export function newOrder(body: OrderBody, now: Date): OpenOrder {
  return { idempotencyKey: randomUUID(), body, jobId: null, createdAt: now.toISOString() }
}

function asOrder(value: unknown): OpenOrder | null {
  const order = value as OpenOrder | null
  return typeof order?.idempotencyKey === 'string' && Array.isArray(order.body?.urls) ? order : null
}
