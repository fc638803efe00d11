/**
 * A database for one test file, cloned in a few milliseconds from a template that has the migrations.
 *
 * All test files share one embedded server: whoever comes first starts it, the last one out stops it.
 * TEST_DATABASE_URL names another server instead, whose role may create databases.
 */
import { createHash, randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/postgres/database.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/postgres/embedded/embedded-postgres.ts'
import { migrate, readMigrations } from '../../src/postgres/migrate.ts'
import { isRunning } from './service-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Held while databases are made and dropped on the server: one process at a time. */
const MAKING = 7_311_849
const CONNECTIONS_MAX = 10
const SILENT = { info: () => undefined, warn: () => undefined }

/** What a test or `{ after }` of node:test gives: where the end of the test is announced. */
export type TestScope = { after(work: () => Promise<void>): void }

export type TestDatabase = Database & {
  url: string
  /** Another connection, outside the pool and without its deadlines; closed with the database. */
  connect(): Promise<pg.Client>
  /** Happens by itself after the test; safe to repeat. */
  drop(): Promise<void>
}

/** A new, migrated, empty database; dropped when `scope` ends. */
export async function testDatabase(scope: TestScope): Promise<TestDatabase> {
  const server = await useServer()
  const name = `t_${process.pid}_${randomBytes(6).toString('hex')}`
  await administer(server.url, async (admin) => {
    await dropLeftOvers(admin)
    await admin.query(`create database ${name} template ${await ensureTemplate(admin, server.url)}`)
  })

  const url = onDatabase(server.url, name)
  const database = openDatabase({ url, connectionsMax: CONNECTIONS_MAX, name: 'test' })
  const clients: pg.Client[] = []
  let dropping: Promise<void> | null = null
  const drop = async () => {
    await Promise.all([database.close(), ...clients.map((client) => client.end())])
    await administer(server.url, async (admin) => {
      await admin.query(`drop database if exists ${name} with (force)`)
    })
    await server.leave()
  }
  const made: TestDatabase = {
    ...database,
    url,
    connect: async () => {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined)
      await client.connect()
      clients.push(client)
      return client
    },
    drop: () => (dropping ??= drop()),
  }
  scope.after(made.drop)
  return made
}

type Server = { url: string; leave(): Promise<void> }

let embedded: Promise<EmbeddedPostgres> | null = null
let users = 0

async function useServer(): Promise<Server> {
  const url = process.env['TEST_DATABASE_URL']
  if (url !== undefined && url !== '') return { url, leave: async () => undefined }

  users += 1
  embedded ??= startEmbeddedPostgres({ dataDir: sharedDataDir(), log: SILENT, fsync: false })
  const server = await embedded
  const leave = async () => {
    users -= 1
    if (users > 0) return
    embedded = null
    await server.stop()
  }
  return { url: server.url, leave }
}

/** One for each user and copy of the project; nothing in it is missed when it is removed. */
function sharedDataDir(): string {
  const copy = createHash('sha256').update(ROOT).digest('hex').slice(0, 8)
  return path.join(os.tmpdir(), `scriptorium-test-${process.geteuid?.() ?? 'user'}-${copy}`)
}

/** The name of the template with the present migrations, made where it is missing. */
async function ensureTemplate(admin: pg.Client, url: string): Promise<string> {
  const migrations = await readMigrations()
  const text = migrations.map(({ name, sha256 }) => `${name} ${sha256}\n`).join('')
  const template = `template_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname like 'template\\_%'`,
  )
  if (rows.some(({ datname }) => datname === template)) return template

  for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`)
  await admin.query('create database template_unfinished')
  const pool = new pg.Pool({ connectionString: onDatabase(url, 'template_unfinished'), max: 2 })
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
  await admin.query(`alter database template_unfinished rename to ${template}`)
  return template
}

/** Databases whose test process is gone: it was killed, or its machine is another one by now. */
async function dropLeftOvers(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database d where datname ~ '^t_[0-9]+_'
      and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
  )
  for (const { datname } of rows) {
    if (!isRunning(Number(datname.split('_')[1]))) {
      await admin.query(`drop database if exists ${datname} with (force)`)
    }
  }
}

async function administer(url: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: onDatabase(url, 'postgres') })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock($1)', [MAKING])
    await work(admin)
  } finally {
    await admin.end()
  }
}

function onDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}
