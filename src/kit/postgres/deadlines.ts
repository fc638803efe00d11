/** How long operations of the database may take. */

export const DEADLINES = {
  connectMs: 5_000,
  statementMs: 5_000,
  lockMs: 5_000,
  idleInTransactionMs: 5_000,
  /** The time, above statementMs, after which a server that answers nothing at all is gone. */
  silenceMs: 8_000,
}

/** Returns all deadlines, multiplied by `patience` (DATABASE_PATIENCE). */
export function deadlinesOf(patience: number): typeof DEADLINES {
  const entries = Object.entries(DEADLINES).map(([name, ms]) => [name, patience * ms])
  return Object.fromEntries(entries) as typeof DEADLINES
}
