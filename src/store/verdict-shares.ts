/** The table `verdict_share`: how often each verdict came, by day (UTC) and part, added up over all processes. */
import { sql } from 'kysely'
import type { ShareCount } from '../drift/usual.ts'
import type { Db, Tx } from '../postgres/database.ts'

const TODAY = sql`(now() at time zone 'utc')::date`

/** In the order of the key, so that processes that add at once wait for each other and nothing worse. */
export async function addShares(db: Db | Tx, counts: readonly ShareCount[]): Promise<void> {
  await sql`
    insert into verdict_share as s (day, part, verdict, answers)
    select ${TODAY}, part, verdict, answers
    from unnest(
      ${counts.map(({ part }) => part)}::text[],
      ${counts.map(({ verdict }) => verdict)}::text[],
      ${counts.map(({ answers }) => answers)}::bigint[]) as added (part, verdict, answers)
    order by part, verdict
    on conflict (day, part, verdict) do update set answers = s.answers + excluded.answers
  `.execute(db)
}

/** Sums over today and the days before, `days` in all. */
export async function readShares(db: Db, days: number): Promise<ShareCount[]> {
  const { rows } = await sql<ShareCount>`
    select part, verdict, sum(answers)::double precision as answers from verdict_share
    where day > ${TODAY} - ${days}::int
    group by part, verdict
    order by part, verdict
  `.execute(db)
  return rows
}

export async function sweepShares(db: Db, days: number): Promise<void> {
  await sql`delete from verdict_share where day <= ${TODAY} - ${days}::int`.execute(db)
}
