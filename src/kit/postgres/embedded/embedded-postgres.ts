/**
 * The embedded PostgreSQL: a real server as a process of its own, shared by all processes of the service on
 * one data folder. The first process starts it, the last one stops it, each in its turn (locks.ts).
 *
 * Nothing here depends on being the parent of the server: a server that outlived its parent is used like any other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoop } from '../../loop.ts'
import { requirePassword } from './access.ts'
import { findPostgresPackage, prepareBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { askServer, isListening } from './connecting.ts'
import { explainFileError, explainOutput } from './errors.ts'
import { beginUse, inTurn, type EndUse } from './locks.ts'
import { chooseOsUser } from './os-user.ts'
import { disarmStalePidFile, spawnServer, stopServer, trimLog } from './server.ts'
import { DATABASE_NAME, DATABASE_ROLE, makeSocketFolder, openSite, type Site } from './site.ts'

/** The time from the first attempt to an answering server, recovery after a crash included. */
const EMBEDDED_START_MS = 120_000
/** How long starting a server is retried while remains of an old one are ending. */
const EMBEDDED_RETRY_MS = 5_000
/** How often a process looks whether the server is still there. */
const EMBEDDED_LOOK_MS = 1_000
const POLL_MS = 20

/** Words of a server that meets remains of its predecessor; trying again helps. */
const PREDECESSOR = /" already exists|" is empty|pre-existing shared memory|Is another postmaster/

type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

type EmbeddedPostgresOptions = {
  /** The data folder, made where it is missing. */
  dataDir: string
  log: Log
  /** Whether writes are synced; false only for data that may be lost in a crash of the machine. The default is true. */
  fsync?: boolean
}

export type EmbeddedPostgres = {
  /** The connection for `pg`, whose host is the folder of the socket (on Windows 127.0.0.1). */
  url: string
  /**
   * Resolves as soon as the server answers again; this or another process starts it where it is gone. Call it after a
   * lost connection; it may be repeated.
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
  const { dataDir, log } = options
  findPostgresPackage() // before any message about a folder that would not be needed
  const site = openSite(dataDir)
  const stopping = new AbortController()
  const { signal } = stopping
  let endUse: EndUse | null = null
  let leaving: Promise<void> | null = null

  const ensureRunning = (): Promise<void> =>
    inTurn(
      site,
      async () => {
        endUse ??= beginUse(site)
        await untilReady(site, { ...options, signal })
      },
      signal,
    )
  async function keepRunning(): Promise<void> {
    trimLog(site.log)
    if (await isListening(site)) return
    log.warn({ dataDir: site.dataDir }, 'the connection to the embedded PostgreSQL was lost')
    await ensureRunning()
  }
  async function onError(failure: unknown): Promise<void> {
    if (signal.aborted) return
    log.warn({ err: failure }, 'the embedded PostgreSQL could not be started again')
    await sleep(EMBEDDED_RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
  async function leave(): Promise<void> {
    stopping.abort()
    // A start of this process ends first, so that no server is left which nobody knows.
    const ending = inTurn(site, async () => endUse?.(() => stopWhenLast(site, log)))
    await ending.finally(() => leavers.delete(stop))
  }
  const stop = (): Promise<void> => (leaving ??= leave())

  leavers.add(stop)
  try {
    await ensureRunning()
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
  startLoop(keepRunning, { everyMs: EMBEDDED_LOOK_MS, signal, onError })
  return { url: urlOf(site), ensureRunning, stop }
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

/** Resolves when the server answers, which is started where there is none. Call it in one's turn. */
async function untilReady(
  site: Site,
  { signal, ...options }: EmbeddedPostgresOptions & { signal: AbortSignal },
): Promise<void> {
  const giveUpAt = performance.now() + EMBEDDED_START_MS
  let refusedSince: number | null = null
  for (;;) {
    const state = await askServer(site)
    if (state === 'ready') return
    const refusal = state === 'absent' ? await startServer(site, options) : null
    if (refusal !== null) {
      refusedSince ??= performance.now()
      if (performance.now() > refusedSince + EMBEDDED_RETRY_MS) throw refusal
    }
    if (performance.now() > giveUpAt) {
      throw new Error(
        `the embedded PostgreSQL in ${site.dataDir} did not answer within ${EMBEDDED_START_MS / 1000} s: ` +
          `see ${site.log}`,
      )
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

/** Returns null where the server was started, otherwise why it refused, where trying again helps. */
async function startServer(
  site: Site,
  { log, fsync = true }: EmbeddedPostgresOptions,
): Promise<Error | null> {
  try {
    const startedAt = performance.now()
    log.info({ cluster: site.cluster }, 'starting the embedded PostgreSQL…')
    const osUser = chooseOsUser(site)
    const binaries = prepareBinaries(site, osUser)
    await ensureCluster(site, binaries, osUser)
    makeSocketFolder(site, osUser)
    if (disarmStalePidFile(site)) {
      log.warn({ cluster: site.cluster }, 'the lock of a server that is gone was released')
    }

    const said = await requirePassword(site, binaries, osUser)
    if (said !== null) return passingRefusal(said, site)

    const endedWith = await spawnServer(site, binaries, { osUser, fsync })
    while (!(await isListening(site))) {
      const output = endedWith()
      if (output !== null) return passingRefusal(output, site)
      await sleep(POLL_MS)
    }
    const tookMs = Math.round(performance.now() - startedAt)
    log.info({ cluster: site.cluster, tookMs }, 'the embedded PostgreSQL was started')
    return null
  } catch (error) {
    throw explainFileError(error, site.dataDir)
  }
}

/** Returns the refusal where trying again helps, and throws it where it does not. */
function passingRefusal(output: string, { dataDir }: Site): Error {
  const refusal = explainOutput('postgres', output, dataDir)
  if (PREDECESSOR.test(output)) return refusal
  throw refusal
}

async function stopWhenLast(site: Site, log: Log): Promise<void> {
  const isStopped = await stopServer(site)
  if (isStopped) log.info({ cluster: site.cluster }, 'the embedded PostgreSQL was stopped')
  else
    log.warn({ cluster: site.cluster }, 'the embedded PostgreSQL did not stop and is left running')
}

function urlOf({ host, port, password }: Site): string {
  const query = `host=${encodeURIComponent(host)}&port=${port}&sslmode=disable`
  return `postgresql://${DATABASE_ROLE}:${password}@localhost/${DATABASE_NAME}?${query}`
}
