/**
 * Config -> Context: what the process has opened (database, platform, log, clock) and closes again in reverse. The only
 * file that reads the clock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { pino, type Logger } from 'pino'
import type { Context, DatabaseContext } from './context.ts'
import type { Config, Deadlines } from './config/config.ts'
import { readDatabaseUrl } from './kit/postgres/address.ts'
import {
  explainRefusal,
  nameOfDatabase,
  refuseTransactionPooler,
} from './kit/postgres/connection.ts'
import { isDatabaseAway } from './kit/postgres/database.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './kit/postgres/embedded/embedded-postgres.ts'
import { openServers, type Servers, UnfitServersError } from './kit/postgres/servers.ts'
import { openFirstSteps } from './kit/first-steps.ts'
import { escapedJson } from './kit/text/controls.ts'
import { textLogLine } from './kit/text/log-line.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createUsageMeter } from './features/operator/usage-meter.ts'
import { mayOfferFirstRun, openFirstRun } from './features/accounts/first-run.ts'
import { type Failovers, openFailovers } from './features/operator/failovers.ts'
import { openOutbox } from './features/mail/outbox.ts'
import { openSecretBox, type SecretBox } from './features/mail/secret-box.ts'
import { openSigner } from './features/money/receipts.ts'
import { openTextReader } from './features/transcripts/read-stored.ts'
import { openTextStore } from './features/transcripts/text-store.ts'
import { openDriftWatch } from './platform/drift/drift-watch.ts'
import { openDatabase } from './store/database.ts'
import { egressBudget } from './store/egress-routes.ts'
import { migrate } from './store/migrate.ts'
import { openReadiness, whyAway } from './store/readiness.ts'
import { openTold } from './store/told.ts'

const DATABASE_RETRY_MS = 1_000

/** The machine's clock; code that has a context asks that instead. */
export const now = (): Date => new Date()

/**
 * Opens the log: a line each on standard output, on standard error for one-off commands, or in a file; as text on a
 * terminal and as JSON elsewhere, or as LOG_FORMAT says. What a terminal that shows the lines would obey is escaped.
 */
export function openLog(config: Config, destination: 1 | 2 | string = 1): Logger {
  const isShown = typeof destination === 'number' && isatty(destination)
  const isText = config.LOG_FORMAT === 'auto' ? isShown : config.LOG_FORMAT === 'text'
  return pino(
    {
      level: config.LOG_LEVEL,
      base: { pid: process.pid },
      redact: ['req.headers.authorization', '*.apiKey'],
      hooks: { streamWrite: isText ? textLogLine : escapedJson },
    },
    pino.destination({ dest: destination, sync: true }),
  )
}

type Opening = { log?: Logger; waits?: AbortSignal | null; acceptsSystem?: boolean }

/**
 * Opens the database alone, at this code's schema: what the commands of `admin` need. Without `waits` an external
 * server that is not up is an error; with it, the server is waited for until that aborts, since the order in which
 * machines start does not matter.
 */
export async function openDatabaseContext(
  config: Config,
  { log = openLog(config), waits = null, acceptsSystem = false }: Opening = {},
): Promise<DatabaseContext> {
  await using opening = new AsyncDisposableStack()
  let embedded: EmbeddedPostgres | null = null
  if (config.DATABASE_URL === null) {
    embedded = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log })
    opening.defer(embedded.stop)
  }
  const databaseUrl = embedded?.url ?? config.DATABASE_URL ?? ''
  const isExternal = embedded === null
  const { deadlines } = config
  const servers = openServers(readDatabaseUrl(databaseUrl), {
    ...deadlines,
    isFenced: isExternal,
    warn: (sentence) => log.warn(sentence),
  })
  opening.defer(servers.close)
  const { database: called, user = '' } = servers.address.settings
  const name = called ?? user // PostgreSQL's own rule
  const told = isExternal ? openTold({ folder: config.DATA_DIR, name, log }) : null
  const known = told?.known() ?? null
  if (known !== null && !acceptsSystem) servers.remember(known)
  const database = openDatabase({
    url: databaseUrl,
    servers,
    told,
    connectionsMax: config.DATABASE_POOL,
    name: 'scriptorium',
    deadlines,
    leavesSilence: waits !== null, // one-off commands take their time
  })
  opening.defer(database.close)
  const failovers = openFailovers(database.db, { servers, told, log })
  opening.defer(failovers.close)
  const waiting = { log, waits: isExternal ? waits : null, isExternal }
  await migrateWhenUp(
    { url: databaseUrl, servers, failovers: acceptsSystem ? null : failovers },
    deadlines,
    waiting,
  )
  const textReader = openTextReader()
  opening.defer(textReader.close)
  const textStore = openTextStore(config)
  opening.defer(async () => textStore?.close())
  const reviveDatabase = async (): Promise<void> => embedded?.ensureRunning()
  const budget = egressBudget(database.db)
  const opened = opening.move()
  const close = (): Promise<void> => opened.disposeAsync()
  const parts = { config, ...database, textReader, textStore, databaseUrl, servers, failovers }
  return { ...parts, budget, log, now, reviveDatabase, close }
}

