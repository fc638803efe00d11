/** The server process of a cluster: started detached, recognised by `postmaster.pid`, stopped in an orderly way. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Binaries, prepareBinaries } from './binaries.ts'
import type { OsUser } from './os-user.ts'
import { isAlive, isServerOf } from './processes.ts'
import { startProgram } from './programs.ts'
import { isSocketInCluster, type Site } from './site.ts'

const EMBEDDED_STOP_MS = 30_000
const EMBEDDED_LOG_BYTES = 8 * 1024 * 1024

/** Connections for some ten processes of the service, with their pools and signals. */
const CONNECTIONS_MAX = 200
const POLL_MS = 10
/** An id above every possible process id, so that PostgreSQL finds no living process under it. */
const NOBODYS_PID = '99999999'
const { O_WRONLY, O_TRUNC, O_NOFOLLOW = 0 } = fs.constants
const WITHOUT_LINKS = O_WRONLY | O_TRUNC | O_NOFOLLOW

const SETTINGS = {
  max_connections: String(CONNECTIONS_MAX),
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // The service logs a failed statement itself, once, and its text may hold a caption.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}
/** Settings for data that may be lost: a crash of the machine, not of the server, destroys it. */
const WITHOUT_SYNC = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/**
 * Starts the server and returns at once; the server outlives this process and a Ctrl-C in its terminal. The function
 * that it returns gives null while the server runs, then what it wrote to its log since it was started.
 */
export async function spawnServer(
  site: Site,
  { postgres }: Binaries,
  { osUser, fsync }: { osUser: OsUser | null; fsync: boolean },
): Promise<() => string | null> {
  const log = fs.openSync(site.log, 'a', 0o600)
  const { size: logStart } = fs.fstatSync(log)
  if (osUser !== null) fs.fchownSync(log, osUser.uid, osUser.gid)
  const settings = { ...SETTINGS, ...listening(site), ...(fsync ? {} : WITHOUT_SYNC) }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = (folder: string): string[] => ['-D', folder, ...options]
  const starting = startProgram(site.cluster, { file: postgres, args, osUser, log })
  const child = await starting.finally(() => fs.closeSync(log))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return () => (hasEnded() ? fs.readFileSync(site.log).subarray(logStart).toString() : null)
}

/**
 * Stops the server of the cluster: it disconnects every client, writes a checkpoint and ends. Returns false where it
 * still runs after 30 s, or cannot be told from a process of another container.
 */
export async function stopServer(site: Site): Promise<boolean> {
  const pid = readServerPid(site)
  if (pid === null || !isServerOf(pid, site.cluster)) return pid === null
  // Windows has no SIGINT between processes; PostgreSQL has its own means there.
  if (process.platform === 'win32') {
    const args = ['stop', '-D', site.cluster, '-m', 'fast', '--no-wait']
    spawnSync(prepareBinaries(site, null).pgCtl, args, { stdio: 'ignore' })
  } else process.kill(pid, 'SIGINT')

  const giveUpAt = performance.now() + EMBEDDED_STOP_MS
  while (isAlive(pid) && readServerPid(site) === pid) {
    if (performance.now() > giveUpAt) return false
    await sleep(POLL_MS)
  }
  return true
}

/**
 * Makes a `postmaster.pid` harmless whose process is gone but whose id is in use: by a zombie, or by another process
 * after a restart of the container. Only the id is replaced, since PostgreSQL checks with the rest of the file that no
 * process of the old server is left. Returns whether it did. Call it in one's turn.
 */
export function disarmStalePidFile(site: Site): boolean {
  const pid = readServerPid(site)
  if (pid === null || isServerOf(pid, site.cluster)) return false
  const socketLock = path.join(site.host, `.s.PGSQL.${site.port}.lock`)
  for (const file of [path.join(site.cluster, 'postmaster.pid'), socketLock]) {
    if (!fs.existsSync(file)) continue
    const [, ...rest] = fs.readFileSync(file, 'utf8').split('\n')
    // The file is opened without following links, since root would write wherever the server's user points.
    const written = fs.openSync(file, WITHOUT_LINKS)
    fs.writeFileSync(written, [NOBODYS_PID, ...rest].join('\n'))
    fs.closeSync(written)
  }
  return true
}

/**
 * Returns the process id of the running server, or of one that did not clean up; null where the cluster was left in
 * order.
 */
function readServerPid(site: Site): number | null {
  try {
    const [line] = fs.readFileSync(path.join(site.cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number(line) || null
  } catch {
    return null
  }
}

/** Returns the settings of where to listen. In the cluster that is `.`: as short as possible, and without quoting. */
function listening(site: Site): Record<string, string> {
  if (process.platform === 'win32') {
    return { listen_addresses: site.host, port: String(site.port), unix_socket_directories: '' }
  }
  const folder = isSocketInCluster(site) ? '.' : `"${site.host.replaceAll('"', '""')}"`
  return { listen_addresses: '', port: String(site.port), unix_socket_directories: folder }
}

/**
 * Empties a log that is too large, after copying it to `<file>.1`; leaves a file that it may not write. The server
 * keeps it open for appending, so it is not renamed.
 */
export function trimLog(file: string, maxBytes = EMBEDDED_LOG_BYTES): void {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= maxBytes) return
  try {
    fs.copyFileSync(file, `${file}.1`)
    fs.truncateSync(file)
  } catch {
    // The next look tries again, for example after a full disk.
  }
}
