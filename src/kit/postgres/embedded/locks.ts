/**
 * The locks of a data folder: one process at a time starts or stops the server, in its turn, and each holds a use for
 * as long as it needs the server. The last one to give its use up stops the server, still in its turn.
 *
 * Node has no lock that the system releases, but SQLite has. Each lock is one of SQLite's on an empty file, so that a
 * process that was killed holds none, whoever has its process id now. That two servers never share a cluster is
 * ensured by PostgreSQL's own lock.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataFolderError, explainFileError } from './errors.ts'
import type { Site } from './site.ts'

/** The longest wait for one's turn, above what starting and stopping may take. */
const EMBEDDED_TURN_MS = 180_000
const POLL_MS = 20
/** SQLITE_BUSY: another connection holds a lock that forbids this one. */
const BUSY = 5

/** Runs `work` while no other process is in its turn. Rejects where `signal` aborts before the turn has come. */
export async function inTurn(
  site: Site,
  work: () => Promise<void>,
  signal = new AbortController().signal,
): Promise<void> {
  signal.throwIfAborted()
  const giveUpAt = performance.now() + EMBEDDED_TURN_MS
  using turn = new DatabaseSync(site.turnLock)
  while (!isGranted(turn, 'begin immediate', site)) {
    if (performance.now() > giveUpAt) {
      throw new DataFolderError(
        `another process has been starting or stopping the database in ${site.dataDir} for ` +
          `${EMBEDDED_TURN_MS / 1000} s: end it, start again`,
      )
    }
    await sleep(POLL_MS, undefined, { signal })
  }
  await work()
}

/** Ends a use of the server; `whenLast` runs where no other process holds one. Call it in one's turn. */
export type EndUse = (whenLast: () => Promise<void>) => Promise<void>

/** Begins a use of the server, which lasts until its end or that of the process. Call it in one's turn. */
export function beginUse(site: Site): EndUse {
  const lock = new DatabaseSync(site.usersLock)
  lock.exec('begin; select 1 from sqlite_master')
  return async (whenLast) => {
    using ending = lock
    ending.exec('rollback')
    if (isGranted(ending, 'begin exclusive', site)) await whenLast()
  }
}

/** Executes a statement that takes a lock; returns false where another process's lock forbids that now. */
function isGranted(lock: DatabaseSync, statement: string, { dataDir }: Site): boolean {
  try {
    lock.exec(statement)
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return false
    throw explainFileError(error, dataDir)
  }
}
