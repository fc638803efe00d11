/**
 * The site of an embedded PostgreSQL: its folders and files, and the place of its socket.
 *
 *     DATA_DIR/
 *       postgres/                 the cluster, mode 0700, made under another name and renamed
 *       postgres.new-…/           an unfinished cluster; the next start removes what a killed one left
 *       postgres-password         mode 0600, of the service's user
 *       postgres.log  .log.1      what the server says, bounded
 *       postgres-turn.lock        held by the one process that starts or stops the server
 *       postgres-users.lock       held by all processes that use the server
 *       postgres-binaries-…/      a copy of the binaries, only where they cannot run in place
 *       postgres-tcp.json         port and password, only on Windows
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DataFolderError, explainFileError } from './errors.ts'
import { ensurePassword, ensurePrivateFile, type Folders } from './password.ts'

export const DATABASE_NAME = 'scriptorium'
export const DATABASE_ROLE = 'scriptorium'
export const SERVER_MAJOR = 18

/** The port, which only names the socket file where no TCP port is opened. */
const SOCKET_PORT = 5432
/** The longest path of a Unix socket in bytes, without the final zero: 103 on macOS, 107 on Linux. */
const SOCKET_PATH_MAX_BYTES = process.platform === 'darwin' ? 103 : 107

/** An address for a client: a folder with the socket, or a host where there is none. */
type ServerAddress = { host: string; port: number }

export type Site = ServerAddress & {
  /** The data folder, absolute, without symbolic links. */
  dataDir: string
  cluster: string
  log: string
  turnLock: string
  usersLock: string
  /** The password that the server asks of every client. */
  password: string
}

/** Makes the data folder where it is missing. Throws a `DataFolderError` where that is refused. */
export function openSite(dataDir: string): Site {
  try {
    // The folder is private, except where the server cannot inherit the open folder and its user has to enter it.
    fs.mkdirSync(dataDir, { recursive: true, mode: process.platform === 'linux' ? 0o700 : 0o755 })
    const real = fs.realpathSync(dataDir)
    const folders = { dataDir: real, cluster: path.join(real, 'postgres') }
    const lock = (name: string): string => {
      const file = path.join(real, name)
      ensurePrivateFile(file, folders, '')
      return file
    }
    return {
      ...folders,
      log: path.join(real, 'postgres.log'),
      turnLock: lock('postgres-turn.lock'),
      usersLock: lock('postgres-users.lock'),
      ...(process.platform === 'win32'
        ? tcpAddress(folders)
        : { ...socketAddress(folders.cluster), password: ensurePassword(folders) }),
    }
  } catch (error) {
    throw explainFileError(error, path.resolve(dataDir))
  }
}

/** Whether the socket is in the cluster itself. */
export function isSocketInCluster(site: Site): boolean {
  return site.host === site.cluster
}

/**
 * Makes the short folder for a socket whose own place has too long a path, for `owner` only. Refuses a folder of
 * another user, whose server could stand in for the database.
 */
export function makeSocketFolder(site: Site, owner: { uid: number; gid: number } | null): void {
  if (isSocketInCluster(site) || process.platform === 'win32') return
  fs.mkdirSync(site.host, { recursive: true, mode: 0o700 })
  if (owner !== null && fs.lstatSync(site.host).uid === process.geteuid?.()) {
    fs.chownSync(site.host, owner.uid, owner.gid)
  }
  const found = fs.lstatSync(site.host)
  const uid = owner?.uid ?? process.geteuid?.()
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new DataFolderError(
      `the folder ${site.host} for the database's socket belongs to someone else: remove it, ` +
        'or set DATA_DIR to a shorter path so that it is not needed',
    )
  }
}

function socketAddress(cluster: string): ServerAddress {
  const file = path.join(cluster, `.s.PGSQL.${SOCKET_PORT}`)
  const isShort = Buffer.byteLength(file) <= SOCKET_PATH_MAX_BYTES
  const name = `scriptorium-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  const host = isShort ? cluster : path.join(os.tmpdir(), name)
  return { host, port: SOCKET_PORT }
}

/**
 * Returns the address on Windows: the loopback address with a random port and password, kept from the first start on.
 */
function tcpAddress(folders: Folders): ServerAddress & { password: string } {
  const file = path.join(folders.dataDir, 'postgres-tcp.json')
  const made = { port: 20_000 + randomInt(20_000), password: randomBytes(24).toString('hex') }
  ensurePrivateFile(file, folders, JSON.stringify(made))
  const { port, password } = JSON.parse(fs.readFileSync(file, 'utf8'))
  return { host: '127.0.0.1', port, password }
}
