/** How the service is: what waits, what came of the last day's videos, how the ways to the platform stand. */
import { LIMITS } from '../config.ts'
import type { Db } from '../postgres/database.ts'
import { type Incident, listIncidents } from '../store/incidents.ts'
import { listRouteStates, type RouteState } from '../store/route-states.ts'
import { listHours, type Outcomes } from '../store/service-days.ts'
import { readShares } from '../store/verdict-shares.ts'
import { type Observations, readObservations } from './read-observations.ts'

const INCIDENTS_SHOWN = 20

/** How often each answer came for one part of the platform, today and the days before it (UTC). */
export type VerdictCount = { part: string; verdict: string; answers: number }

export type ServiceHealth = {
  observed: Observations
  hours: (Outcomes & { at: Date })[]
  routes: RouteState[]
  verdicts: VerdictCount[]
  incidents: Incident[]
}

export async function readHealth(db: Db): Promise<ServiceHealth> {
  return {
    observed: await readObservations(db, { withSums: false }),
    hours: await listHours(db),
    routes: await listRouteStates(db),
    verdicts: await readShares(db, 1),
    incidents: await listIncidents(db, { days: LIMITS.statusDays, limit: INCIDENTS_SHOWN }),
  }
}
