/** Records what became of videos of a job: rows, transcripts, history and counters in one commit. */
import assert from 'node:assert/strict'
import type { Db } from '../../store/database.ts'
import { recordFinished, type Recording } from '../../store/record.ts'
import type { Attempt } from '../../model/jobs/attempt.ts'

/**
 * The indexes of the rows that were recorded: none where another attempt holds the job or it is being
 * cancelled, and none of rows that were recorded before. Safe to repeat.
 */
export async function recordRows(
  db: Db,
  { jobId, number: attempt }: Attempt,
  rows: readonly Recording[],
): Promise<Set<number>> {
  for (const { content, transcript } of rows)
    assert((content.status === 'success') === (transcript !== null), 'a success has its transcript')
  return recordFinished(db, { jobId, attempt }, rows)
}
