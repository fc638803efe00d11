/**
 * What the process measures, for Prometheus: HTTP times, platform requests, rows; and, read from the
 * database when somebody asks, what all processes share: jobs by state, queue age, the ledger's sums.
 */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { LIMITS } from '../config.ts'
import type { Db } from '../postgres/database.ts'
import { readObservations } from '../operator/read-observations.ts'

export type Metrics = {
  registry: Registry
  httpSeconds: Histogram<'route' | 'method' | 'status'>
  rows: Counter<'status'>
  jobsEnded: Counter<'state'>
  jobsYielded: Counter
  platformRequests: Counter<'client' | 'route' | 'outcome'>
  platformSeconds: Histogram<'call'>
  platformBytes: Counter<'route'>
  /** The text of all of them, with the shared ones read anew. */
  print(db: Db, now: Date): Promise<string>
}

const HTTP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const PLATFORM_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const shared = createSharedGauges(registers)
  let ledgerReadAt = -Infinity

  return {
    registry,
    httpSeconds: new Histogram({
      name: 'scriptorium_http_request_seconds',
      help: 'Time to answer, by route, method and status',
      labelNames: ['route', 'method', 'status'],
      buckets: HTTP_BUCKETS,
      registers,
    }),
    rows: new Counter({
      name: 'scriptorium_rows_total',
      help: 'Rows of the jobs this process ended, by status',
      labelNames: ['status'],
      registers,
    }),
    jobsEnded: new Counter({
      name: 'scriptorium_jobs_ended_total',
      help: 'Jobs this process ended, by final state',
      labelNames: ['state'],
      registers,
    }),
    jobsYielded: new Counter({
      name: 'scriptorium_jobs_yielded_total',
      help: 'Jobs that gave up their place in this process to others that waited',
      registers,
    }),
    platformRequests: new Counter({
      name: 'scriptorium_platform_requests_total',
      help: 'Requests to the platform, by client, egress route and outcome',
      labelNames: ['client', 'route', 'outcome'],
      registers,
    }),
    platformSeconds: new Histogram({
      name: 'scriptorium_platform_request_seconds',
      help: 'Time of a request to the platform, by call',
      labelNames: ['call'],
      buckets: PLATFORM_BUCKETS,
      registers,
    }),
    platformBytes: new Counter({
      name: 'scriptorium_platform_bytes_total',
      help: 'Bytes received from the platform, compressed, by egress route',
      labelNames: ['route'],
      registers,
    }),
    async print(db, now) {
      const withSums = now.getTime() - ledgerReadAt >= LIMITS.ledgerSumEveryMs
      if (withSums) ledgerReadAt = now.getTime()
      const { jobs, sums } = await readObservations(db, { withSums })
      for (const { state, count } of jobs.states) shared.jobs.set({ state }, count)
      shared.queueSeconds.set(jobs.oldestQueuedSeconds)
      shared.resting.set(jobs.restingRoutes)
      shared.suspended.set(jobs.suspendedAccounts)
      if (sums !== null) {
        shared.balances.set(Number(sums.balancesMicros))
        shared.difference.set(Number(sums.balancesMicros - sums.entriesMicros))
        for (const [of, share] of Object.entries(sums.topShares)) shared.topShare.set({ of }, share)
      }
      return registry.metrics()
    },
  }
}

function createSharedGauges(registers: Registry[]) {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers })
  return {
    jobs: new Gauge({
      name: 'scriptorium_jobs',
      help: 'Unsettled jobs of all processes, by state',
      labelNames: ['state'],
      registers,
    }),
    queueSeconds: gauge(
      'scriptorium_queue_age_seconds',
      'Age of the oldest job that waits for a worker',
    ),
    resting: gauge('scriptorium_egress_routes_resting', 'Egress routes that rest after a block'),
    suspended: gauge('scriptorium_accounts_suspended', 'Accounts that an operator suspended'),
    topShare: new Gauge({
      name: 'scriptorium_top_account_share',
      help: "The largest account's part of what all used today and yesterday (UTC), from 0 to 1; `admin usage` names it",
      labelNames: ['of'],
      registers,
    }),
    balances: gauge('scriptorium_balances_micros', 'What all accounts own, in millionths of a USD'),
    difference: gauge(
      'scriptorium_ledger_difference_micros',
      'Balances less ledger entries: anything but 0 is a fault',
    ),
  }
}
