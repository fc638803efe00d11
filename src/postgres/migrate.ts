/**
 * Brings the database to this code's schema: plain SQL files, in order, each once and in its own
 * transaction, under a lock so that processes which start together do it once.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'

const FOLDER = path.join(import.meta.dirname, 'migrations')
/** Any number, the same in every process; also keeps two versions of the code apart. */
export const MIGRATION_LOCK = 7_311_848

type Migration = { name: string; text: string; sha256: string }

/**
 * Applies what is missing. May be repeated and run at the same time by many processes. Throws one
 * sentence when an applied file has changed since, or when the database is newer than this code.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  const files = await readMigrations()
  const client = await pool.connect()
  try {
    // A migration of a large table takes its time: the pool's deadlines are for customers.
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await applyMissing(client, files)
  } finally {
    await client
      .query('select pg_advisory_unlock_all(); reset statement_timeout; reset lock_timeout')
      .then(
        () => client.release(),
        (error: Error) => client.release(error),
      )
  }
}

/** The migrations that this code knows, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await fs.readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await fs.readFile(path.join(FOLDER, name), 'utf8')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function applyMissing(client: pg.PoolClient, files: Migration[]): Promise<void> {
  await client.query(`create table if not exists migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migration',
  )
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))

  const unknown = [...applied.keys()].filter((name) => !files.some((file) => file.name === name))
  if (unknown.length > 0) {
    throw new Error(
      `the database is newer than this program (it has ${unknown.join(', ')}); start a newer version`,
    )
  }
  for (const file of files) {
    const before = applied.get(file.name)
    if (before === undefined) await apply(client, file)
    else if (before !== file.sha256) {
      throw new Error(
        `migration ${file.name} has changed since it was applied; restore the file and add a new one`,
      )
    }
  }
}

async function apply(client: pg.PoolClient, { name, text, sha256 }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`while applying migration ${name}`, { cause })
  }
}
