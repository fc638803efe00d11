/**
 * The embedded PostgreSQL: a real server as a process of its own, shared by all processes of the service on
 * one data folder. The first process starts it, the last one stops it.
 *
 *     joinOrStart: ── joined? ──▶ in use ── connection lost ──▶ joinOrStart
 *          ▲             │ absent: under the start lock make the cluster, start the server
 *          └─ ask again ─┘ busy: it starts, recovers or stops
 *
 * Nothing here depends on being the parent of the server: a server that outlived its parent is joined like any other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { requirePassword } from './access.ts'
import { findPostgresPackage, prepareBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { explainFileError, explainOutput } from './errors.ts'
import { keepLogBounded } from './log.ts'
import { chooseOsUser } from './os-user.ts'
import { disarmStalePidFile, spawnServer, stopServer } from './server.ts'
import { DATABASE_NAME, DATABASE_ROLE, makeSocketFolder, openSite, type Site } from './site.ts'
import { takeStartLock } from './start-lock.ts'
import { isListening, joinServer, type User } from './users.ts'

/** The time from the first attempt to an answering server, recovery after a crash included. */
const EMBEDDED_START_MS = 120_000
/** How long starting a server is retried while remains of an old one are ending. */
const EMBEDDED_RETRY_MS = 5_000

const POLL_MS = 20

/** What a server says when it meets remains of its predecessor; trying again helps. */
const PREDECESSOR = /" already exists|" is empty|pre-existing shared memory|Is another postmaster/

type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export type EmbeddedPostgresOptions = {
  /** The data folder, made where it is missing. */
  dataDir: string
  log: Log
  /** Whether writes are synced; false only for data that may be lost in a crash of the machine. The default is true. */
  fsync?: boolean
}

export type EmbeddedPostgres = {
  /** The connection for `pg`; `host` is the folder of the socket (on Windows 127.0.0.1). */
  connection: { host: string; port: number; user: string; password: string; database: string }
  /** The connection as one string, for `connectionString`. */
  url: string
  /**
   * Resolves as soon as the server answers again; this or another process starts it where it is gone. Call it after a
   * lost connection; it is cheap and may be repeated.
   */
  ensureRunning(): Promise<void>
  /** Ends this process's use, and stops the server where no other process uses it. Close the pools first. */
  stop(): Promise<void>
}

/**
 * Resolves when the database `scriptorium` can be used. Throws a `DataFolderError`, one sentence for the operator,
 * where the folder or the machine does not allow it.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, fsync = true } = options
  findPostgresPackage() // before any message about a folder that would not be needed
  const site = openSite(options.dataDir)
  const stopping = new AbortController()
  let repairing: Promise<void> | null = null
  let leaving: Promise<void> | null = null
  let logKeeper: { stop(): void } | null = null

  const join = async () => {
    const joined = await joinOrStart(site, { log, fsync, signal: stopping.signal })
    joined.whenLost(onLost)
    return joined
  }
  function ensureRunning(): Promise<void> {
    repairing ??= repair().finally(() => (repairing = null))
    return repairing
  }
  async function repair(): Promise<void> {
    // A session outlives a killed server for a moment and still answers, so only a new connection can tell.
    const user = await using
    if (stopping.signal.aborted || ((await isListening(site)) && (await user.isPresent()))) return
    user.abandon()
    const next = await join()
    using = Promise.resolve(next)
  }
  function onLost(): void {
    log.warn({ dataDir: site.dataDir }, 'the connection to the embedded PostgreSQL was lost')
    repeatUntilDone(ensureRunning, { log, signal: stopping.signal })
  }
  async function leave(): Promise<void> {
    stopping.abort()
    await repairing?.catch(() => undefined)
    logKeeper?.stop()
    const user = await using.catch(() => null) // null means that the start was given up
    await user?.leave(() => stopWhenLast(site, log))
    leavers.delete(stop)
  }
  const stop = (): Promise<void> => (leaving ??= leave())

  leavers.add(stop)
  let using = join()
  try {
    await using
  } catch (error) {
    leavers.delete(stop)
    throw error
  }
  logKeeper = keepLogBounded(site.log)
  return { ...addressOf(site), ensureRunning, stop }
}

/** The functions by which this process leaves each server that it uses or is starting. */
const leavers = new Set<() => Promise<void>>()

/**
 * Leaves all servers, for a process that ends at once: a server without other users is stopped, whatever is open. Never
 * throws.
 */
export async function leaveEmbeddedServers(): Promise<void> {
  await Promise.allSettled([...leavers].map((leave) => leave()))
}

