/**
 * Reads what admits a new job, in the statement that locks the balance which pays for it. A statement sees what was
 * committed when it began, and it may get the lock later: so it also says whether anything happened in between.
 */
import assert from 'node:assert/strict'
import { run, statement } from '../kit/postgres/statement.ts'
import type { Tx } from './database.ts'
import { type Duplicates, DUPLICATES, findDuplicates, withLanguages } from './admission.ts'
import type { FreeCallsOfDay } from './free-calls.ts'
import { LOCKED_BALANCE, type LockedBalance } from './ledger.ts'

/** `today` is the work that the account caused today without paying. */
export type StartFacts = { balance: LockedBalance; duplicates: Duplicates; today: FreeCallsOfDay }

type Row = Omit<Duplicates, 'deliveredLanguages'> &
  LockedBalance &
  FreeCallsOfDay & { deliveredLanguages: string[] | null; isCurrent: boolean }

const LOCK_FOR_START = statement<Row>(
  'lock-for-start',
  `
  with locked as materialized (
    select account_id as "accountId", ${LOCKED_BALANCE} from balance where account_id = $1 for update
  ), seen as materialized (
    select b.entries as seen_entries, d.*,
      exists (select from account where id = $1 and suspended_at is not null) as "isSuspended",
      coalesce(f.listing, 0) as listing, coalesce(f.refused, 0) as refused
    from balance b left join free_calls f
      on f.account_id = b.account_id and f.day = (now() at time zone 'utc')::date, lateral (
      select ${DUPLICATES} from job where account_id = b.account_id and url_set_hash = $2
    ) d where b.account_id = $1
  )
  select locked.*, seen."openJobId", seen."deliveredLanguages", seen."ofAccount", seen."otherAccounts", seen."isSuspended",
    seen.listing, seen.refused, seen.seen_entries = locked.entries as "isCurrent"
  from locked, seen`,
)

/**
 * Locks the account's balance and reads what its new job meets. Every transaction that starts or ends a job holds this
 * lock and posts an entry: where the balance has as many entries as when the statement began, the jobs that it saw are
 * all there are. A transaction that suspends the account may post none, so the statement that inserts the job checks
 * for suspension again.
 */
export async function lockForStart(
  tx: Tx,
  asked: { accountId: string; urlSetHash: string },
): Promise<StartFacts> {
  const { accountId, urlSetHash } = asked
  const [row] = await run(tx, LOCK_FOR_START, [accountId, urlSetHash])
  assert(row !== undefined, `account ${accountId} has a balance`)
  const { isCurrent, listing, refused, openJobId, deliveredLanguages, ...rest } = row
  const { ofAccount, otherAccounts, isSuspended: suspended, ...balance } = rest
  const counts = { ofAccount, otherAccounts }
  const seen = { openJobId, deliveredLanguages, ...counts, isSuspended: suspended }
  const duplicates = isCurrent ? withLanguages(seen) : await findDuplicates(tx, asked)
  return { balance, duplicates, today: { listing, refused } }
}
