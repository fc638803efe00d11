/**
 * COPY through `pg`, which leaves its data messages to the statement: rows stream out of and into the
 * database as PostgreSQL's text format, one line each, in constant memory.
 */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { LIMITS } from '../config.ts'

/** What every connection of `pg` can do and its types leave out. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}
type CopyMessage = { chunk: Buffer }
type CommandComplete = { text: string }

/** Whole lines of `copy … to stdout`. The connection serves nothing else until the end is read. */
export function copyOut(client: pg.PoolClient, statement: string): AsyncIterable<Buffer> {
  let connection: pg.Connection | null = null
  let pieces: Buffer[] = []
  let bytes = 0
  let isComplete = false
  const output = new Readable({
    highWaterMark: 4 * LIMITS.backupPieceBytes,
    read: () => connection?.stream.resume(),
    destroy(error, done) {
      // Whoever stops reading gives up the connection: the server would wait for ever to write.
      if (!isComplete) connection?.stream.destroy()
      done(error)
    },
  })
  const flush = () => {
    const wantsMore = bytes === 0 || output.push(Buffer.concat(pieces, bytes))
    pieces = []
    bytes = 0
    if (!wantsMore) connection?.stream.pause()
  }

  client.query({
    submit(opened: pg.Connection) {
      connection = opened
      opened.query(statement)
    },
    handleCopyData({ chunk }: CopyMessage) {
      pieces.push(Buffer.from(chunk)) // the message's bytes are used again for the next ones
      bytes += chunk.length
      if (bytes >= LIMITS.backupPieceBytes) flush()
    },
    handleCommandComplete: flush,
    handleError(error: Error) {
      isComplete = true
      output.destroy(error)
    },
    handleReadyForQuery() {
      isComplete = true
      output.push(null)
    },
  } as pg.Submittable)
  return output
}

/**
 * Feeds `copy … from stdin`; returns how many rows the database took. Where `input` throws, the
 * database is told to forget the rows, and the error goes on to the caller.
 */
export function copyIn(
  client: pg.PoolClient,
  { statement, input }: { statement: string; input: AsyncIterable<Buffer> },
): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0
    let failure: Error | null = null
    const feed = async (connection: CopyConnection) => {
      try {
        for await (const piece of input) {
          if (failure !== null) return
          connection.sendCopyFromChunk(piece)
          if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
        }
        connection.endCopyFrom()
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
        connection.sendCopyFail('the input ended early')
      }
    }
    client.query({
      submit: (connection: pg.Connection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => void feed(connection),
      handleCommandComplete: ({ text }: CommandComplete) => (rows = Number(text.split(' ')[1])),
      handleError: (error: Error) => reject((failure ??= error)),
      handleReadyForQuery: () => resolve(rows),
    } as pg.Submittable)
  })
}
