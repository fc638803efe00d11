/**
 * A database for one test file, copied in 40 ms from a template that has the migrations, on the server of
 * `database-server.ts` or on the one that TEST_DATABASE_URL names, on which the role may create databases.
 */
import { createHash, randomBytes } from 'node:crypto'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/store/database.ts'
import type { EmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { migrate, readMigrations } from '../../src/store/migrate.ts'
import { connectTo } from './connection.ts'
import {
  dropDatabase,
  dropLeftDatabases,
  onDatabase,
  startDatabaseServer,
} from './database-server.ts'
import { TEST_DEADLINES } from './settings.ts'

/** Lock that is held while databases are made on the server: one process at a time. */
const MAKING = 7_311_849
const CONNECTIONS_MAX = 10

/** The part of a test, or of `{ after }` of node:test, that announces the end of the test. */
export type TestScope = { after(work: () => Promise<void>): void }

export type TestDatabase = Database & {
  url: string
  /** Opens another connection, outside the pool and without its deadlines; closed with the database. */
  connect(): Promise<pg.Client>
  /** Drops the database, as happens by itself after the test; safe to repeat. */
  drop(): Promise<void>
}

/** Makes a new, migrated, empty database; dropped when `scope` ends, or with all others of the run when that ends. */
export async function testDatabase(scope: TestScope): Promise<TestDatabase> {
  const server = await useServer()
  const name = `t_${process.pid}_${randomBytes(6).toString('hex')}`
  await server.administer(async (admin) => {
    // Copying files takes a third of the time of logging each page.
    const template = await server.template(admin)
    await admin.query(`create database ${name} template ${template} strategy file_copy`)
  })

  const url = onDatabase(server.url, name)
  const database = openDatabase({
    url,
    connectionsMax: CONNECTIONS_MAX,
    name: 'test',
    deadlines: TEST_DEADLINES,
  })
  const clients: pg.Client[] = []
  let dropping: Promise<void> | null = null
  const drop = async () => {
    await Promise.all([database.close(), ...clients.map((client) => client.end())])
    if (!server.isOfRun) await server.administer((admin) => dropDatabase(admin, name))
    await server.leave()
  }
  const made: TestDatabase = {
    ...database,
    url,
    connect: async () => {
      const client = await connectTo(url)
      clients.push(client)
      return client
    },
    drop: () => (dropping ??= drop()),
  }
  scope.after(made.drop)
  return made
}

type Server = {
  url: string
  /** True where the run that started this process drops its databases. */
  isOfRun: boolean
  administer(work: (admin: pg.PoolClient) => Promise<void>): Promise<void>
  /** Returns the name of the template, which the first call makes where it is missing. */
  template(admin: pg.PoolClient): Promise<string>
  leave(): Promise<void>
}

let opening: Promise<Server> | null = null
let users = 0

async function useServer(): Promise<Server> {
  users += 1
  opening ??= openServer()
  return opening
}

async function openServer(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'] || (await askRun())
  const embedded: EmbeddedPostgres | null = given ? null : await startDatabaseServer()
  const url = given || (embedded?.url ?? '')
  const isOfRun = process.env['TEST_DATABASE_DROPPED'] === 'by the run'
  if (!isOfRun) await dropLeftDatabases(url)

  const pool = new pg.Pool({ connectionString: onDatabase(url, 'postgres'), max: 1 })
  pool.on('error', () => undefined)
  let template: Promise<string> | null = null
  return {
    url,
    isOfRun,
    async administer(work) {
      const admin = await pool.connect()
      try {
        await admin.query('select pg_advisory_lock($1)', [MAKING])
        await work(admin)
        await admin.query('select pg_advisory_unlock($1)', [MAKING])
        admin.release()
      } catch (error) {
        admin.release(true) // the lock ends with the connection
        throw error
      }
    },
    template: (admin) => (template ??= ensureTemplate(admin, url)),
    async leave() {
      users -= 1
      if (users > 0 || isOfRun) return
      opening = null
      await pool.end()
      await embedded?.stop()
    },
  }
}

/** Asks the run that started this process for its server; null where there is no such run. */
async function askRun(): Promise<string | null> {
  const port = process.env['TEST_DATABASE_ASK']
  if (!port) return null
  const said = await text(net.connect(Number(port), '127.0.0.1'))
  const { url, error } = JSON.parse(said) as { url?: string; error?: string }
  if (url === undefined) throw new Error(`the run has no database server: ${error}`)
  process.env['TEST_DATABASE_URL'] = url // for processes that this one starts
  return url
}

/** Returns the name of the template with the present migrations. */
async function ensureTemplate(admin: pg.PoolClient, url: string): Promise<string> {
  const migrations = await readMigrations()
  const text = migrations.map(({ name, sha256 }) => `${name} ${sha256}\n`).join('')
  const template = `template_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname like 'template\\_%'`,
  )
  if (rows.some(({ datname }) => datname === template)) return template

  for (const { datname } of rows) await dropDatabase(admin, datname)
  await admin.query('create database template_unfinished')
  const pool = new pg.Pool({ connectionString: onDatabase(url, 'template_unfinished'), max: 2 })
  pool.on('error', () => undefined)
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
  await admin.query(`alter database template_unfinished rename to ${template}`)
  return template
}
