/**
 * What the process measures, for Prometheus: HTTP times, platform requests, rows; and, read from the database at a
 * scrape, what all processes share: jobs by state, queue age, the ledger's sums.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry, collectDefaultMetrics } from 'prom-client'
import { type Observations, readObservations } from '../features/operator/service.ts'
import type { GaugeLook } from '../model/operator/alert.ts'
import { SUBSCRIPTION_STATES } from '../model/follow/subscription.ts'
import type { DriftWatch } from '../platform/drift/drift-watch.ts'
import { isDatabaseAway } from '../kit/postgres/database.ts'
import type { Db } from '../store/database.ts'
import { createDriftGauges, setDriftGauges } from './drift-gauges.ts'
import { type Maker, makerIn } from './maker.ts'
import { type MetricSources, openServerGauges } from './server-gauges.ts'

/** How often, at most, the whole ledger is added up, since that is work. */
const LEDGER_SUM_EVERY_MS = 300_000
/** How long a scrape waits for the database: well below the ten seconds that Prometheus waits for a scrape. */
const SHARED_READ_MS = 5_000

const HTTP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const PLATFORM_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(sources: MetricSources = { backupDir: null, lookAtHosts: null }) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = makerIn(registry)
  const shared = createSharedGauges(make)
  const server = openServerGauges(make, sources)
  const drifts = createDriftGauges(make)
  let ledgerReadAt = -Infinity
  let underWay: Promise<boolean> | null = null

  async function readShared(db: Db, now: Date): Promise<boolean> {
    const withSums = now.getTime() - ledgerReadAt >= LEDGER_SUM_EVERY_MS
    if (withSums) ledgerReadAt = now.getTime()
    setShared(shared, await readObservations(db, { withSums }))
    await server.read(db, now)
    return true
  }

  async function readAnew(db: Db, { now, watch }: Reading): Promise<void> {
    setDriftGauges(drifts, watch)
    underWay ??= readShared(db, now).finally(() => (underWay = null))
    const late = sleep(SHARED_READ_MS, false, { ref: false })
    const isRead = await Promise.race([underWay, late]).catch((error: unknown) => {
      if (isDatabaseAway(error)) return false
      throw error
    })
    if (isRead) return
    for (const gauge of [...Object.values(shared), ...server.gauges]) {
      gauge.reset()
      gauge.remove({}) // a reset leaves a 0 where there are no labels
    }
  }

  return {
    registry,
    ...createServiceMetrics(make),
    ...createPlatformMetrics(make),
    /** Returns the text of all of them, with the shared ones read anew; without these while the database is away. */
    async print(db: Db, reading: Reading): Promise<string> {
      await readAnew(db, reading)
      return registry.metrics()
    },
    /** Returns their present values in the same way. */
    async look(db: Db, reading: Reading): Promise<GaugeLook> {
      await readAnew(db, reading)
      const all = await registry.getMetricsAsJSON()
      return new Map(all.map(({ name, values }) => [name, values]))
    },
  }
}

type Reading = { now: Date; watch: DriftWatch }

function createServiceMetrics(make: Maker) {
  return {
    httpSeconds: make.histogram(
      'scriptorium_http_request_seconds',
      'Time to answer, by route, method and status',
      { buckets: HTTP_BUCKETS, labels: ['route', 'method', 'status'] },
    ),
    eventStreams: make.gauge(
      'scriptorium_event_streams',
      'Event streams that this process has open',
    ),
    ready: make.gauge(
      'scriptorium_ready',
      '1 while this process can serve; 0 where /readyz names what is missing',
    ),
    commitsHang: make.gauge(
      'scriptorium_commits_hang',
      '1 while commits of this process do not return: the standby that must confirm is away, or the disk hangs',
    ),
    rows: make.counter('scriptorium_rows_total', 'Rows of the jobs this process ended, by status', [
      'status',
    ]),
    jobsEnded: make.counter(
      'scriptorium_jobs_ended_total',
      'Jobs this process ended, by final state',
      ['state'],
    ),
    jobsParked: make.counter(
      'scriptorium_jobs_parked_total',
      'Jobs that gave their place in this process to others that waited, and wait with their cursor',
    ),
    mails: make.counter(
      'scriptorium_mails_total',
      'Attempts to send an email, by outcome: sent, failed (tried again later), given_up',
      ['outcome'],
    ),
    webhookAttempts: make.counter(
      'scriptorium_webhook_attempts_total',
      'Attempts of this process to tell webhooks of jobs, by outcome; mails are `mailed`',
      ['outcome'],
    ),
    looks: make.counter(
      'scriptorium_looks_total',
      'Looks of this process at followed lists, by outcome; mails about them are `mailed`',
      ['outcome'],
    ),
    previewsAsked: make.counter(
      'scriptorium_previews_asked_total',
      'Previews that callers asked this process for: `started`, `known` within the hour, or `limited`',
      ['answer'],
    ),
    previewsEnded: make.counter(
      'scriptorium_previews_ended_total',
      'Previews that this process listed: `ready`, `late` (no time or place was left) or `failed`',
      ['outcome'],
    ),
    trialsAsked: make.counter(
      'scriptorium_trials_asked_total',
      'Videos that visitors without an account asked for: `started`, `known`, `limited` (their network), `full` (TRIALS_PER_HOUR or TRIALS_PER_DAY) or `unusable`',
      ['answer'],
    ),
    trialsEnded: make.counter(
      'scriptorium_trials_ended_total',
      'Trials that this process read: `read`, `refused`, `obstructed`, `late` (no time or place was left) or `failed`',
      ['outcome'],
    ),
  }
}

