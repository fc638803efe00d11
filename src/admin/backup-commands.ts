/** `admin backup FILE` and `admin restore FILE`: everything that cannot be made again, in one file. */
import path from 'node:path'
import { backup, type BackupSummary, restore } from '../features/backup/backup.ts'
import { readApplied } from '../store/migrate.ts'
import type { Command } from './command.ts'

const backupCommand: Command = {
  usage: 'backup FILE [--json]',
  about: 'writes accounts, money, jobs and transcripts to a new file; the service may keep running',
  async run({ pool, textStore }, { words: [file = ''] }) {
    const summary = await backup(pool, path.resolve(file), { textStore })
    const size = `${summary.fileBytes.toLocaleString('en')} bytes`
    return { value: summary, lines: [`${countRows(summary)} rows written to ${file} (${size})`] }
  },
}

const restoreCommand: Command = {
  usage: 'restore FILE [--json]',
  about:
    'reads a backup, of this version or an earlier one, into an empty database; open jobs continue',
  acceptsSystem: true,
  async run({ pool }, { words: [file = ''] }) {
    const summary = await restore(pool, path.resolve(file))
    return {
      value: summary,
      lines: [`${countRows(summary)} rows of ${summary.createdAt} restored`],
    }
  },
}

function countRows({ rows }: BackupSummary): string {
  return Object.values(rows)
    .reduce((sum, count) => sum + count, 0)
    .toLocaleString('en')
}

// The command `admin migrate`, which brings the database to this program's schema and ends.

const migrateCommand: Command = {
  usage: 'migrate [--json]',
  about:
    'applies the migrations that are missing, as every command and process does first, and says which is the last',
  async run({ pool }) {
    const client = await pool.connect()
    try {
      const migrations = (await readApplied(client)).map(({ name }) => name)
      const last = migrations.at(-1) ?? null
      return {
        value: { migrations: migrations.length, last },
        lines: [`the database is at ${last}, the last of ${migrations.length} migrations`],
      }
    } finally {
      client.release()
    }
  },
}

export const BACKUP_COMMANDS = [backupCommand, restoreCommand, migrateCommand]
