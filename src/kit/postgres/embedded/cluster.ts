/** A new cluster: initdb makes it under another name, and it is renamed when whole, so that no half cluster exists. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Binaries } from './binaries.ts'
import { DataFolderError, explainOutput } from './errors.ts'
import type { OsUser } from './os-user.ts'
import { runProgram } from './programs.ts'
import { DATABASE_ROLE, SERVER_MAJOR, type Site } from './site.ts'

const UNFINISHED = 'postgres.new-'
const MOVED = '.gone'
/** Retries whose pauses grow by one delay each: five seconds in all. */
const SWEEP_RETRIES = { maxRetries: 10, retryDelay: 100 }

/**
 * Makes the cluster where there is none. Call it in one's turn. Throws a `DataFolderError` for a cluster of
 * another PostgreSQL version and for files that are not a cluster.
 */
export async function ensureCluster(
  site: Site,
  { initdb }: Binaries,
  osUser: OsUser | null,
): Promise<void> {
  await sweepUnfinished(site)
  if (checkCluster(site)) return

  const made = path.join(site.dataDir, `${UNFINISHED}${randomBytes(6).toString('hex')}`)
  fs.mkdirSync(made, { mode: 0o700 })
  try {
    if (osUser !== null) fs.chownSync(made, osUser.uid, osUser.gid)
    await runInitdb(site, { initdb, made, osUser })
    fs.renameSync(made, site.cluster)
    syncFolder(site.dataDir)
  } catch (error) {
    fs.rmSync(made, { recursive: true, force: true })
    throw error
  }
}

/** Returns whether a cluster of this version exists; false where there is nothing yet. */
function checkCluster({ cluster }: Site): boolean {
  if (!fs.existsSync(cluster)) return false
  const versionFile = path.join(cluster, 'PG_VERSION')
  if (fs.existsSync(versionFile)) {
    const version = fs.readFileSync(versionFile, 'utf8').trim()
    if (version === String(SERVER_MAJOR)) return true
    throw new DataFolderError(
      `the database in ${cluster} was created by PostgreSQL ${version}, but this program contains ` +
        `PostgreSQL ${SERVER_MAJOR}: write a file with \`admin backup FILE\` of the release that used it last, set ` +
        'DATA_DIR to a new folder, and read the file with `admin restore FILE` of this one',
    )
  }
  const [first] = fs.readdirSync(cluster)
  if (first === undefined) return false
  throw new DataFolderError(
    `${cluster} contains files that are not a database (${first}): move them away or set DATA_DIR`,
  )
}

/**
 * Removes unfinished clusters of processes that were killed. An initdb may still be writing to one: it ends at its next
 * line of output, some hundred milliseconds later.
 */
async function sweepUnfinished({ dataDir }: Site): Promise<void> {
  for (const name of fs.readdirSync(dataDir)) {
    if (!name.startsWith(UNFINISHED)) continue
    const folder = path.join(dataDir, name)
    // Under another name the folder is not found by an initdb that still writes, which ends then.
    const gone = name.endsWith(MOVED) ? folder : folder + MOVED
    const isMoved = await fs.promises.rename(folder, gone).then(
      () => true,
      () => false,
    )
    const options = { recursive: true, force: true, ...SWEEP_RETRIES }
    await fs.promises.rm(isMoved ? gone : folder, options)
  }
}

async function runInitdb(
  site: Site,
  { initdb, made, osUser }: { initdb: string; made: string; osUser: OsUser | null },
): Promise<void> {
  const args = (folder: string): string[] => {
    const options = ['-D', folder, '-U', DATABASE_ROLE, '-E', 'UTF8', '--no-locale']
    options.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions')
    return [...options, ...authentication(site, made)]
  }
  const { status, output } = await runProgram(made, { file: initdb, args, osUser })
  if (status !== 0) throw explainOutput('initdb', output, site.dataDir)
}

/** Returns initdb's options for access. Except on Windows, the password is set before the first start (access.ts). */
function authentication(site: Site, made: string): string[] {
  if (process.platform !== 'win32') return ['--auth=reject']
  const file = `${made}.password`
  fs.writeFileSync(file, site.password, { mode: 0o600 })
  return ['--auth=scram-sha-256', `--pwfile=${file}`]
}

/** Makes the new name survive a power cut; Windows cannot sync a folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
