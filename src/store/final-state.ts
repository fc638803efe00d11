/**
 * A job's final state, the entries that settle it, what the account's webhooks are to be told of it, and that the
 * account is no longer at work if it was its last open job: one statement, so that none is ever there without the
 * others, and one round trip.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { prepared } from '../kit/postgres/database.ts'
import type { Tx } from './database.ts'
import { leaveWork } from './admission.ts'
import { type JobEnd, makeFinal } from './jobs.ts'
import { appending, assertPosted, type LockedBalance, type NewEntry } from './ledger.ts'
import { insertDeliveries } from './webhook-deliveries.ts'
import { receiversOfEnded } from './webhooks.ts'

/**
 * `isLast`: the account has no other open job. `before`: its balance, locked. Returns the balance as the entries
 * left it, and how many deliveries became due.
 */
export async function setFinal(
  tx: Tx,
  job: { accountId: string; jobId: string; isLast: boolean },
  end: JobEnd,
  settling: { before: LockedBalance; entries: readonly NewEntry[] },
): Promise<{ after: LockedBalance; told: number }> {
  const { accountId, jobId, isLast } = job
  const { part, after } = appending(settling.before, settling.entries)
  const name = `set-final-${isLast ? 'last' : 'one'}-${settling.entries.length}`
  const { rows } = await sql<{ ended: number; told: number; posted: number }>`${prepared(name)}
    with ${part}, ended as (
      ${makeFinal(jobId, end)}
    ), receivers as (
      ${receiversOfEnded()}
    ), told as (
      ${insertDeliveries()}
    )${isLast ? sql`, away as (${leaveWork(accountId)})` : sql``}
    select count(*)::int as ended, (select count(*)::int from told) as told,
      (select count(*)::int from posted) as posted from ended
  `.execute(tx)
  const [row] = rows
  assertPosted(row)
  assert(row?.ended === 1, 'a job becomes final once')
  return { after, told: row.told }
}
