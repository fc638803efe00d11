/** Records what became of one video: row, transcript, history and counters in one commit. */
import assert from 'node:assert/strict'
import type { Db } from '../postgres/database.ts'
import { recordFinished, type Recording } from '../store/record.ts'
import type { Attempt } from './attempt.ts'

/**
 * False where nothing was recorded: another attempt holds the job, it is being cancelled, or the row
 * was recorded before. Safe to repeat.
 */
export async function recordRow(
  db: Db,
  attempt: Attempt,
  row: Omit<Recording, 'jobId' | 'attempt'>,
): Promise<boolean> {
  assert(
    (row.content.status === 'success') === (row.transcript !== null),
    'a success has its transcript',
  )
  return recordFinished(db, { ...row, jobId: attempt.jobId, attempt: attempt.number })
}