/** Opens the database for one command of the operator, which logs warnings only, and on standard error. */
export function openCommandContext(
  config: Config,
  how: { acceptsSystem?: boolean } = {},
): Promise<DatabaseContext> {
  return openDatabaseContext(config, { ...how, log: openLog({ ...config, LOG_LEVEL: 'warn' }, 2) })
}

/**
 * Opens everything that a serving process needs; gives up where `signal` aborts. Throws one sentence where a part
 * cannot be had.
 */
export async function openContext(
  config: Config,
  signal = new AbortController().signal,
): Promise<Context> {
  const base = await openDatabaseContext(config, { waits: signal })
  const box = await openKeys(base).catch(async (error) => {
    await base.close()
    throw error
  })
  const { servers, failovers, databaseUrl: url } = base
  const { deadlines } = config
  failovers.start()
  base.signals.listen(servers, deadlines)
  const name = 'scriptorium readiness'
  const open = () => openDatabase({ url, servers, connectionsMax: 2, name, deadlines })
  const clock = () => performance.now()
  const readiness = openReadiness({ open, deadlines, onConfirmed: failovers.confirm, clock })
  return {
    ...base,
    box,
    outbox: openOutbox(base.db, box),
    firstRun: mayOfferFirstRun(config) ? openFirstRun(base.db) : null,
    metrics: createMetrics({
      backupDir: config.BACKUP_DIR,
      lookAtHosts: servers.address.hosts.length > 1 ? servers.look : null,
    }),
    usage: createUsageMeter(),
    watch: openDriftWatch(),
    readiness,
    firstSteps: openFirstSteps(),
    stopping: new AbortController(),
    close: () => Promise.all([readiness.close(), base.close()]).then(() => undefined),
  }
}

/**
 * Makes the key of receipts where there is none yet, and opens the box of secrets. A key that is made with the first
 * receipt would be lost with it in a failover.
 */
async function openKeys({ db, config, log }: DatabaseContext): Promise<SecretBox> {
  if (config.DATABASE_URL !== null && config.RECEIPT_SIGNING_KEY === null)
    log.warn(
      'RECEIPT_SIGNING_KEY is not set: the key of receipts is in the database alone; set it, and keep it elsewhere, ' +
        'so that receipts can be checked whatever becomes of the database',
    )
  await openSigner(db, config.RECEIPT_SIGNING_KEY).current()
  return openSecretBox(db, config.WEBHOOK_SECRET_KEY)
}

/** The waiting is logged at first, and then once in so many tries. */
const TRIES_PER_LINE = 15

type Waiting = { log: Logger; waits: AbortSignal | null; isExternal: boolean }

/**
 * Migrates as soon as the database answers, on a connection of its own: a migration of a large table is silent for
 * long. Then it compares what is remembered, for which the database may be away again.
 */
async function migrateWhenUp(
  { url, servers, failovers }: { url: string; servers: Servers; failovers: Failovers | null },
  deadlines: Deadlines,
  { log, waits, isExternal }: Waiting,
): Promise<void> {
  const name = 'scriptorium migrations'
  await using opening = new AsyncDisposableStack()
  const { pool, close } = openDatabase({ url, servers, connectionsMax: 1, name, deadlines })
  opening.defer(close)
  for (let tries = 0; ; tries += 1) {
    try {
      if (isExternal) await refuseTransactionPooler(url, servers, deadlines)
      await migrate(pool, undefined, (missing) =>
        log.info({ missing }, 'bringing the database to this release…'),
      )
      return await failovers?.look()
    } catch (error) {
      if (!isDatabaseAway(error)) throw isExternal ? explainRefusal(error, url) : error
      const database = nameOfDatabase(url)
      if (waits === null) {
        const which = `the ${database}${isExternal ? ' (DATABASE_URL)' : ''}`
        // The message of these is a sentence already, and a cause is printed.
        const why = error instanceof UnfitServersError ? '' : `: ${whyAway(error)}`
        throw new Error(`${which} cannot be used now${why}`, { cause: error })
      }
      if (tries % TRIES_PER_LINE === 0)
        log.warn({ err: error, database }, 'the database does not answer yet; waiting for it')
      await sleep(DATABASE_RETRY_MS, undefined, { signal: waits })
    }
  }
}
