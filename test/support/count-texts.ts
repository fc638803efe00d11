/** Counts the texts of jobs that a test inserted as final ones: the trigger that counts sees the end of a job only. */
import { statementsOf } from '../../src/kit/postgres/migration-file.ts'
import { readMigrations } from '../../src/store/migrate.ts'

/** Counts as the migration did that made the counts; may be repeated. */
export async function countTexts(client: { query(text: string): Promise<unknown> }): Promise<void> {
  const files = await readMigrations()
  const file = files.find(({ name }) => name === '0092-large-accounts.sql')
  const counting = file && statementsOf(file).find((one) => one.startsWith('update account'))
  await client.query(counting ?? '')
}
