/** Whether this process can serve, and what is missing, in words for an operator. */
import type { Db } from './database.ts'
import { readMigrations } from './migrate.ts'

/** Empty when everything is there. Never throws: a database that does not answer is an answer. */
export async function findMissing(db: Db): Promise<string[]> {
  try {
    const rows = await db.selectFrom('migration').select('name').execute()
    const applied = new Set(rows.map((row) => row.name))
    const missing = (await readMigrations()).filter(({ name }) => !applied.has(name))
    return missing.map(
      ({ name }) => `migration ${name}: start a process of this version to apply it`,
    )
  } catch {
    return ['database: it does not answer; see DATABASE_URL or the log of the embedded one']
  }
}
