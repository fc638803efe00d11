/** The backups in BACKUP_DIR: which of them are too old, and which still hold accounts that were deleted since. */
import { type DatedBackup, datedBackup, type KnownBackup } from '../backup/known-backup.ts'
import { listBackups } from '../backup/list-backups.ts'
import type { Config } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { countDeletedSince } from '../../store/overviews.ts'

export type StoredBackup = DatedBackup & {
  /** Whether it is older than BACKUP_DAYS. */
  isDue: boolean
  /** How many accounts it still holds that were deleted after it was written. */
  deletedAccounts: number
}

export type Backups = {
  /** Null where BACKUP_DIR is not set. */
  folder: string | null
  /** Why the folder could not be read, as a sentence; null where it was. */
  problem: string | null
  /** Oldest first. */
  files: StoredBackup[]
}

export async function readBackups(
  db: Db,
  { BACKUP_DIR: folder, BACKUP_DAYS: days }: Pick<Config, 'BACKUP_DIR' | 'BACKUP_DAYS'>,
): Promise<Backups> {
  if (folder === null) return { folder, problem: null, files: [] }
  let known: KnownBackup[]
  try {
    known = await listBackups(folder)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { folder, problem: `BACKUP_DIR ${folder} cannot be read: ${why}`, files: [] }
  }
  const { now, counts } = await countDeletedSince(
    db,
    known.map(({ createdAt }) => createdAt),
  )
  const files = known.map((backup, at) => {
    const dated = datedBackup(backup, days)
    return { ...dated, isDue: dated.removeBy <= now, deletedAccounts: counts[at] ?? 0 }
  })
  return { folder, problem: null, files }
}
