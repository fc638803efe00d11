/**
 * A job's final state, the entries that settle it, what the account's webhooks are to be told of it, and that the
 * account is no longer at work if it was its last open job: one statement, so that none is ever there without the
 * others, and one round trip.
 */
import assert from 'node:assert/strict'
import { asJson, run, statement } from '../kit/postgres/statement.ts'
import type { FinalState } from '../model/jobs/job.ts'
import { SHARDS } from './admission.ts'
import type { Tx } from './database.ts'
import { assertPosted, chainEntries, type LockedBalance, type NewEntry } from './ledger.ts'

/**
 * $1: the job, $2: its state, $3: its error, $4: charged micros, $5: when it finished, $6: ledger entries, $7: the
 * balance after them, $8: its entries before, $9: whether the account has no other open job. A webhook that is being deleted is
 * waited for, and passed over. A count of accounts at work that is too low stays for the recount.
 */
const SET_FINAL = statement<{ ended: number; told: number; posted: number }>(
  'set-final',
  `
  with written as (
    insert into ledger_entry (account_id, number, kind, posted_micros, held_micros, reference,
      job_id, reason, created_at, previous_hash, hash)
    select account_id, number, kind, posted_micros, held_micros, reference,
      job_id, reason, created_at, previous_hash, hash
    from json_populate_recordset(null::ledger_entry, $6::json)
  ), posted as (
    update balance b set posted_micros = n.posted_micros, held_micros = n.held_micros, entries = n.entries,
      head = n.head, open_jobs = n.open_jobs, served_at = now()
    from json_populate_record(null::balance, $7::json) n
    where b.account_id = n.account_id and b.entries = $8 returning 1
  ), ended as (
    update job set state = $2, error = $3, is_held = false, charged_micros = $4, finished_at = $5
    where id = $1 and charged_micros is null returning id, account_id, state
  ), receivers as (
    select w.id as webhook_id, e.id as job_id, 'job.' || e.state as type
    from ended e join webhook w on w.account_id = e.account_id
    where w.disabled_at is null and 'job.' || e.state = any(w.events) for key share of w
  ), told as (
    insert into webhook_delivery (id, webhook_id, job_id, type, due_at)
    select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), webhook_id, job_id, type, now()
    from receivers returning id
  ), away as (
    update accounts_at_work a set accounts = greatest(0, a.accounts - 1) from ended e
    where $9 and a.shard = get_byte(sha256(convert_to(e.account_id, 'UTF8')), 0) % ${SHARDS}
  )
  select count(*)::int as ended, (select count(*)::int from told) as told,
    (select count(*)::int from posted) as posted from ended`,
)

export type JobEnd = {
  state: FinalState
  error: string | null
  chargedMicros: bigint
  finishedAt: Date
}

/**
 * `isLast`: the account has no other open job. `before`: its balance, locked. Returns the balance as the entries
 * left it, and how many deliveries became due.
 */
export async function setFinal(
  tx: Tx,
  { jobId, isLast }: { jobId: string; isLast: boolean },
  { state, error, chargedMicros, finishedAt }: JobEnd,
  { before, entries }: { before: LockedBalance; entries: readonly NewEntry[] },
): Promise<{ after: LockedBalance; told: number }> {
  const { lines, balance, after } = chainEntries(before, entries)
  const [row] = await run(tx, SET_FINAL, [
    jobId,
    state,
    error,
    chargedMicros,
    finishedAt,
    asJson(lines),
    asJson(balance),
    before.entries,
    isLast,
  ])
  assertPosted(row)
  assert(row?.ended === 1, 'a job becomes final once')
  return { after, told: row.told }
}
