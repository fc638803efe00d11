/** `admin migrate`: brings the database to this program's schema and ends. */
import { readApplied } from '../store/migrate.ts'
import type { Command } from './command.ts'

export const migrateCommand: Command = {
  usage: 'migrate [--json]',
  about:
    'applies the migrations that are missing, as every command and process does first, and says which is the last',
  options: [],
  words: 0,
  async run({ pool }) {
    const client = await pool.connect()
    try {
      const migrations = (await readApplied(client)).map(({ name }) => name)
      const last = migrations.at(-1) ?? null
      return {
        ok: true,
        value: { migrations: migrations.length, last },
        lines: [`the database is at ${last}, the last of ${migrations.length} migrations`],
      }
    } finally {
      client.release()
    }
  },
}
