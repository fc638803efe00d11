/** Gauges of the database's server, and of the newest backup. What is not known has no value. */
import { findNewestBackup } from '../features/backup/list-backups.ts'
import { observeServer, readDatabaseBytes } from '../features/operator/service.ts'
import type { Db } from '../store/database.ts'
import type { Maker } from './maker.ts'

/** How often, at most, the server adds up the sizes of its files, and the folder of backups is read. */
const FILES_READ_EVERY_MS = 60_000

type Fact =
  keyof Awaited<ReturnType<typeof observeServer>> | 'bytes' | 'backupSeconds' | 'primaries'

export type MetricSources = {
  /** Null where backups are kept elsewhere, if any. */
  backupDir: string | null
  /** Asks all hosts of DATABASE_URL; null where there is but one. */
  lookAtHosts: (() => Promise<readonly { found: { isWritable: boolean } | null }[]>) | null
}

const GAUGES: Record<Fact, [name: string, help: string]> = {
  timeline: ['database_timeline', 'Timeline of the database; a failover adds 1'],
  bytes: ['database_bytes', 'Size of the database on disk'],
  connectionsUsed: ['database_connections_used', 'Connections to all databases of the server'],
  connectionsMax: ['database_connections_max', 'Connections for those who are no superusers'],
  slotBytes: ['wal_slot_bytes', 'WAL kept for the replication slot that is furthest behind'],
  standbys: ['standbys', 'Standbys connected; absent, as their lag, without the role pg_monitor'],
  standbysConfirming: ['standbys_confirming', 'Connected standbys that may confirm a commit'],
  standbysWanted: ['standbys_wanted', 'Standbys that must confirm (synchronous_standby_names)'],
  lagBytes: ['standby_lag_bytes', 'WAL that the standby furthest behind has not applied'],
  lagSeconds: ['standby_lag_seconds', 'Time that the slowest standby took to apply a commit'],
  primaries: ['primaries', 'Hosts of DATABASE_URL that take writes, where it has several'],
  backupSeconds: ['backup_age_seconds', 'Age of the newest backup in BACKUP_DIR, where one is'],
}

export function openServerGauges(make: Maker, { backupDir, lookAtHosts }: MetricSources) {
  const facts = Object.keys(GAUGES) as Fact[]
  const gauges = facts.map((fact) => {
    const [name, help] = GAUGES[fact]
    return { fact, gauge: make.gauge(`scriptorium_${name}`, help) }
  })
  let files: { readAt: Date; bytes: number; backupAt: Date | null } | null = null
  let primaries: number | null = null
  let looking: Promise<void> | null = null

  /** A host that is away takes its time, so its answer is for the next scrape. */
  async function countPrimaries(): Promise<void> {
    const hosts = await lookAtHosts?.().catch(() => undefined)
    primaries = hosts?.filter(({ found }) => found?.isWritable).length ?? null
    looking = null
  }

  return {
    gauges: gauges.map(({ gauge }) => gauge),
    async read(db: Db, now: Date): Promise<void> {
      if (files === null || now.getTime() - files.readAt.getTime() >= FILES_READ_EVERY_MS) {
        const backupAt = backupDir === null ? null : await findNewestBackup(backupDir)
        files = { readAt: now, bytes: await readDatabaseBytes(db), backupAt }
      }
      looking ??= countPrimaries()
      const { bytes, backupAt } = files
      const backupSeconds = backupAt && (now.getTime() - backupAt.getTime()) / 1000
      const found = { ...(await observeServer(db)), bytes, backupSeconds, primaries }
      for (const { fact, gauge } of gauges) {
        const { [fact]: value } = found
        if (value === null) gauge.remove()
        else gauge.set(value)
      }
    },
  }
}
