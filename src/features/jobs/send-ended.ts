/** Tells within a process how a job ended there, so that who waits for it need not read it again. */
import { afterCommit } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import type { JobRecord } from '../../store/jobs.ts'

type Hear = (job: JobRecord) => void

const HEARERS = new WeakMap<Db, Set<Hear>>()

/** Once the transaction has committed. `job`: as it is from then on. */
export function sendEnded(tx: Tx, job: JobRecord): void {
  afterCommit(tx, (db) => {
    for (const hear of HEARERS.get(db) ?? []) queueMicrotask(() => hear(job)) // a fault of theirs is not the teller's
  })
}

/** Calls `hear` with each job that this database's transactions end in this process. */
export function hearEnded(db: Db, hear: Hear): () => void {
  const all = HEARERS.get(db) ?? new Set()
  HEARERS.set(db, all.add(hear))
  return () => void all.delete(hear)
}
