/** The prepared step to partitions by month, taken as a migration would be: each file a transaction. */
import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'

const FOLDER = path.resolve(import.meta.dirname, '../../src/postgres/growth')

/** Until `cutAt` new rows belong to the first partition. Returns how long each file took, in ms. */
export async function partitionRows(client: pg.ClientBase, cutAt: Date): Promise<number[]> {
  const cut = firstJobId(cutAt)
  const files = fs
    .readdirSync(FOLDER)
    .filter((name) => /^partition-rows-\d\.sql$/.test(name))
    .sort()
  const took: number[] = []
  for (const file of files) {
    const text = fs.readFileSync(path.join(FOLDER, file), 'utf8').replaceAll(':cut', cut)
    const startedAt = performance.now()
    await client.query(`begin; ${text}; commit`)
    took.push(performance.now() - startedAt)
  }
  return took
}

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
