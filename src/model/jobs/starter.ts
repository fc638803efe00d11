/** Starters of jobs: a batch or a subscription starts one job for each of its slots. */
import { hashBody, type Idempotency, OWN_KEY_START } from './idempotency.ts'

export type Starter = { kind: 'batch' | 'subscription'; id: string; slot: number }

/**
 * Returns the key that a starter's job has beside its columns. Release 2.0.0 knows such jobs by their keys alone: its
 * processes find them while machines are upgraded, and after a way back. The next release writes none.
 */
export function keyOfStarter({ id, slot }: Starter): Idempotency {
  // What 2.0.0 hashes for a batch: by another hash it would refuse the job as one of another body.
  return { key: `${OWN_KEY_START}${id}:${slot}`, bodyHash: hashBody({ batchId: id, slot }) }
}
