/** What the public status page shows: days and incidents of the whole service, and nothing of any customer. */
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { type Incident, INCIDENT_KINDS, listIncidents } from '../../store/incidents.ts'
import { listDays, type ServiceDay } from '../../store/service-days.ts'

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
