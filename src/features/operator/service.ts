/**
 * The state of the service: recorded day by day, and read for health, the status page, the metrics and the commands.
 */
import { LIMITS } from '../../config/config.ts'
import { SWEEP_ROWS } from '../../kit/loop.ts'
import { transact } from '../../kit/postgres/database.ts'
import { canaryLine } from '../../model/operator/canary.ts'
import type { ShareBook } from '../../model/platform/drift-line.ts'
import { observeTopShares } from '../../store/account-usage.ts'
import { readCanary } from '../../store/canary.ts'
import type { Db } from '../../store/database.ts'
import {
  INCIDENT_KINDS,
  type IncidentKind,
  insertPause,
  listIncidents,
  reportIncidents,
} from '../../store/incidents.ts'
import { sweepTable } from '../../store/erasure.ts'
import {
  observeJobs,
  observeLedger,
  observeServer,
  readDatabaseBytes,
} from '../../store/observations.ts'
import { countRefusedEvents } from '../../store/payments.ts'
import { listRetired, listRouteStates, type RouteState } from '../../store/platform-state.ts'
import { listDays, listHours, lockDays, readSilence, recordDays } from '../../store/service-days.ts'
import { observeSubscriptions } from '../../store/subscriptions.ts'
import { listGaps } from '../../store/timelines.ts'
import {
  addShares,
  type HourlyCount,
  readHourlyCounts,
  readShares,
  sweepShares,
} from '../../store/verdict-shares.ts'
import { observeDeliveries } from '../../store/webhook-log.ts'

export { type HourlyCount, INCIDENT_KINDS }

/** How long a job waits before that is an incident. */
const QUEUE_INCIDENT_SECONDS = 600
/** Time after which an incident that no worker saw is over; a service that recorded nothing for as long did not run. */
const INCIDENT_QUIET_SECONDS = 300

/** Number of days that are counted: a day goes on in jobs that end after midnight. */
const DAYS_COUNTED = 2

/** A worker's view, which the database does not have. */
type WorkerView = { routes: readonly string[]; isPlatformChanged: boolean }

/**
 * Records for the status page what became final today, and what is wrong for everybody. Every worker calls it each
 * minute: an incident is reported by each worker that met it, the day is counted by one of them.
 */
export async function recordService(db: Db, view: WorkerView): Promise<void> {
  await recordToday(db)
  const quietSeconds = INCIDENT_QUIET_SECONDS
  await reportIncidents(db, { kinds: await findIncidents(db, view), quietSeconds })
}

