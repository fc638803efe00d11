/**
 * A job's final state, what the account's webhooks are to be told of it, and that the account is no longer at
 * work if it was its last open job: one statement, so that none is ever there without the others, and a job
 * that nobody is told of costs no further round trip.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { prepared, type Tx } from '../postgres/database.ts'
import { leaveWork } from './admission.ts'
import { type JobEnd, makeFinal } from './jobs.ts'
import { insertDeliveries } from './webhook-deliveries.ts'
import { receiversOfEnded } from './webhooks.ts'

/** `isLast`: the account has no other open job. Returns how many deliveries became due. */
export async function setFinal(
  tx: Tx,
  { accountId, jobId, isLast }: { accountId: string; jobId: string; isLast: boolean },
  end: JobEnd,
): Promise<number> {
  const { rows } = await sql<{
    ended: number
    told: number
  }>`${prepared(`set-final-${isLast ? 'last' : 'one'}`)}
    with ended as (
      ${makeFinal(jobId, end)}
    ), receivers as (
      ${receiversOfEnded()}
    ), told as (
      ${insertDeliveries()}
    )${isLast ? sql`, away as (${leaveWork(accountId)})` : sql``}
    select count(*)::int as ended, (select count(*)::int from told) as told from ended
  `.execute(tx)
  const [row] = rows
  assert(row?.ended === 1, 'a job becomes final once')
  return row.told
}
