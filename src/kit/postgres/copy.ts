/** COPY: streams rows out of and into the database in PostgreSQL's text format, in constant memory. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** The approximate size of pieces in which a backup's many small rows are passed on. */
const BACKUP_PIECE_BYTES = 64 * 1024

/**
 * Returns the lines of `copy … to stdout` in pieces, which may end within a line. The connection serves nothing else
 * until the end is read; a caller that stops earlier breaks it.
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
    // The server would otherwise wait for ever to write the rest.
    if (!lines.readableEnded) connection?.stream.destroy()
  })
  return client.query(lines)
}

/**
 * Feeds `copy … from stdin` and returns how many rows the database took. Where `input` throws, the database discards
 * the rows, and the caller gets the error.
 */
export async function copyIn(
  client: pg.PoolClient,
  { statement, input }: { statement: string; input: AsyncIterable<Buffer> },
): Promise<number> {
  const rows = client.query(from(statement))
  await pipeline(Readable.from(input), rows)
  return rows.rowCount
}
