/** How long operations of the database may take. */

export const STATEMENT_MS = 5_000
export const LOCK_MS = 5_000
export const IDLE_IN_TRANSACTION_MS = 5_000
export const CONNECT_MS = 5_000
/** The time, above STATEMENT_MS, after which a server that answers nothing at all is gone. */
export const DATABASE_SILENCE_MS = 8_000

export type Deadlines = {
  connectMs: number
  statementMs: number
  lockMs: number
  idleInTransactionMs: number
  silenceMs: number
}

/** Returns all deadlines, multiplied by `patience` (DATABASE_PATIENCE). */
export function deadlinesOf(patience: number): Deadlines {
  return {
    connectMs: patience * CONNECT_MS,
    statementMs: patience * STATEMENT_MS,
    lockMs: patience * LOCK_MS,
    idleInTransactionMs: patience * IDLE_IN_TRANSACTION_MS,
    silenceMs: patience * DATABASE_SILENCE_MS,
  }
}
