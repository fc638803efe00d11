/**
 * An order: what `get` asks for. Its key is on the disk before it is sent, so that the same command, after
 * whatever interrupted it, asks for the same job again and never for a second one.
 *
 *     none ──key written──▶ keyed ──POST answered──▶ started ──files written──▶ none
 *
 * A repeat of a finished order is a new one: it goes on with what the account has not got yet.
 */
import { createHash, randomUUID } from 'node:crypto'
import path from 'node:path'
import { readPrivate, removePrivate, writePrivate } from './private-file.ts'

/** The body of POST /jobs. All formats are always ordered: they cost nothing, and can be had later. */
export type OrderBody = {
  urls: string[]
  maxVideos: number
  language?: string
  publishedAfter?: string
  publishedBefore?: string
}

export type OpenOrder = {
  idempotencyKey: string
  /** What was sent: a later command may have another limit by then, and a key fits one body only. */
  body: OrderBody
  /** Null until the service answered. */
  jobId: string | null
  createdAt: string
}

export type OrderFile = {
  /** What an interrupted command left; null where there is nothing to go on with. */
  read(): OpenOrder | null
  write(order: OpenOrder): void
  remove(): void
}

/** `wish` is what the user asked for, before money capped it: the same command has the same wish. */
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
