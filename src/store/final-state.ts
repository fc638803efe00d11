/**
 * A job's final state, the entries that settle it and the deliveries to the account's webhooks, written in one
 * statement: none exists without the others, and it costs one round trip.
 */
import assert from 'node:assert/strict'
import { run, statement } from '../kit/postgres/statement.ts'
import type { FinalState } from '../model/jobs/job.ts'
import type { Starter } from '../model/jobs/starter.ts'
import type { Tx } from './database.ts'
import {
  type LockedBalance,
  type NewEntry,
  POSTED,
  type Posted,
  postedBy,
  postEntries,
} from './ledger.ts'
import { NEW_DELIVERY_ID } from './timelines.ts'

/**
 * $1: the job, $2: its state, $3: its error, $4: charged micros, $5: when it finished, $6: ledger entries, $7: the
 * balance after them, $8: the balance's number of entries before. An account whose job delivered something waits in
 * line as one that was never served (job-queue.ts). A webhook that is being deleted is waited for, then left out.
 */
const SET_FINAL = statement<Posted & { ended: number; due: number; starter: Starter | null }>(
  'set-final',
  `
  with ${postedBy(6, 7, 8, ', served_at = case when $4::bigint = 0 then now() end')}, ended as (
    update job set state = $2, error = $3, is_held = false, charged_micros = $4, finished_at = $5
    where id = $1 and charged_micros is null returning id, account_id, state, started_by, starter_id, start_slot
  ), receivers as (
    select w.id as webhook_id, e.id as job_id, 'job.' || e.state as type
    from ended e join webhook w on w.account_id = e.account_id
    where w.disabled_at is null and 'job.' || e.state = any(w.events) for key share of w
  ), due as (
    insert into webhook_delivery (id, webhook_id, job_id, type, due_at)
    select ${NEW_DELIVERY_ID}, webhook_id, job_id, type, now()
    from receivers returning id
  )
  select count(*)::int as ended, (select count(*)::int from due) as due,
    ${POSTED}, (select json_build_object('kind', started_by, 'id', starter_id,
      'slot', start_slot) from ended where starter_id is not null) as starter from ended`,
)

type JobEnd = {
  state: FinalState
  error: string | null
  chargedMicros: bigint
  finishedAt: Date
}

/**
 * `before` is the account's balance, locked by the caller. Returns the balance after the entries, how many deliveries
 * became due, and what started the job; null where a caller did.
 */
export async function setFinal(
  tx: Tx,
  jobId: string,
  { state, error, chargedMicros, finishedAt }: JobEnd,
  posted: { before: LockedBalance; entries: readonly NewEntry[] },
): Promise<{ after: LockedBalance; due: number; starter: Starter | null }> {
  const { row, after } = await postEntries(tx, posted, (...given) =>
    run(tx, SET_FINAL, [jobId, state, error, chargedMicros, finishedAt, ...given]),
  )
  assert(row.ended === 1, 'a job becomes final once')
  return { after, due: row.due, starter: row.starter }
}
