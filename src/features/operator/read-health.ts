/** How the service is: what waits, what came of the last day's videos, how the ways to the platform stand. */
import { LIMITS } from '../../kit/config/config.ts'
import { CONTENT_ANSWERS } from '../../model/platform/usual.ts'
import type { Db } from '../../store/database.ts'
import { type Incident, listIncidents } from '../../store/incidents.ts'
import { listRouteStates, type RouteState } from '../../store/route-states.ts'
import { listHours, type Outcomes } from '../../store/service-days.ts'
import { type HourlyCount, readHourlyCounts } from '../../store/verdict-shares.ts'
import { type Observations, readObservations } from './read-observations.ts'

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
  const verdicts = await readHourlyCounts(db)
  return {
    observed: await readObservations(db, { withSums: false }),
    hours: await listHours(db),
    routes: await listRouteStates(db),
    verdicts: verdicts.filter(({ verdict }) => verdict !== CONTENT_ANSWERS),
    incidents: await listIncidents(db, { days: LIMITS.statusDays, limit: INCIDENTS_SHOWN }),
  }
}
