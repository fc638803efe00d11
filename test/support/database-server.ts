/**
 * The PostgreSQL of the tests: one embedded server for a whole run, which `tools/scripts/test-database.ts` starts when
 * the first test process asks for it. A test file that is run without it joins or starts the same server by itself.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { connectTo } from './connection.ts'
import { serverPid } from './embedded-process.ts'
import { isRunning } from './service-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Linux's file system in memory; the databases of a run take some 1.5 GB there, and room for their log. */
const MEMORY = '/dev/shm'
const MEMORY_FREE_BYTES = 4 * 1024 ** 3
const SILENT = { info: () => undefined, warn: () => undefined }

export async function startDatabaseServer(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDir: sharedDataDir(),
    log: SILENT,
    fsync: false,
  })
  await makeCheap(server)
  return server
}

/**
 * Leaves out what costs a run much: of thousands of connections the 4,096 rounds of hashing, and a process of
 * autovacuum for each of some hundred databases in turn, none of which lives long enough to need it.
 */
async function makeCheap({ url }: EmbeddedPostgres): Promise<void> {
  const admin = await connectTo(url)
  try {
    await admin.query('alter system set autovacuum = off')
    await admin.query('select pg_reload_conf()')
    await admin.query('set scram_iterations = 1')
    const { username, password } = new URL(url)
    await admin.query(
      `alter role ${admin.escapeIdentifier(username)} password ${admin.escapeLiteral(password)}`,
    )
  } finally {
    await admin.end()
  }
}

/** Removes the stopped server; the next start makes it anew, in two seconds. */
export function removeDatabaseServer(): void {
  fs.rmSync(sharedDataDir(), { recursive: true, force: true })
}

/** Drops the databases of ended test processes: those of the whole run at its end, and those of a killed run before. */
export async function dropLeftDatabases(serverUrl: string): Promise<void> {
  const admin = await connectTo(onDatabase(serverUrl, 'postgres'))
  try {
    const { rows } = await admin.query<{ datname: string }>(
      `select datname from pg_database d where datname ~ '^t_[0-9]+_'
        and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
    )
    for (const { datname } of rows)
      if (!isRunning(Number(datname.split('_')[1]))) await dropDatabase(admin, datname)
  } finally {
    await admin.end()
  }
}

export async function dropDatabase(admin: pg.Client | pg.PoolClient, name: string): Promise<void> {
  await admin.query(`drop database if exists ${name} with (force)`)
}

export function onDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

/** Returns the data folder, one for each user and copy of the project; its content can be removed without loss. */
function sharedDataDir(): string {
  const copy = createHash('sha256').update(ROOT).digest('hex').slice(0, 8)
  return path.join(findPlace().folder, `scriptorium-test-${process.geteuid?.() ?? 'user'}-${copy}`)
}

/** The folder of the tests' databases; a sentence says why it is not in memory, where it is not. */
export type Place = { folder: string; whyOnDisk: string | null }

let found: Place | null = null

/** Returns the folder, which stays the same while a process lives, however full it becomes. */
export function findPlace(): Place {
  return (found ??= lookForPlace())
}

/**
 * Finds a folder in memory, where there is enough and programs may run from there. A database has some five hundred
 * files, and nearly every test file makes one, which takes up to twenty times as long on a disk.
 */
function lookForPlace(): Place {
  const onDisk = (why: string): Place => ({
    folder: os.tmpdir(),
    whyOnDisk: `${MEMORY} ${why}`,
  })
  try {
    const mount = fs
      .readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    if (mount === undefined) return onDisk('is no file system in memory')
    if (/\bnoexec\b/.test(mount)) return onDisk('is mounted without the right to run programs')
    const { bavail, blocks, bsize } = fs.statfsSync(MEMORY)
    const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`
    return bavail * bsize >= MEMORY_FREE_BYTES
      ? { folder: MEMORY, whyOnDisk: null }
      : onDisk(
          `has ${megabytes(bavail * bsize)} free of ${megabytes(blocks * bsize)}, and ${megabytes(MEMORY_FREE_BYTES)} are needed`,
        )
  } catch {
    return onDisk('is not there') // other systems have no such folder
  }
}

/** Returns the id of the server's first process, or null where none runs. */
export function serverProcess(): number | null {
  return serverPid(sharedDataDir())
}

/** Counts the connections that were opened to the databases of tests that are there. */
export async function countConnections(serverUrl: string): Promise<number> {
  const admin = await connectTo(onDatabase(serverUrl, 'postgres'))
  try {
    const { rows } = await admin.query<{ count: number }>(
      `select coalesce(sum(sessions), 0)::int as count from pg_stat_database where datname ~ '^t_[0-9]+_'`,
    )
    return rows[0]?.count ?? 0
  } finally {
    await admin.end()
  }
}
