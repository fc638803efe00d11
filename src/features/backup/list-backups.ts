/** The backups in a folder, by what their first lines say: whatever their names, and whatever else is there. */
import fs from 'node:fs/promises'
import path from 'node:path'
import { openBackup } from './backup.ts'
import { BackupReader } from './format.ts'
import type { KnownBackup } from './known-backup.ts'

/** Oldest first; files that are no backups are passed over. Throws where the folder or a file cannot be read. */
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

async function readCreatedAt(file: string): Promise<Date | null> {
  const bytes = openBackup(file)
  try {
    const { createdAt } = await new BackupReader(bytes).readHeader()
    return new Date(createdAt)
  } catch (error) {
    // What cannot be opened may be a backup: to pass it over would say that there is none.
    if (error instanceof Error && 'syscall' in error && !isGone(error)) throw error
    return null
  } finally {
    bytes.destroy()
  }
}

/** Removed since the folder was listed. */
function isGone(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT'
}
