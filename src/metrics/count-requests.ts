/** Counts requests to the platform as they are reported. */
import type { RequestReport } from '../platform/youtube/session.ts'
import type { Metrics } from './metrics.ts'

/** Returns what counts a request. `routes` are names: each has its counters from the start. */
export function countRequests(
  metrics: Metrics,
  routes: readonly string[],
): (report: RequestReport) => void {
  const { platformRequests, platformObstacles, platformSeconds, platformBytes } = metrics
  metrics.egressRoutes.set(routes.length)
  for (const route of routes) platformObstacles.inc({ route }, 0)
  return ({ call, client, route, outcome, ms, bytes }) => {
    platformRequests.inc({ client, route, outcome })
    if (outcome !== 'ok') platformObstacles.inc({ route })
    platformSeconds.observe({ call }, ms / 1000)
    platformBytes.inc({ route }, bytes)
  }
}
