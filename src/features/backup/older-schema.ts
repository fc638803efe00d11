/**
 * A backup of an earlier release: the empty database becomes what it was then, takes the rows, and is brought forward
 * by the migrations since, so that rows change as they would have in place. All of it happens in the transaction of the
 * restore.
 */
import pg from 'pg'
import { applyIn, type AppliedMigration, readMigrations } from '../../store/migrate.ts'
import type { Migration } from '../../kit/postgres/migration-file.ts'
import { type BackupHeader, BackupError } from './format.ts'
import type { Register } from '../../store/register.ts'
import { hasOldTexts, isBefore2, TOO_OLD } from '../../store/too-old.ts'
import { isBackedUp, isColumnBackedUp } from './tables.ts'

/** The migrations that a backup has behind it, and those that are to follow. */
export type Since = { before: Migration[]; after: Migration[] }

/**
 * Returns the migrations before and after the backup; null where backup and database have the same schema. Throws a
 * `BackupError` where no way leads from one to the other.
 */
export async function findSince(
  header: BackupHeader,
  here: readonly AppliedMigration[],
): Promise<Since | null> {
  const keys = (list: readonly AppliedMigration[]): string[] =>
    list.map(({ name, sha256 }) => name + sha256)
  if (keys(here).join() === keys(header.migrations).join()) return null
  if (isBefore2(header.migrations)) throw new BackupError(TOO_OLD)

  const files = await readMigrations()
  const keysOf = ({ name, sha256, formerly }: Migration): string[] =>
    [sha256, ...formerly].map((sha) => name + sha)
  const known = new Set(files.flatMap(keysOf))
  const isKnown = keys(header.migrations).every((key) => known.has(key))
  if (!isKnown || keys(here).join() !== keys(files).join()) {
    throw new BackupError(
      `it belongs to schema ${header.migrations.at(-1)?.name}, the database has ` +
        `${here.at(-1)?.name}, and this program does not know both: restore it with the version that wrote it`,
    )
  }
  const held = new Set(keys(header.migrations))
  const isBefore = (file: Migration): boolean => keysOf(file).some((key) => held.has(key))
  return { before: files.filter(isBefore), after: files.filter((file) => !isBefore(file)) }
}

/** Makes every table of ours anew, as the backup's program knew them. They are empty and locked. */
export async function rebuildBefore(client: pg.PoolClient, { before }: Since): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename not in ('migration', 'schema_change')`,
  )
  await client.query(`drop table ${rows.map(({ name }) => name).join(', ')} cascade`)
  for (const file of before) await applyIn(client, file)
}

/** Applies the migrations since to the backup's rows. Throws where only an earlier release can bring them forward. */
export async function bringForward(client: pg.PoolClient, { before, after }: Since): Promise<void> {
  if (await hasOldTexts(client, before)) throw new BackupError(TOO_OLD)
  for (const file of after) await applyIn(client, file)
}

/** Throws where the file has what its schema had not, or what backups may not hold. */
export async function requireOlderTables(
  client: pg.PoolClient,
  { tables }: BackupHeader,
  register: Register,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  const existing = new Set(rows.map(({ name }) => name))
  const wrong = tables.flatMap(({ name, columns }) => {
    const isHeld = (column: string): boolean =>
      existing.has(`${name}.${column}`) &&
      isBackedUp(register, name) &&
      isColumnBackedUp(register, name, column)
    return columns.filter((column) => !isHeld(column)).map((column) => `${name}.${column}`)
  })
  if (wrong.length > 0)
    throw new BackupError(
      `it holds ${wrong.join(', ')}, which backups of its version do not: it may have been added by hand`,
    )
}
