/**
 * Records for the status page what became final today, and what is wrong for everybody. Every worker calls it
 * each minute: what was wrong is reported by whoever met it, the day is counted by one of them.
 */
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import {
  type IncidentKind,
  insertPause,
  reportIncidents,
  sweepIncidents,
} from '../../store/incidents.ts'
import { observeJobs } from '../../store/observations.ts'
import { listRouteStates } from '../../store/route-states.ts'
import { lockDays, readSilence, recordDays } from '../../store/service-days.ts'

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
