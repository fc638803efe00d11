/**
 * The tables `verdict_share` and `verdict_hour`: how often each verdict came on a part, by day and by hour (UTC), as
 * the sum over all processes.
 */
import { sql } from 'kysely'
import type { ShareCount } from '../model/platform/drift-line.ts'
import { type Db, query } from './database.ts'

const TODAY = sql`(now() at time zone 'utc')::date`
const THIS_HOUR = sql`date_trunc('hour', now(), 'UTC')`

/**
 * Adds answers in the order of their keys, so that processes which add at the same time wait for each other and cannot
 * deadlock.
 */
export async function addShares(db: Db, counts: readonly ShareCount[]): Promise<void> {
  await sql`
    with added as (
      select part, verdict, answers from unnest(
        ${counts.map(({ part }) => part)}::text[],
        ${counts.map(({ verdict }) => verdict)}::text[],
        ${counts.map(({ answers }) => answers)}::bigint[]) as a (part, verdict, answers)
      order by part, verdict
    ), by_hour as (
      insert into verdict_hour as h (hour, part, verdict, answers)
      select ${THIS_HOUR}, part, verdict, answers from added
      on conflict (hour, part, verdict) do update set answers = h.answers + excluded.answers
    )
    insert into verdict_share as s (day, part, verdict, answers)
    select ${TODAY}, part, verdict, answers from added
    on conflict (day, part, verdict) do update set answers = s.answers + excluded.answers
  `.execute(db)
}

/** Sums of the last `days`, today included. */
export async function readShares(db: Db, days: number): Promise<ShareCount[]> {
  return query<ShareCount>`
    select part, verdict, sum(answers)::double precision as answers from verdict_share
    where day > ${TODAY} - ${days}::int
    group by part, verdict
    order by part, verdict
  `.rows(db)
}

export async function sweepShares(db: Db, days: number): Promise<void> {
  await sql`delete from verdict_share where day <= ${TODAY} - ${days}::int`.execute(db)
}

/** `hours` are the counts of each of the last 24 hours, the present one last; an hour without answers is 0. */
export type HourlyCount = ShareCount & { hours: number[] }

/** How often each verdict came on each part in the last 24 hours. */
export async function readHourlyCounts(db: Db): Promise<HourlyCount[]> {
  return query<HourlyCount>`
    select p.part, p.verdict, sum(coalesce(v.answers, 0))::double precision as answers,
      array_agg(coalesce(v.answers, 0)::double precision order by h.at) as hours
    from (select distinct part, verdict from verdict_hour where hour > ${THIS_HOUR} - interval '24 hours') p
    cross join generate_series(${THIS_HOUR} - interval '23 hours', ${THIS_HOUR}, interval '1 hour') as h (at)
    left join verdict_hour v on v.hour = h.at and v.part = p.part and v.verdict = p.verdict
    group by p.part, p.verdict
    order by p.part, p.verdict
  `.rows(db)
}