function createPlatformMetrics(make: Maker) {
  return {
    platformRequests: make.counter(
      'scriptorium_platform_requests_total',
      'Requests to the platform, by client, egress route and outcome',
      ['client', 'route', 'outcome'],
    ),
    /** Zero from the start for each route: a counter that begins with its first fault has no rise to be seen. */
    platformObstacles: make.counter(
      'scriptorium_platform_obstacles_total',
      'Requests to the platform that met an obstacle, by egress route',
      ['route'],
    ),
    platformSeconds: make.histogram(
      'scriptorium_platform_request_seconds',
      'Time of a request to the platform, by call',
      { buckets: PLATFORM_BUCKETS, labels: ['call'] },
    ),
    platformBytes: make.counter(
      'scriptorium_platform_bytes_total',
      'Bytes received from the platform, compressed, by egress route',
      ['route'],
    ),
    proofTokens: make.counter(
      'scriptorium_platform_proof_tokens_total',
      'Tokens of proof that this process asked of PO_TOKEN_URL: `given` or `refused`',
      ['outcome'],
    ),
    egressRoutes: make.gauge(
      'scriptorium_egress_routes',
      'Egress routes that this process may use; 0 without the role worker',
    ),
    fieldMasksOff: make.gauge(
      'scriptorium_platform_field_masks_off',
      '1 in a process that switched field masks off, since the platform refused them or kept something back',
    ),
  }
}

function createSharedGauges(make: Maker) {
  return {
    jobs: make.gauge('scriptorium_jobs', 'Unsettled jobs of all processes, by state', ['state']),
    queueSeconds: make.gauge(
      'scriptorium_queue_age_seconds',
      'Age of the oldest job that waits for a worker',
    ),
    resting: make.gauge(
      'scriptorium_egress_routes_resting',
      'Egress routes that rest after a block',
    ),
    suspended: make.gauge('scriptorium_accounts_suspended', 'Accounts that an operator suspended'),
    topShare: make.gauge(
      'scriptorium_top_account_share',
      "The largest account's part of what all used today and yesterday (UTC), from 0 to 1; `admin usage` names it",
      ['of'],
    ),
    deliveriesPending: make.gauge(
      'scriptorium_webhook_deliveries_pending',
      'Deliveries to active webhooks that are to be sent, or sent again',
    ),
    deliveryDueSeconds: make.gauge(
      'scriptorium_webhook_due_age_seconds',
      'How long the oldest delivery is overdue whose webhook has room for it',
    ),
    webhooksFailing: make.gauge(
      'scriptorium_webhooks_failing',
      'Active webhooks whose latest delivery did not succeed',
    ),
    canaryFailing: make.gauge(
      'scriptorium_canary_failing_cases',
      'Cases of the canary (CANARY_HOURS) that did not come as they should at its last run',
    ),
    subscriptions: make.gauge(
      'scriptorium_subscriptions',
      'Subscriptions of all accounts, by state',
      ['state'],
    ),
    lookDueSeconds: make.gauge(
      'scriptorium_look_due_age_seconds',
      'How long the look at a followed list is overdue that waits longest',
    ),
    balances: make.gauge(
      'scriptorium_balances_micros',
      'What all accounts own, in millionths of a USD',
    ),
    paymentsRefused: make.gauge(
      'scriptorium_payment_events_refused',
      'Events about money that were refused within the last day; `admin payment claims` names them',
    ),
    gaps: make.gauge('scriptorium_failovers_lossy', 'Failovers that lost what was told'),
    difference: make.gauge(
      'scriptorium_ledger_difference_micros',
      'Balances less ledger entries: anything but 0 is a fault',
    ),
  }
}

function setShared(
  shared: ReturnType<typeof createSharedGauges>,
  { jobs, deliveries, subscriptions, refusedPayments, canary, gaps, sums }: Observations,
): void {
  for (const { state, count } of jobs.states) shared.jobs.set({ state }, count)
  shared.queueSeconds.set(jobs.oldestQueuedSeconds)
  shared.resting.set(jobs.restingRoutes)
  shared.suspended.set(jobs.suspendedAccounts)
  shared.deliveriesPending.set(deliveries.pending)
  shared.deliveryDueSeconds.set(deliveries.oldestDueSeconds)
  shared.webhooksFailing.set(deliveries.failingWebhooks)
  for (const state of SUBSCRIPTION_STATES) shared.subscriptions.set({ state }, 0)
  for (const { state, count } of subscriptions.states) shared.subscriptions.set({ state }, count)
  shared.paymentsRefused.set(refusedPayments)
  shared.gaps.set(gaps)
  shared.canaryFailing.set(canary?.failing.length ?? 0)
  shared.lookDueSeconds.set(subscriptions.oldestDueSeconds)
  if (sums === null) return
  shared.balances.set(Number(sums.balancesMicros))
  shared.difference.set(Number(sums.balancesMicros - sums.entriesMicros))
  for (const [of, share] of Object.entries(sums.topShares)) shared.topShare.set({ of }, share)
}
