/** Alerts of the servers that keep what customers own: the database, its copies and backups, and the store of texts. */
import type { Alert } from './alert.ts'

export const ALERTS_OF_STORES: readonly Alert[] = [
  {
    name: 'ScriptoriumTwoPrimaries',
    remark: 'Needs DATABASE_URL with all hosts.',
    when: [{ gauge: 'scriptorium_primaries', is: '>', than: 1 }],
    severity: 'page',
    summary: 'More than one host of DATABASE_URL takes writes',
    action: 'Stop the one with the lower timeline at once: the other never has what it writes.',
  },
  {
    name: 'ScriptoriumCommitsHang',
    remark: 'Prometheus alone tells it: a mail is a commit, too.',
    expr: 'max(scriptorium_commits_hang) > 0',
    forMinutes: 1,
    severity: 'page',
    summary: 'Commits do not return: the standby that must confirm is away, or the disk hangs',
    action:
      'Bring the standby back, or take it out of synchronous_standby_names, after which the loss of the primary loses commits. Until then writes are answered 503 and jobs wait.',
  },
  {
    name: 'ScriptoriumStandbyGone',
    expr: 'max(max_over_time(scriptorium_standbys[6h])) > max(scriptorium_standbys)',
    forMinutes: 5,
    severity: 'ticket',
    summary: 'Fewer standbys are connected than within the last six hours',
    action:
      'After a failover, make the old primary a standby again: the loss of one more host may lose all since the last backup.',
  },
  {
    name: 'ScriptoriumStandbyLags',
    when: [{ gauge: 'scriptorium_standby_lag_bytes', is: '>', than: 1_000_000_000 }],
    forMinutes: 10,
    severity: 'ticket',
    summary: 'A standby has not applied the last gigabyte of WAL',
    action: 'Look at its log, its disk and long queries there; pg_stat_replication names it.',
  },
  {
    name: 'ScriptoriumWalKept',
    when: [{ gauge: 'scriptorium_wal_slot_bytes', is: '>', than: 10_000_000_000 }],
    forMinutes: 10,
    severity: 'ticket',
    summary: 'A replication slot keeps over ten gigabytes of WAL on the disk of the primary',
    action: 'Bring back its reader, drop it (pg_replication_slots) or set max_slot_wal_keep_size.',
  },
  {
    name: 'ScriptoriumConnectionsUsedUp',
    expr: 'max(scriptorium_database_connections_used) / max(scriptorium_database_connections_max) > 0.9',
    forMinutes: 5,
    severity: 'ticket',
    summary: 'Over nine tenths of the connections of the database are in use',
    action:
      'Raise max_connections or lower DATABASE_POOL; pg_stat_activity names who is connected.',
  },
  {
    name: 'ScriptoriumBackupOld',
    remark: 'Needs BACKUP_DIR. Raise the threshold if you back up less often than daily.',
    when: [{ gauge: 'scriptorium_backup_age_seconds', is: '>', than: 26 * 3600 }],
    forMinutes: 5,
    severity: 'ticket',
    summary: 'The newest backup in BACKUP_DIR is older than 26 hours',
    action: 'See why the regular one did not run; `admin backup FILE` makes one.',
  },
  {
    name: 'ScriptoriumTextStoreAway',
    when: [{ gauge: 'scriptorium_text_store_away', is: '==', than: 1 }],
    forMinutes: 2,
    severity: 'page',
    summary: 'The object store of texts does not do what it is asked',
    action:
      '/readyz and the log say why (`older texts are answered 503`). Texts that lie there are answered 503 meanwhile; orders, jobs and searches go on.',
  },
]
