/**
 * What the process measures, for Prometheus: HTTP times, platform requests, rows; and, read from the database at a
 * scrape, what all processes share: jobs by state, queue age, the ledger's sums.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry, collectDefaultMetrics } from 'prom-client'
import type { GaugeLook } from '../model/operator/alert.ts'
import type { WatchedShare } from '../model/platform/drift-line.ts'
import type { DriftWatch } from '../platform/drift/drift-watch.ts'
import { isDatabaseAway } from '../kit/postgres/database.ts'
import type { Db } from '../store/database.ts'
import { type Maker, makerIn } from './maker.ts'
import { type MetricSources, openSharedGauges } from './shared-gauges.ts'

/** How long a scrape waits for the database: well below the ten seconds that Prometheus waits for a scrape. */
const SHARED_READ_MS = 5_000

const HTTP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const PLATFORM_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(sources: MetricSources = { backupDir: null, lookAtHosts: null }) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = makerIn(registry)
  const shared = openSharedGauges(make, sources)
  const drifts = createDriftGauges(make)
  let underWay: Promise<true> | null = null

  async function readAnew(db: Db, { now, watch }: Reading): Promise<void> {
    setDriftGauges(drifts, watch)
    underWay ??= shared.read(db, now).finally(() => (underWay = null))
    const late = sleep(SHARED_READ_MS, false, { ref: false })
    const isRead = await Promise.race([underWay, late]).catch((error: unknown) => {
      if (isDatabaseAway(error)) return false
      throw error
    })
    if (!isRead) shared.clear()
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

function createReadinessMetrics(make: Maker) {
  return {
    ready: make.gauge(
      'scriptorium_ready',
      '1 while this process can serve; 0 where /readyz names what is missing',
    ),
    textStoreAway: make.gauge(
      'scriptorium_text_store_away',
      '1 while TEXT_STORE did not do what this process last asked of it; /readyz says why',
    ),
    commitsHang: make.gauge(
      'scriptorium_commits_hang',
      '1 while commits of this process do not return: the standby that must confirm is away, or the disk hangs',
    ),
  }
}

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
    ...createReadinessMetrics(make),
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

function createDriftGauges({ gauge }: Maker) {
  const labels = ['question', 'client', 'route', 'verdict'] as const
  return {
    share: gauge(
      'scriptorium_verdict_share',
      'Share of a verdict among the last answers of a client, a route, or all, from 0 to 1',
      labels,
    ),
    usual: gauge(
      'scriptorium_verdict_usual_share',
      'Share of the same verdict in the last days, from 0 to 1',
      labels,
    ),
    drift: gauge(
      'scriptorium_platform_drift',
      '1 while a verdict is far more frequent than in the last days; /readyz?verbose says it in words',
      labels,
    ),
  }
}

/** Sets the gauges. The labels of shares over all clients and routes are empty. */
function setDriftGauges(
  { share, usual, drift }: ReturnType<typeof createDriftGauges>,
  watch: DriftWatch,
): void {
  for (const each of [share, usual, drift]) each.reset()
  for (const watched of watch.shares()) {
    share.set(labelsOf(watched), watched.share)
    usual.set(labelsOf(watched), watched.usual)
  }
  for (const found of watch.drifts()) drift.set(labelsOf(found), 1)
}

function labelsOf({ question, client, route, verdict }: WatchedShare) {
  return { question, client: client ?? '', route: route ?? '', verdict }
}
