/** How long what is asked of the database may take. */
import { LIMITS } from '../config/config.ts'

export type Deadlines = {
  connectMs: number
  statementMs: number
  lockMs: number
  idleInTransactionMs: number
  silenceMs: number
}

/** `patience`: DATABASE_PATIENCE, by which all are multiplied. */
export function deadlinesOf(patience: number): Deadlines {
  return {
    connectMs: patience * LIMITS.connectMs,
    statementMs: patience * LIMITS.statementMs,
    lockMs: patience * LIMITS.lockMs,
    idleInTransactionMs: patience * LIMITS.idleInTransactionMs,
    silenceMs: patience * LIMITS.databaseSilenceMs,
  }
}