/**
 * Repeats `work` until it succeeds, since a full disk or the like may pass. Callers that need the database meanwhile
 * try by themselves and get the error.
 */
async function repeatUntilDone(
  work: () => Promise<void>,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error }, 'the embedded PostgreSQL could not be started again')
      await sleep(EMBEDDED_RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

type StartOptions = { log: Log; fsync: boolean }
type JoinOptions = StartOptions & { signal: AbortSignal }

async function joinOrStart(site: Site, options: JoinOptions): Promise<User> {
  const giveUpAt = performance.now() + EMBEDDED_START_MS
  let refusedSince: number | null = null
  let mayBeOurs = false
  for (;;) {
    const joining = await joinServer(site)
    if (joining.kind === 'joined' && (await ensureDatabase(joining.user))) return joining.user
    if (joining.kind === 'absent') {
      const refusal = await startUnderLock(site, options)
      mayBeOurs ||= refusal === null
      if (refusal !== null) {
        refusedSince ??= performance.now()
        if (performance.now() > refusedSince + EMBEDDED_RETRY_MS) throw refusal
      }
    }
    if (performance.now() > giveUpAt) {
      throw new Error(
        `the embedded PostgreSQL in ${site.dataDir} did not answer within ${EMBEDDED_START_MS / 1000} s: ` +
          `see ${site.log}`,
      )
    }
    // A stop must not leave a server behind that this process has started: it is joined first, then stopped.
    await sleep(POLL_MS, undefined, mayBeOurs ? {} : { signal: options.signal })
  }
}

/** Returns null where the server was started or another process is starting it, otherwise why it refused. */
async function startUnderLock(site: Site, options: StartOptions): Promise<Error | null> {
  try {
    const lock = takeStartLock(site.startLock)
    if (lock === null) return null
    try {
      return await startServer(site, options)
    } finally {
      lock.release()
    }
  } catch (error) {
    throw explainFileError(error, site.dataDir)
  }
}

async function startServer(site: Site, { log, fsync }: StartOptions): Promise<Error | null> {
  if (await isListening(site)) return null // another process started it before the lock was taken
  const startedAt = performance.now()
  const osUser = chooseOsUser(site)
  const binaries = prepareBinaries(site, osUser)
  await ensureCluster(site, binaries, osUser)
  makeSocketFolder(site, osUser)
  if (disarmStalePidFile(site)) {
    log.warn({ cluster: site.cluster }, 'the lock of a server that is gone was released')
  }

  const said = await requirePassword(site, binaries, osUser)
  if (said !== null) return refusalOf(said, site)

  const server = await spawnServer(site, binaries, { osUser, fsync })
  while (!(await isListening(site))) {
    const output = server.ended()
    if (output !== null) return refusalOf(output, site)
    await sleep(POLL_MS)
  }
  const tookMs = Math.round(performance.now() - startedAt)
  log.info({ cluster: site.cluster, tookMs }, 'the embedded PostgreSQL was started')
  return null
}

/** Returns the refusal where trying again helps, and throws it where it does not. */
function refusalOf(output: string, { dataDir }: Site): Error {
  const refusal = explainOutput('postgres', output, dataDir)
  if (PREDECESSOR.test(output)) return refusal
  throw refusal
}

/** Makes the database where it is missing. Returns false where the connection was lost meanwhile. */
async function ensureDatabase(user: User): Promise<boolean> {
  const isThere = `select from pg_database where datname = '${DATABASE_NAME}'`
  try {
    if ((await user.query(isThere)).rowCount === 0)
      await user.query(`create database ${DATABASE_NAME}`)
    return true
  } catch (error) {
    if (!(await user.isPresent())) {
      user.abandon()
      return false
    }
    // Another process may have made it in the meantime.
    if ((await user.query(isThere)).rowCount === 0) throw error
    return true
  }
}

async function stopWhenLast(site: Site, log: Log): Promise<void> {
  const pgCtl = process.platform === 'win32' ? prepareBinaries(site, null).pgCtl : null
  const isStopped = await stopServer(site, pgCtl)
  if (isStopped) log.info({ cluster: site.cluster }, 'the embedded PostgreSQL was stopped')
  else
    log.warn({ cluster: site.cluster }, 'the embedded PostgreSQL did not stop and is left running')
}

function addressOf({ host, port, password }: Site): Pick<EmbeddedPostgres, 'connection' | 'url'> {
  const connection = { host, port, user: DATABASE_ROLE, password, database: DATABASE_NAME }
  const query = `host=${encodeURIComponent(host)}&port=${port}`
  return {
    connection,
    url: `postgresql://${DATABASE_ROLE}:${password}@localhost/${DATABASE_NAME}?${query}`,
  }
}
