/**
 * What the process measures, for Prometheus: HTTP times, platform requests, rows; and, read from the database at a
 * scrape, what all processes share: jobs by state, queue age, the ledger's sums.
 */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Db } from '../store/database.ts'
import type { DriftWatch } from '../platform/drift/drift-watch.ts'
import { createDriftGauges, setDriftGauges } from './drift-gauges.ts'
import { SUBSCRIPTION_STATES } from '../model/follow/subscription.ts'
import { type Observations, readObservations } from '../features/operator/service.ts'

/** How often, at most, the whole ledger is added up, since that is work. */
const LEDGER_SUM_EVERY_MS = 300_000

export type Metrics = {
  registry: Registry
  httpSeconds: Histogram<'route' | 'method' | 'status'>
  eventStreams: Gauge
  ready: Gauge
  rows: Counter<'status'>
  jobsEnded: Counter<'state'>
  jobsParked: Counter
  mails: Counter<'outcome'>
  platformRequests: Counter<'client' | 'route' | 'outcome'>
  /** Zero from the start for each route: a counter that begins with its first fault has no rise that could be seen. */
  platformObstacles: Counter<'route'>
  platformSeconds: Histogram<'call'>
  platformBytes: Counter<'route'>
  egressRoutes: Gauge
  fieldMasksOff: Gauge
  webhookAttempts: Counter<'outcome'>
  previewsAsked: Counter<'answer'>
  previewsEnded: Counter<'outcome'>
  trialsAsked: Counter<'answer'>
  trialsEnded: Counter<'outcome'>
  looks: Counter<'outcome'>
  /** Returns the text of all of them, with the shared ones read anew. */
  print(db: Db, at: { now: Date; watch: DriftWatch }): Promise<string>
}

const HTTP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const PLATFORM_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const shared = createSharedGauges(registers)
  const drifts = createDriftGauges(registers)
  let ledgerReadAt = -Infinity

  return {
    registry,
    ...createHttpMetrics(registers),
    ...createPreviewMetrics(registers),
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
    jobsParked: new Counter({
      name: 'scriptorium_jobs_parked_total',
      help: 'Jobs that gave their place in this process to others that waited, and wait with their cursor',
      registers,
    }),
    mails: new Counter({
      name: 'scriptorium_mails_total',
      help: 'Attempts to send an email, by outcome: sent, failed (tried again later), given_up',
      labelNames: ['outcome'],
      registers,
    }),
    ...createPlatformMetrics(registers),
    ...createWorkerGauges(registers),
    async print(db, { now, watch }) {
      setDriftGauges(drifts, watch)
      const withSums = now.getTime() - ledgerReadAt >= LEDGER_SUM_EVERY_MS
      if (withSums) ledgerReadAt = now.getTime()
      const { sums, ...observed } = await readObservations(db, { withSums })
      setJobs(shared, observed)
      setSubscriptions(shared, observed)
      if (sums !== null) setSums(shared, sums)
      return registry.metrics()
    },
  }
}

