/** How the service does: recorded day by day, and read for health, the status page, the metrics and the commands. */
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { ShareBook } from '../../model/platform/average.ts'
import { observeTopShares, type TopShares } from '../../store/account-usage.ts'
import type { Db } from '../../store/database.ts'
import {
  type Incident,
  INCIDENT_KINDS,
  type IncidentKind,
  insertPause,
  listIncidents,
  reportIncidents,
  sweepIncidents,
} from '../../store/incidents.ts'
import { type JobsObserved, observeJobs, observeLedger } from '../../store/observations.ts'
import { listRetired } from '../../store/retired-clients.ts'
import { listRouteStates, type RouteState } from '../../store/route-states.ts'
import {
  listDays,
  listHours,
  lockDays,
  type Outcomes,
  readSilence,
  recordDays,
  type ServiceDay,
} from '../../store/service-days.ts'
import { observeSubscriptions, type SubscriptionsObserved } from '../../store/subscriptions.ts'
import {
  addShares,
  type HourlyCount,
  readHourlyCounts,
  readShares,
  sweepHours,
  sweepShares,
} from '../../store/verdict-shares.ts'
import { type DeliveriesObserved, observeDeliveries } from '../../store/webhook-log.ts'

// Records for the status page what became final today, and what is wrong for everybody. Every worker calls it
// each minute: what was wrong is reported by whoever met it, the day is counted by one of them.

/** A job that waits longer is an incident. */
const QUEUE_INCIDENT_SECONDS = 600
/** An incident that nobody saw for so long is over; a service that recorded nothing for so long did not run. */
const INCIDENT_QUIET_SECONDS = 300

/** A day goes on in jobs that end after midnight. */
const DAYS_COUNTED = 2

/** What a worker sees that the database does not tell. */
export type WorkerView = { routes: readonly string[]; isPlatformChanged: boolean }

export async function recordService(db: Db, view: WorkerView): Promise<void> {
  await recordToday(db)
  const quietSeconds = INCIDENT_QUIET_SECONDS
  await reportIncidents(db, { kinds: await findIncidents(db, view), quietSeconds })
}

/** Whatever nobody recorded for some minutes is told as a pause, before the next record hides it. */
async function recordToday(db: Db): Promise<void> {
  await transact(db, async (tx) => {
    if (!(await lockDays(tx))) return
    const silence = await readSilence(tx)
    if (silence !== null && silence * 1_000 < LIMITS.dayRecordedEveryMs / 2) return
    if (silence !== null && silence > INCIDENT_QUIET_SECONDS) await insertPause(tx, silence)
    await recordDays(tx, silence === null ? LIMITS.statusDays : DAYS_COUNTED)
    await sweepIncidents(tx, LIMITS.statusDays)
  })
}

async function findIncidents(db: Db, view: WorkerView): Promise<IncidentKind[]> {
  const { oldestQueuedSeconds } = await observeJobs(db)
  const resting = new Set(
    (await listRouteStates(db))
      .filter(({ restsUntil }) => restsUntil !== null)
      .map(({ name }) => name),
  )
  const found: Record<Exclude<IncidentKind, 'not_running'>, boolean> = {
    slow_queue: oldestQueuedSeconds > QUEUE_INCIDENT_SECONDS,
    routes_resting: view.routes.length > 0 && view.routes.every((name) => resting.has(name)),
    platform_changed: view.isPlatformChanged,
  }
  return (Object.keys(found) as (keyof typeof found)[]).filter((kind) => found[kind])
}

// Records what a process saw of the platform, and reads what all of them saw in the last days.

/** What the drift watch calls usual, how often workers add to it, and how often they look for changes. */
const USUAL_DAYS = 7

/** What could not be kept is counted again with the next call. */
export async function recordShares(db: Db, book: ShareBook): Promise<void> {
  const counts = book.freshCounts()
  if (counts.length > 0) await addShares(db, counts)
  book.kept(counts)
  book.learn(await readShares(db, USUAL_DAYS))
  await sweepShares(db, USUAL_DAYS)
  await sweepHours(db)
}

// How the service is: what waits, what came of the last day's videos, how the ways to the platform stand.

export type { HourlyCount }

const INCIDENTS_SHOWN = 20

export type ServiceHealth = {
  observed: Observations
  hours: (Outcomes & { at: Date })[]
  routes: RouteState[]
  /** How often each answer came for each part of the platform, in all and in each of `hours`. */
  verdicts: HourlyCount[]
  incidents: Incident[]
}

export async function readHealth(db: Db): Promise<ServiceHealth> {
  return {
    observed: await readObservations(db, { withSums: false }),
    hours: await listHours(db),
    routes: await listRouteStates(db),
    verdicts: await readHourlyCounts(db),
    incidents: await listIncidents(db, { days: LIMITS.statusDays, limit: INCIDENTS_SHOWN }),
  }
}

// What the public status page shows: days and incidents of the whole service, and nothing of any customer.

export { INCIDENT_KINDS }

const INCIDENTS_MAX = 200

export type ServiceStatus = {
  readAt: Date
  /** Oldest first; a day on which nothing ran is missing. */
  days: ServiceDay[]
  /** Newest first. */
  incidents: Incident[]
}

export async function readStatus(db: Db, now: Date): Promise<ServiceStatus> {
  const days = LIMITS.statusDays
  return {
    readAt: now,
    days: await listDays(db, days),
    incidents: await listIncidents(db, { days, limit: INCIDENTS_MAX }),
  }
}

// Reads what the metrics show for all processes: jobs and queue each time, the ledger's sums now and then.

export type Observations = {
  jobs: JobsObserved
  deliveries: DeliveriesObserved
  subscriptions: SubscriptionsObserved
  /** Null where the sums were not asked for. */
  sums: { balancesMicros: bigint; entriesMicros: bigint; topShares: TopShares } | null
}

/** The sums read every balance and entry: `withSums` is for callers who wait between two of them. */
export async function readObservations(
  db: Db,
  { withSums }: { withSums: boolean },
): Promise<Observations> {
  const jobs = await observeJobs(db)
  const deliveries = await observeDeliveries(db, { perWebhook: LIMITS.deliveriesPerWebhook })
  const subscriptions = await observeSubscriptions(db)
  const observed = { jobs, deliveries, subscriptions }
  if (!withSums) return { ...observed, sums: null }
  const ledger = await observeLedger(db)
  return { ...observed, sums: { ...ledger, topShares: await observeTopShares(db) } }
}

// Which versions of the platform's apps it no longer accepts, as all workers noticed.

/** The instant since when that version is retired; null where it is not, as far as is known. */
export type RetiredSince = (client: { name: string; version: string }) => Date | null

export async function readRetired(db: Db): Promise<RetiredSince> {
  const rows = await listRetired(db)
  return ({ name, version }) =>
    rows.find((row) => row.name === name && row.version === version)?.retiredAt ?? null
}
