/** Gauges of what all processes share, and of the newest backup. What is not known has no value. */
import { findNewestBackup } from '../features/backup/list-backups.ts'
import { type Observations, readObservations } from '../features/operator/service.ts'
import { SUBSCRIPTION_STATES } from '../model/follow/subscription.ts'
import type { Db } from '../store/database.ts'
import type { Maker } from './maker.ts'

/** How often, at most, ledger and files are added up and the folder of backups is read, since that is work. */
const SUMS_EVERY_MS = 300_000

export type MetricSources = {
  /** Null where backups are kept elsewhere, if any. */
  backupDir: string | null
  /** Asks all hosts of DATABASE_URL; null where there is but one. Never throws. */
  lookAtHosts: (() => Promise<readonly { found: { isWritable: boolean } | null }[]>) | null
}

/** Returns the value of each gauge without labels. */
function valuesOf({ jobs, deliveries, subscriptions, canary, server, ...rest }: Observations) {
  const { sums, refusedPayments, gaps } = rest
  return {
    ...server,
    queueSeconds: jobs.oldestQueuedSeconds,
    resting: jobs.restingRoutes,
    suspended: jobs.suspendedAccounts,
    deliveriesPending: deliveries.pending,
    deliveryDueSeconds: deliveries.oldestDueSeconds,
    webhooksFailing: deliveries.failingWebhooks,
    canaryFailing: canary?.failing.length ?? 0,
    lookDueSeconds: subscriptions.oldestDueSeconds,
    refusedPayments,
    gaps,
    balances: sums && Number(sums.balancesMicros),
    difference: sums && Number(sums.balancesMicros - sums.entriesMicros),
    databaseBytes: sums && sums.databaseBytes,
  }
}

type Fact = keyof ReturnType<typeof valuesOf> | 'primaries' | 'backupSeconds'

const GAUGES: Record<Fact, [name: string, help: string]> = {
  queueSeconds: ['queue_age_seconds', 'Age of the oldest job that waits for a worker'],
  resting: ['egress_routes_resting', 'Egress routes that rest after a block'],
  suspended: ['accounts_suspended', 'Accounts that an operator suspended'],
  deliveriesPending: [
    'webhook_deliveries_pending',
    'Deliveries to active webhooks that are to be sent, or sent again',
  ],
  deliveryDueSeconds: [
    'webhook_due_age_seconds',
    'How long the oldest delivery is overdue whose webhook has room for it',
  ],
  webhooksFailing: ['webhooks_failing', 'Active webhooks whose latest delivery did not succeed'],
  canaryFailing: [
    'canary_failing_cases',
    'Cases of the canary (CANARY_HOURS) that did not come as they should at its last run',
  ],
  lookDueSeconds: [
    'look_due_age_seconds',
    'How long the look at a followed list is overdue that waits longest',
  ],
  refusedPayments: [
    'payment_events_refused',
    'Events about money that were refused within the last day; `admin payment claims` names them',
  ],
  gaps: ['failovers_lossy', 'Failovers that lost what was told'],
  balances: ['balances_micros', 'What all accounts own, in millionths of a USD'],
  difference: [
    'ledger_difference_micros',
    'Balances less ledger entries: anything but 0 is a fault',
  ],
  databaseBytes: ['database_bytes', 'Size of the database on disk'],
  connectionsUsed: ['database_connections_used', 'Connections to all databases of the server'],
  connectionsMax: ['database_connections_max', 'Connections for those who are no superusers'],
  slotBytes: ['wal_slot_bytes', 'WAL kept for the replication slot that is furthest behind'],
  standbys: ['standbys', 'Standbys connected; absent, as their lag, without the role pg_monitor'],
  lagBytes: ['standby_lag_bytes', 'WAL that the standby furthest behind has not applied'],
  primaries: ['primaries', 'Hosts of DATABASE_URL that take writes, where it has several'],
  backupSeconds: ['backup_age_seconds', 'Age of the newest backup in BACKUP_DIR, where one is'],
}

export function openSharedGauges(make: Maker, { backupDir, lookAtHosts }: MetricSources) {
  const jobs = make.gauge('scriptorium_jobs', 'Unsettled jobs of all processes, by state', [
    'state',
  ])
  const subscriptions = make.gauge(
    'scriptorium_subscriptions',
    'Subscriptions of all accounts, by state',
    ['state'],
  )
  const topShare = make.gauge(
    'scriptorium_top_account_share',
    "The largest account's part of what all used today and yesterday (UTC), from 0 to 1; `admin usage` names it",
    ['of'],
  )
  const plain = (Object.keys(GAUGES) as Fact[]).map((fact) => {
    const [name, help] = GAUGES[fact]
    return { fact, gauge: make.gauge(`scriptorium_${name}`, help) }
  })
  let summedAtMs = -Infinity
  let sums: Observations['sums'] = null
  let backupAt: Date | null = null

  return {
    /** Reads and sets all of them. */
    async read(db: Db, now: Date): Promise<true> {
      const withSums = now.getTime() - summedAtMs >= SUMS_EVERY_MS
      if (withSums) summedAtMs = now.getTime()
      if (withSums && backupDir !== null) backupAt = await findNewestBackup(backupDir)
      const [seen, hosts] = await Promise.all([readObservations(db, { withSums }), lookAtHosts?.()])
      sums = seen.sums ?? sums
      for (const { state, count } of seen.jobs.states) jobs.set({ state }, count)
      for (const state of SUBSCRIPTION_STATES) subscriptions.set({ state }, 0)
      for (const { state, count } of seen.subscriptions.states) subscriptions.set({ state }, count)
      for (const [of, share] of Object.entries(sums?.topShares ?? {})) topShare.set({ of }, share)
      const values: Record<Fact, number | null> = {
        ...valuesOf({ ...seen, sums }),
        primaries: hosts?.filter(({ found }) => found?.isWritable).length ?? null,
        backupSeconds: backupAt && (now.getTime() - backupAt.getTime()) / 1000,
      }
      for (const { fact, gauge } of plain) {
        const { [fact]: value } = values
        if (value === null) gauge.remove()
        else gauge.set(value)
      }
      return true
    },
    /** Leaves all without a value. */
    clear(): void {
      for (const gauge of [jobs, subscriptions, topShare]) gauge.reset()
      for (const { gauge } of plain) gauge.remove()
    },
  }
}