function createPlatformMetrics(registers: Registry[]) {
  return {
    platformRequests: new Counter({
      name: 'scriptorium_platform_requests_total',
      help: 'Requests to the platform, by client, egress route and outcome',
      labelNames: ['client', 'route', 'outcome'],
      registers,
    }),
    platformObstacles: new Counter({
      name: 'scriptorium_platform_obstacles_total',
      help: 'Requests to the platform that met an obstacle, by egress route',
      labelNames: ['route'],
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
  }
}

function createWorkerGauges(registers: Registry[]) {
  return {
    egressRoutes: new Gauge({
      name: 'scriptorium_egress_routes',
      help: 'Egress routes that this process may use; 0 without the role worker',
      registers,
    }),
    looks: new Counter({
      name: 'scriptorium_looks_total',
      help: 'Looks of this process at followed lists, by outcome; mails about them are `mailed`',
      labelNames: ['outcome'],
      registers,
    }),
    fieldMasksOff: new Gauge({
      name: 'scriptorium_platform_field_masks_off',
      help: '1 in a process that switched field masks off, since the platform refused them or kept something back',
      registers,
    }),
  }
}

function createPreviewMetrics(registers: Registry[]) {
  return {
    previewsAsked: new Counter({
      name: 'scriptorium_previews_asked_total',
      help: 'Previews that callers asked this process for: `started`, `known` within the hour, or `limited`',
      labelNames: ['answer'],
      registers,
    }),
    previewsEnded: new Counter({
      name: 'scriptorium_previews_ended_total',
      help: 'Previews that this process listed: `ready`, `late` (no time or place was left) or `failed`',
      labelNames: ['outcome'],
      registers,
    }),
    trialsAsked: new Counter({
      name: 'scriptorium_trials_asked_total',
      help: 'Videos that visitors without an account asked for: `started`, `known`, `limited` (their network), `full` (TRIALS_PER_HOUR or TRIALS_PER_DAY) or `unusable`',
      labelNames: ['answer'],
      registers,
    }),
    trialsEnded: new Counter({
      name: 'scriptorium_trials_ended_total',
      help: 'Trials that this process read: `read`, `refused`, `obstructed`, `late` (no time or place was left) or `failed`',
      labelNames: ['outcome'],
      registers,
    }),
  }
}

function createHttpMetrics(registers: Registry[]) {
  return {
    httpSeconds: new Histogram({
      name: 'scriptorium_http_request_seconds',
      help: 'Time to answer, by route, method and status',
      labelNames: ['route', 'method', 'status'],
      buckets: HTTP_BUCKETS,
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'scriptorium_webhook_attempts_total',
      help: 'Attempts of this process to tell webhooks of jobs, by outcome; mails are `mailed`',
      labelNames: ['outcome'],
      registers,
    }),
    ready: new Gauge({
      name: 'scriptorium_ready',
      help: '1 while this process can serve; 0 where /readyz names what is missing',
      registers,
    }),
    eventStreams: new Gauge({
      name: 'scriptorium_event_streams',
      help: 'Event streams that this process has open',
      registers,
    }),
  }
}

function setJobs(
  shared: ReturnType<typeof createSharedGauges>,
  { jobs, deliveries }: Pick<Observations, 'jobs' | 'deliveries'>,
): void {
  for (const { state, count } of jobs.states) shared.jobs.set({ state }, count)
  shared.queueSeconds.set(jobs.oldestQueuedSeconds)
  shared.resting.set(jobs.restingRoutes)
  shared.suspended.set(jobs.suspendedAccounts)
  shared.deliveriesPending.set(deliveries.pending)
  shared.deliveryDueSeconds.set(deliveries.oldestDueSeconds)
  shared.webhooksFailing.set(deliveries.failingWebhooks)
}

function setSubscriptions(
  shared: ReturnType<typeof createSharedGauges>,
  { subscriptions }: Pick<Observations, 'subscriptions'>,
): void {
  for (const state of SUBSCRIPTION_STATES) shared.subscriptions.set({ state }, 0)
  for (const { state, count } of subscriptions.states) shared.subscriptions.set({ state }, count)
  shared.lookDueSeconds.set(subscriptions.oldestDueSeconds)
}

function setSums(
  shared: ReturnType<typeof createSharedGauges>,
  sums: NonNullable<Observations['sums']>,
): void {
  shared.balances.set(Number(sums.balancesMicros))
  shared.difference.set(Number(sums.balancesMicros - sums.entriesMicros))
  for (const [of, share] of Object.entries(sums.topShares)) shared.topShare.set({ of }, share)
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
    deliveriesPending: gauge(
      'scriptorium_webhook_deliveries_pending',
      'Deliveries to active webhooks that are to be sent, or sent again',
    ),
    deliveryDueSeconds: gauge(
      'scriptorium_webhook_due_age_seconds',
      'How long the oldest delivery is overdue whose webhook has room for it',
    ),
    webhooksFailing: gauge(
      'scriptorium_webhooks_failing',
      'Active webhooks whose latest delivery did not succeed',
    ),
    subscriptions: new Gauge({
      name: 'scriptorium_subscriptions',
      help: 'Subscriptions of all accounts, by state',
      labelNames: ['state'],
      registers,
    }),
    lookDueSeconds: gauge(
      'scriptorium_look_due_age_seconds',
      'How long the look at a followed list is overdue that waits longest',
    ),
    balances: gauge('scriptorium_balances_micros', 'What all accounts own, in millionths of a USD'),
    difference: gauge(
      'scriptorium_ledger_difference_micros',
      'Balances less ledger entries: anything but 0 is a fault',
    ),
  }
}
