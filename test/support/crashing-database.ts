/**
 * A database whose process can die between any two statements: at the n-th one of an act the connection breaks, before
 * the statement was sent, or after it ran and before the answer was heard.
 */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { type Db, openDatabase } from '../../src/store/database.ts'

/** `at` is the number of the statement, from 1, `begin` and `commit` included; or the first commit. */
export type Crash = { at: number | 'commit'; when: 'before' | 'after' }

export type CrashingDatabase = {
  db: Db
  /** Counts statements from now on; the crash happens once. */
  arm(crash: Crash | null): void
  /** Returns whether the crash of the latest `arm` has happened. */
  hasCrashed(): boolean
  close(): Promise<void>
}

class ProcessDied extends Error {}

export function crashingDatabase(url: string): CrashingDatabase {
  const { pool } = openDatabase({ url, connectionsMax: 4, name: 'crashing' })
  let crash: Crash | null = null
  let count = 0
  let isDead = false

  const wrapped: PostgresPool = {
    options: {},
    async connect() {
      const client = await pool.connect()
      const die = (): never => {
        isDead = true
        ;(
          client as unknown as { connection: { stream: { destroy(): void } } }
        ).connection.stream.destroy()
        throw new ProcessDied('the process died')
      }
      const query = async (...given: Parameters<PostgresPoolClient['query']>): Promise<unknown> => {
        if (isDead) throw new ProcessDied('the process is dead')
        count += 1
        const isNow =
          crash !== null &&
          (crash.at === 'commit' ? (given[0] as unknown) === 'commit' : count === crash.at)
        if (isNow && crash?.when === 'before') die()
        const result = await (client.query as (...all: unknown[]) => Promise<unknown>)(...given)
        if (isNow) die()
        return result
      }
      return { query, release: () => client.release(isDead) } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  } as PostgresPool

  const statements = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: wrapped }) })
  const db: Db = Object.assign(statements, { send: () => undefined })
  return {
    db,
    arm(next) {
      crash = next
      count = 0
      isDead = false
    },
    hasCrashed: () => isDead,
    close: () => db.destroy(),
  }
}
