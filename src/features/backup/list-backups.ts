/** The backups in a folder, and what is known of each: its day, and the words for it. */
import fs from 'node:fs/promises'
import path from 'node:path'
import { openBackup, UNFINISHED } from './backup.ts'
import { BackupReader } from './format.ts'

/** A backup as its first line describes it. */
export type KnownBackup = { file: string; createdAt: Date }

/** A backup with the day on which it reaches the age at which backups are removed. */
export type DatedBackup = KnownBackup & { removeBy: Date }

const MS_PER_DAY = 86_400_000

export function datedBackup(backup: KnownBackup, days: number): DatedBackup {
  return { ...backup, removeBy: new Date(backup.createdAt.getTime() + days * MS_PER_DAY) }
}

/** Returns the backups that were written since then, as a sentence for the log of acts; null where there is none. */
export function sentenceOfBackups(backups: readonly DatedBackup[], since: Date): string | null {
  const holding = backups
    .filter(({ createdAt }) => createdAt >= since)
    .map(({ file, removeBy }) => `${file} (remove it by ${removeBy.toISOString()})`)
  return holding.length === 0 ? null : `backups still hold it: ${holding.join(', ')}`
}

/**
 * Returns the backups in a folder, oldest first, found by their first lines, whatever their names; files that are no
 * backups are passed over. Throws where the folder or a file cannot be read.
 */
export async function listBackups(folder: string): Promise<KnownBackup[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true })
  const found: KnownBackup[] = []
  for (const entry of entries) {
    const file = path.join(folder, entry.name)
    const createdAt = entry.isFile() ? await readCreatedAt(file) : null
    if (createdAt !== null) found.push({ file, createdAt })
  }
  return found.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

/** Returns the instant of the newest whole backup in a folder; null where there is none, or it cannot be read. */
export async function findNewestBackup(folder: string): Promise<Date | null> {
  const known = await listBackups(folder).catch(() => [])
  return known.findLast(({ file }) => !file.includes(UNFINISHED))?.createdAt ?? null
}

async function readCreatedAt(file: string): Promise<Date | null> {
  const bytes = openBackup(file)
  try {
    const { createdAt } = await new BackupReader(bytes).readHeader()
    return new Date(createdAt)
  } catch (error) {
    // A file that cannot be opened may be a backup: passing it over would say that there is none.
    // One that was removed since the folder was listed is none.
    const { syscall, code } = error as NodeJS.ErrnoException
    if (syscall !== undefined && code !== 'ENOENT') throw error
    return null
  } finally {
    bytes.destroy()
  }
}
