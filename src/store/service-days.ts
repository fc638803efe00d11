/**
 * The table `service_day`: for each day (UTC), the outcomes and times of all accounts' jobs that became final on it.
 */
import { sql } from 'kysely'
import { type Db, query, type Tx } from './database.ts'

/** Rows of final jobs by outcome; rows that cost no call (`unchanged`, `skipped` and so on) are not counted. */
export type Outcomes = { delivered: number; answered: number; blocked: number; failed: number }

type ServiceDay = Outcomes & {
  /** The day, such as `2026-11-22`. */
  day: string
  /** Medians; null where nothing could be measured. */
  waitMs: number | null
  videoMs: number | null
}

const OUTCOMES = sql`coalesce(sum(success), 0)::bigint as delivered,
  coalesce(sum(no_captions + language_not_available + private + unavailable), 0)::bigint as answered,
  coalesce(sum(blocked_suspect), 0)::bigint as blocked, coalesce(sum(failed), 0)::bigint as failed`

/**
 * Counts the last `days` again, today included; may be repeated. Today and yesterday are always written, an older day
 * only where jobs ended on it.
 */
export async function recordDays(tx: Tx, days: number): Promise<void> {
  await sql`
    insert into service_day (day, delivered, answered, blocked, failed, wait_ms, video_ms)
    select d.day, j.* from (
      select (now() at time zone 'utc')::date - ago as day from generate_series(0, ${days - 1}::int) as ago
    ) d cross join lateral (
      select ${OUTCOMES},
        (percentile_cont(0.5) within group (order by extract(epoch from started_at - created_at)::float8)
          filter (where started_at >= created_at) * 1000)::bigint,
        (percentile_cont(0.5) within group (order by (extract(epoch from finished_at - started_at) / nullif(processed, 0))::float8)
          filter (where finished_at >= started_at and success > 0) * 1000)::bigint
      from job where finished_at >= d.day at time zone 'utc' and finished_at < (d.day + 1) at time zone 'utc'
      having count(*) > 0 or d.day >= (now() at time zone 'utc')::date - 1
    ) j
    order by d.day
    on conflict (day) do update set delivered = excluded.delivered, answered = excluded.answered, blocked = excluded.blocked,
      failed = excluded.failed, wait_ms = excluded.wait_ms, video_ms = excluded.video_ms, recorded_at = now()
  `.execute(tx)
}

/** The key of an advisory lock: any number that every process shares. */
const DAYS_LOCK = 7_311_849

/** Lets one process count until its transaction ends; returns false where another process is counting. */
export async function lockDays(tx: Tx): Promise<boolean> {
  return query<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${DAYS_LOCK}::bigint) as "isLocked"
  `.value(tx)
}

/** Returns for how many seconds no process has recorded anything; null where none ever did. */
export async function readSilence(tx: Tx): Promise<number | null> {
  return query<{ seconds: number | null }>`
    select extract(epoch from now() - max(recorded_at))::float8 as seconds from service_day
  `.value(tx)
}

/** The recorded days among the last `days`, today included, oldest first. */
export async function listDays(db: Db, days: number): Promise<ServiceDay[]> {
  return query<ServiceDay>`
    select to_char(day, 'YYYY-MM-DD') as day, delivered::float8, answered::float8, blocked::float8, failed::float8,
      wait_ms::float8 as "waitMs", video_ms::float8 as "videoMs"
    from service_day where day > (now() at time zone 'utc')::date - ${days}::int order by service_day.day
  `.rows(db)
}

/** The outcomes of each of the last `days`, today included, oldest first; a day without a record has none. */
export async function listLastDays(db: Db, days: number) {
  return query<Outcomes & { day: string }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(s.delivered, 0)::float8 as delivered,
      coalesce(s.answered, 0)::float8 as answered, coalesce(s.blocked, 0)::float8 as blocked, coalesce(s.failed, 0)::float8 as failed
    from (
      select (now() at time zone 'utc')::date - ago as day from generate_series(0, ${days - 1}::int) as ago
    ) d left join service_day s on s.day = d.day order by d.day
  `.rows(db)
}

const THIS_HOUR = sql`date_trunc('hour', now(), 'UTC')`

/**
 * Returns the outcomes of the last 24 hours, oldest first, where `at` begins the hour; hours without any are included.
 */
export async function listHours(db: Db) {
  return query<Outcomes & { at: Date }>`
    select h.at, o.delivered::float8, o.answered::float8, o.blocked::float8, o.failed::float8
    from generate_series(${THIS_HOUR} - interval '23 hours', ${THIS_HOUR}, interval '1 hour') as h (at)
    cross join lateral (
      select ${OUTCOMES} from job where finished_at >= h.at and finished_at < h.at + interval '1 hour'
    ) o
    order by h.at
  `.rows(db)
}