/** Counts the day. Minutes without a record are noted as a pause, before this record hides them. */
async function recordToday(db: Db): Promise<void> {
  await transact(db, async (tx) => {
    if (!(await lockDays(tx))) return
    const silence = await readSilence(tx)
    if (silence !== null && silence * 1_000 < LIMITS.dayRecordedEveryMs / 2) return
    if (silence !== null && silence > INCIDENT_QUIET_SECONDS) await insertPause(tx, silence)
    await recordDays(tx, silence === null ? LIMITS.statusDays : DAYS_COUNTED)
    const minSeconds = LIMITS.statusDays * 24 * 3600
    await sweepTable(tx, 'incident', { minSeconds, rowsMax: SWEEP_ROWS })
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
    commits_lost: (await listGaps(db, 0)).length > 0,
  }
  return (Object.keys(found) as (keyof typeof found)[]).filter((kind) => found[kind])
}

/** Returns why none of these routes fetches captions now: a rest, or a day that is full; null where one does. */
export async function whyNoRoute(db: Db, routes: readonly string[]): Promise<string | null> {
  const states = await listRouteStates(db)
  const used = states.filter(({ name }) => routes.includes(name))
  const isAll = (some: RouteState[]): boolean => some.length > 0 && some.length === routes.length
  const resting = used.filter(({ restsUntil }) => restsUntil !== null)
  if (isAll(resting)) return 'Every egress route rests after a block.'
  const full = used.filter(({ restsUntil, roomAt }) => restsUntil !== null || roomAt !== null)
  return isAll(full) ? 'Every egress route rests, or its captions of the day are used up.' : null
}

/** Number of days from which the drift watch concludes what is usual. */
const USUAL_DAYS = 7

/**
 * Records what this process saw of the platform, and reads what all of them saw in the last days. After a failure the
 * counts are counted again with the next call.
 */
export async function recordShares(db: Db, book: ShareBook): Promise<void> {
  const counts = book.freshCounts()
  if (counts.length > 0) await addShares(db, counts)
  book.kept(counts)
  book.learn(await readShares(db, USUAL_DAYS))
  await sweepShares(db, USUAL_DAYS)
  await sweepTable(db, 'verdict_hour', { minSeconds: 24 * 3600, rowsMax: SWEEP_ROWS })
}

/** Returns a line for each route with a bound on its captions a day: how many came, and when it has room again. */
export function tellDays(routes: readonly RouteState[]): string[] {
  return routes.flatMap(({ name, captionsPerDay, captionsCame, roomAt }) => {
    if (captionsPerDay === null) return []
    const room = roomAt === null ? '' : `; room again at ${roomAt.toISOString()}`
    return [`route ${name}: ${captionsCame} of ${captionsPerDay} captions within a day${room}`]
  })
}

/** Reads what the database notes of the platform: the routes' days, and the canary's line where one is kept. */
export async function readPlatformNotes(db: Db): Promise<{ captions: string[]; canary?: string }> {
  const captions = tellDays(await listRouteStates(db))
  const canary = await readCanary(db)
  return canary === null ? { captions } : { captions, canary: canaryLine(canary) }
}

const INCIDENTS_SHOWN = 20
/** Number of lost entries that are read for each failover. */
const LOST_ENTRIES_SHOWN = 3

/** How the service is: what waits, what came of the last day's videos, and how the egress routes stand. */
export type ServiceHealth = Awaited<ReturnType<typeof readHealth>>

export async function readHealth(db: Db) {
  return {
    observed: await readObservations(db, { withSums: false }),
    hours: await listHours(db),
    routes: await listRouteStates(db),
    /** How often each answer came for each part of the platform, in all and in each of `hours`. */
    verdicts: await readHourlyCounts(db),
    incidents: await listIncidents(db, { days: LIMITS.statusDays, limit: INCIDENTS_SHOWN }),
    gaps: await listGaps(db, LOST_ENTRIES_SHOWN),
  }
}

const INCIDENTS_MAX = 200

/** Figures of the public status page: of the whole service, and nothing of any customer. */
export type ServiceStatus = Awaited<ReturnType<typeof readStatus>>

export async function readStatus(db: Db, now: Date) {
  const days = LIMITS.statusDays
  return {
    readAt: now,
    /** Days, oldest first; a day on which nothing ran is missing. */
    days: await listDays(db, days),
    /** Incidents, newest first. */
    incidents: await listIncidents(db, { days, limit: INCIDENTS_MAX }),
  }
}

export type Observations = Awaited<ReturnType<typeof readObservations>>

/**
 * Reads the observations. The sums read every balance, entry and size of a file, so a caller asks for them
 * (`withSums`) at long intervals only.
 */
export async function readObservations(db: Db, { withSums }: { withSums: boolean }) {
  const jobs = await observeJobs(db)
  const deliveries = await observeDeliveries(db, { perWebhook: LIMITS.deliveriesPerWebhook })
  const subscriptions = await observeSubscriptions(db)
  /** Events about money that were refused within the last day. */
  const refusedPayments = await countRefusedEvents(db, 24)
  /** The result of the canary; null where none is kept. */
  const canary = await readCanary(db)
  /** Failovers that lost something, until an operator accepts it. */
  const gaps = (await listGaps(db, 0)).length
  const server = await observeServer(db)
  const observed = { jobs, deliveries, subscriptions, refusedPayments, canary, gaps, server }
  if (!withSums) return { ...observed, sums: null }
  const [ledger, topShares] = [await observeLedger(db), await observeTopShares(db)]
  return { ...observed, sums: { ...ledger, topShares, databaseBytes: await readDatabaseBytes(db) } }
}

/**
 * Reads which versions of its apps the platform no longer accepts, as all workers noticed. Returns since when a version
 * is retired; null where it is not, as far as is known.
 */
export async function readRetired(
  db: Db,
): Promise<(client: { name: string; version: string }) => Date | null> {
  const rows = await listRetired(db)
  return ({ name, version }) =>
    rows.find((row) => row.name === name && row.version === version)?.retiredAt ?? null
}
