/** The table `incident`: when something was wrong for everybody, as workers met it. */
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

export const INCIDENT_KINDS = [
  'slow_queue',
  'routes_resting',
  'platform_changed',
  'not_running',
] as const
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

export type Incident = {
  kind: IncidentKind
  beganAt: Date
  /** Null while it goes on. */
  endedAt: Date | null
}

/** Opens what is new, sees what goes on, and ends what nobody saw for `quietSeconds`. Safe to repeat and to race. */
export async function reportIncidents(
  db: Db,
  { kinds, quietSeconds }: { kinds: readonly IncidentKind[]; quietSeconds: number },
): Promise<void> {
  await sql`
    update incident set ended_at = seen_at
    where ended_at is null and seen_at < now() - make_interval(secs => ${quietSeconds})
  `.execute(db)
  if (kinds.length === 0) return
  await sql`
    insert into incident (kind) select unnest(${kinds}::text[])
    on conflict (kind) where ended_at is null do update set seen_at = now()
  `.execute(db)
}

/** The service did not run for the last `seconds`. */
export async function insertPause(tx: Tx, seconds: number): Promise<void> {
  await sql`
    insert into incident (kind, began_at, ended_at)
    values ('not_running', now() - make_interval(secs => ${seconds}), now())
  `.execute(tx)
}

/** Those of the last `days`, newest first; `limit` of them. */
export async function listIncidents(
  db: Db,
  { days, limit }: { days: number; limit: number },
): Promise<Incident[]> {
  const { rows } = await sql<Incident>`
    select kind, began_at as "beganAt", ended_at as "endedAt" from incident
    where coalesce(ended_at, now()) > now() - make_interval(days => ${days}) order by began_at desc, id desc limit ${limit}
  `.execute(db)
  return rows
}

/** Forgets what is older than `days`. */
export async function sweepIncidents(tx: Tx, days: number): Promise<void> {
  await sql`
    delete from incident where ended_at < now() - make_interval(days => ${days})
  `.execute(tx)
}
