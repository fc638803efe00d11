/** COPY: rows stream out of and into the database as PostgreSQL's text format, in constant memory. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** A backup's rows are many and small: they are handed on in pieces of about this size. */
const BACKUP_PIECE_BYTES = 64 * 1024

/**
 * The lines of `copy … to stdout`, in pieces that may end within one. The connection serves nothing
 * else until the end is read; whoever stops before gives it up.
 */
export function copyOut(client: pg.PoolClient, statement: string): AsyncIterable<Buffer> {
  const lines = to(statement, { highWaterMark: 4 * BACKUP_PIECE_BYTES })
  let connection: pg.Connection | null = null
  const submit = lines.submit.bind(lines)
  lines.submit = (opened) => {
    connection = opened
    submit(opened)
  }
  lines.once('close', () => {
    // The server would wait for ever to write the rest.
    if (!lines.readableEnded) connection?.stream.destroy()
  })
  return client.query(lines)
}

/**
 * Feeds `copy … from stdin`; returns how many rows the database took. Where `input` throws, the
 * database is told to forget the rows, and the error goes on to the caller.
 */
export async function copyIn(
  client: pg.PoolClient,
  { statement, input }: { statement: string; input: AsyncIterable<Buffer> },
): Promise<number> {
  const rows = client.query(from(statement))
  await pipeline(Readable.from(input), rows)
  return rows.rowCount
}
