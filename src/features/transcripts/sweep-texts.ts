/** Workers' sweep of stored texts: old ones are deleted, and those of release 1.0.0 are rewritten as bodies. */
import { transact } from '../../kit/postgres/database.ts'
import { packRecorded } from '../../model/files/recorded-forms.ts'
import type { RowKey } from '../../model/jobs/video-row.ts'
import type { Db, Tx } from '../../store/database.ts'
import { deleteOldTexts } from '../../store/erasure.ts'
import { lockOldMembers, replaceMembers } from '../../store/old-members.ts'
import type { TextReader } from './read-stored.ts'

/** Number of jobs whose old texts one statement deletes, and how often that is repeated at once. */
const OLD_TEXTS_JOBS_AT_ONCE = 2
const OLD_TEXTS_ROUNDS = 500

/**
 * Deletes the texts of jobs that ended more than `keptDays` ago (RETENTION_DAYS), a few jobs a statement, so that none
 * takes long; the rest is left for the next time. Returns how many jobs.
 */
export async function sweepTexts(db: Db, keptDays: number): Promise<number> {
  let jobs = 0
  for (let round = 0; round < OLD_TEXTS_ROUNDS; round += 1) {
    const deleted = await deleteOldTexts(db, { keptDays, jobsMax: OLD_TEXTS_JOBS_AT_ONCE })
    jobs += deleted
    if (deleted < OLD_TEXTS_JOBS_AT_ONCE) break
  }
  return jobs
}

/** Number of transcripts that one transaction rewrites, and of transactions that follow one another. */
const REWRITTEN_TOGETHER = 20
const REWRITE_ROUNDS = 500

/**
 * Number of rows rewritten; `unreadable` are those whose words cannot be read: they stay, and do not hold up others.
 */
type Rewritten = { rewritten: number; unreadable: (RowKey & { error: unknown })[] }

/**
 * Rewrites what release 1.0.0 stored of transcripts, each form by itself, as bodies, in a tenth of the bytes: some
 * thousands, oldest job first; the rest is left for the next time.
 */
export async function rewriteMembers({
  db,
  textReader,
}: {
  db: Db
  textReader: TextReader
}): Promise<Rewritten> {
  let after: RowKey = { jobId: '', index: 0 }
  const sum: Rewritten = { rewritten: 0, unreadable: [] }
  for (let round = 0; round < REWRITE_ROUNDS; round += 1) {
    const { last, rewritten, unreadable } = await transact(db, (tx) =>
      rewriteNext(tx, textReader, after),
    )
    sum.rewritten += rewritten
    sum.unreadable.push(...unreadable)
    if (last === null) break
    after = last
  }
  return sum
}

/**
 * Rewrites the next transcripts. What is recorded of a form is what is written of it from now on, whatever 1.0.0 wrote.
 */
async function rewriteNext(
  tx: Tx,
  textReader: TextReader,
  after: RowKey,
): Promise<Rewritten & { last: RowKey | null }> {
  const found = await lockOldMembers(tx, after, REWRITTEN_TOGETHER)
  const bodies: (RowKey & { body: Buffer; recorded: Buffer })[] = []
  const unreadable: Rewritten['unreadable'] = []
  for (const { jobId, index, json, forms } of found) {
    try {
      const { body, recorded } = await textReader.pack(json, forms)
      bodies.push({ jobId, index, body, recorded: packRecorded(recorded) })
    } catch (error) {
      unreadable.push({ jobId, index, error })
    }
  }
  if (bodies.length > 0) await replaceMembers(tx, bodies)
  return { last: found.at(-1) ?? null, rewritten: bodies.length, unreadable }
}
