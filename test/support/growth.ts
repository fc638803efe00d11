/** The prepared steps to partitions, taken as migrations would be: each file a transaction, but for those that say otherwise. */
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { migrationOf, statementsOf } from '../../src/kit/postgres/migration-file.ts'
import { MIGRATION_RETRY_MS, MIGRATION_TRIES } from '../../src/store/migrate.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../src/store/growth')

type BeforeFile = (name: string) => Promise<void> | void

/** By month: until `cutAt` new rows belong to the first partition; `beforeFile` is told of each file. */
export function partitionRows(
  client: pg.ClientBase,
  cutAt: Date,
  beforeFile?: BeforeFile,
): Promise<void> {
  const filledIn = (text: string): string => text.replaceAll(':cut', firstJobId(cutAt))
  return takeStep(client, 'partition-rows', filledIn, beforeFile)
}

/** History and ledger, by account; `beforeFile` is told of each file. */
export function partitionAccounts(client: pg.ClientBase, beforeFile?: BeforeFile): Promise<void> {
  return takeStep(client, 'partition-accounts', (text) => text, beforeFile)
}

async function takeStep(
  client: pg.ClientBase,
  step: string,
  filledIn: (text: string) => string,
  beforeFile?: BeforeFile,
): Promise<void> {
  for (const name of fs.readdirSync(FOLDER).sort()) {
    if (!name.startsWith(`${step}-`)) continue
    const file = migrationOf(name, filledIn(fs.readFileSync(path.join(FOLDER, name), 'utf8')))
    await beforeFile?.(name)
    if (file.isTransaction) await inTransaction(client, file.text)
    else for (const statement of statementsOf(file)) await client.query(statement)
  }
}

/** As migrations are: where a lock is not to be had soon, others pass and it is tried again. */
async function inTransaction(client: pg.ClientBase, text: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await client.query(`begin; ${text}; commit`))
    } catch (error) {
      await client.query('rollback')
      const isLate = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (!isLate || tries === MIGRATION_TRIES) throw error
      await client.query('select pg_sleep($1)', [MIGRATION_RETRY_MS / 1000])
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Adds the tables for jobs made from one instant to another. */
export async function addMonth(
  client: pg.ClientBase,
  name: string,
  from: Date,
  to: Date,
): Promise<void> {
  await client.query('select add_month($1, first_job_id($2), first_job_id($3))', [name, from, to])
}

function firstJobId(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
