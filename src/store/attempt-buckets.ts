/** The table `attempt_bucket`: how many attempts (to sign in, to have mails sent) each limit still lets pass. */
import type pg from 'pg'
import type { Db } from '../postgres/database.ts'
import { overdue } from '../postgres/overdue.ts'
import { run, statement } from '../postgres/statement.ts'

/** A limit of attempts: `size` at once, one more every `everySeconds`; shared by all processes. */
export type AttemptLimit = { bucket: string; size: number; everySeconds: number }

/** Never further ahead than an empty bucket: else the clock was set back since. */
const FULL_AT = `greatest(clock_timestamp(),
        least(b.full_at, clock_timestamp() + make_interval(secs => $2::int * $3::double precision)))`

const TAKE_ATTEMPT = statement<{ isTaken: boolean; ahead: number | null }>(
  'take-attempt',
  `
  with taken as (
    insert into attempt_bucket as b (id, full_at)
    values ($1, clock_timestamp() + make_interval(secs => $3::double precision))
    on conflict (id) do update set full_at = ${FULL_AT} + make_interval(secs => $3::double precision)
      where ${FULL_AT} <= clock_timestamp() + make_interval(secs => $3::double precision * ($2::int - 1))
    returning id
  ), refused_by as materialized (
    select ${FULL_AT} as full_at from attempt_bucket b where id = $1 and not exists (select from taken) for update of b)
  select exists (select from taken) as "isTaken",
    (select extract(epoch from full_at - clock_timestamp())::double precision from refused_by) as ahead`,
)

/**
 * Takes one attempt. Returns 0 where it was free, else the seconds until the next one is; a refused
 * attempt takes and writes nothing. A bucket is when it is full again: each attempt moves that by
 * `everySeconds`, and it may be ahead by `size` of them. What a refusal tells is read with the lock:
 * the statement's own snapshot may be older than the attempts that it waited for.
 */
export async function takeAttempt(
  pool: pg.Pool,
  { bucket, size, everySeconds }: AttemptLimit,
): Promise<number> {
  const [row] = await run(pool, TAKE_ATTEMPT, [bucket, size, everySeconds])
  if (row === undefined || row.isTaken) return 0
  // Others made the bucket since this statement began: it met it, but cannot read it yet.
  if (row.ahead === null) return takeAttempt(pool, { bucket, size, everySeconds })
  return Math.max(1, Math.ceil(row.ahead - everySeconds * (size - 1)))
}

/** Forgets up to `rowsMax` limits that are full again: they say nothing any more. Returns how many. */
export async function sweepAttempts(db: Db, rowsMax: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('attempt_bucket')
    .where('id', 'in', overdue({ table: 'attempt_bucket', key: 'id', endsAt: 'full_at' }, rowsMax))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
