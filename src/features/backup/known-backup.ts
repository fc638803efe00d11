/** A backup as its first line tells of it, and until when it may be kept. */

export type KnownBackup = { file: string; createdAt: Date }

/** One with the day on which it becomes older than backups are to become. */
export type DatedBackup = KnownBackup & { removeBy: Date }

const MS_PER_DAY = 86_400_000

export function datedBackup(backup: KnownBackup, days: number): DatedBackup {
  return { ...backup, removeBy: new Date(backup.createdAt.getTime() + days * MS_PER_DAY) }
}

/** Those that were written since then, as a sentence for the log of acts; null where there is none. */
export function sentenceOfBackups(backups: readonly DatedBackup[], since: Date): string | null {
  const holding = backups
    .filter(({ createdAt }) => createdAt >= since)
    .map(({ file, removeBy }) => `${file} (remove it by ${removeBy.toISOString()})`)
  return holding.length === 0 ? null : `backups still hold it: ${holding.join(', ')}`
}
