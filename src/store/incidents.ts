/** The table `incident`: times in which something was wrong for all customers, as workers saw it. */
import { sql } from 'kysely'
import { type Db, query, type Tx } from './database.ts'

export const INCIDENT_KINDS = [
  'slow_queue',
  'routes_resting',
  'platform_changed',
  'not_running',
  'commits_lost',
] as const
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

export type Incident = {
  kind: IncidentKind
  beganAt: Date
  /** Null while the incident lasts. */
  endedAt: Date | null
}

/**
 * Opens incidents of kinds that are not open, extends open ones, and ends those that no worker reported for
 * `quietSeconds`. Processes may repeat it and run it at the same time.
 */
export async function reportIncidents(
  db: Db,
  { kinds, quietSeconds }: { kinds: readonly IncidentKind[]; quietSeconds: number },
): Promise<void> {
  await sql`
    update incident set ended_at = seen_at
    where ended_at is null and seen_at < now() - make_interval(secs => ${quietSeconds})
  `.execute(db)
  if (kinds.length > 0) await openIncidents(db, kinds)
}

/** Opens incidents of kinds that are not open, and extends open ones. */
export async function openIncidents(db: Db, kinds: readonly IncidentKind[]): Promise<void> {
  await sql`
    insert into incident (kind) select unnest(${kinds}::text[])
    on conflict (kind) where ended_at is null do update set seen_at = now()
  `.execute(db)
}

/** Ends the incident of a kind that is known to be over, if one is open. */
export async function endIncident(tx: Tx, kind: IncidentKind): Promise<void> {
  await sql`update incident set ended_at = now() where kind = ${kind} and ended_at is null`.execute(
    tx,
  )
}

/** Records that the service did not run for the last `seconds`. */
export async function insertPause(tx: Tx, seconds: number): Promise<void> {
  await sql`
    insert into incident (kind, began_at, ended_at)
    values ('not_running', now() - make_interval(secs => ${seconds}), now())
  `.execute(tx)
}

/** Returns up to `limit` incidents of the last `days`, newest first. */
export async function listIncidents(
  db: Db,
  { days, limit }: { days: number; limit: number },
): Promise<Incident[]> {
  return query<Incident>`
    select kind, began_at as "beganAt", ended_at as "endedAt" from incident
    where coalesce(ended_at, now()) > now() - make_interval(days => ${days}) order by began_at desc, id desc limit ${limit}
  `.rows(db)
}
